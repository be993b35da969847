// The public names of the runtime on Node: everything in `core`, the ledger in a file, and `runQueue`.
// Listed by hand.

export * from './core.ts';
export type { AnyLedger, AsyncLedger } from './ledger/async-ledger.ts';
export type { CallContext } from './live/live-driver.ts';
export type { ProviderAnswer } from './live/provider-answer.ts';
export type { QueueTrips } from './live/queue-trips.ts';
export { realClock } from './live/real-clock.ts';
export { runQueue } from './live/run-queue.ts';
export type {
  Call,
  Checkpoint,
  DeferredJob,
  DoneJob,
  FailedJob,
  NamedJob,
  QueueResult,
  RunQueueOptions,
} from './live/run-queue-options.ts';
export type { QueueWarning } from './live/warn-once.ts';
export { PostgresLedger, type PostgresLedgerOptions } from './stores/postgres-ledger.ts';
export { type Migration, migratePostgres } from './stores/postgres-schema.ts';
export { SqliteLedger, type SqliteLedgerOptions } from './stores/sqlite-ledger.ts';
