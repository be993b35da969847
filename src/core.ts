// The public names that work anywhere, browsers included: the budget, the ledger in memory, and the worker's
// processes with what a driver of one's own needs to answer their effects. Listed by hand.

export type { Clock, MonotonicMs, WallMs } from './base/clock.ts';
export {
  EnvironmentError,
  InputError,
  InvariantBroken,
  LedgerUnavailable,
  type Place,
  type Problem,
} from './base/errors.ts';
export type { BackoffSettings } from './budget/backoff.ts';
export { Budget, type BudgetOptions, type Clamp } from './budget/budget.ts';
export type { AnyLedger, AsyncLedger } from './ledger/async-ledger.ts';
export type * from './ledger/ledger.ts';
export { MemoryLedger, type MemoryLedgerOptions } from './ledger/memory-ledger.ts';
export type {
  CapacityBound,
  NightPlan,
  PlannedClass,
  PlannedMix,
  ThreeNumbers,
  WorstCase,
} from './plan/night-plan.ts';
export { type PlanInput, type PlanInputClass, planNight } from './plan/plan-night.ts';
export type * from './worker/effects.ts';
export {
  type ElsewhereClaim,
  JobQueue,
  type JobQueueOptions,
  type JobStanding,
  type QueuedJob,
} from './worker/job-queue.ts';
export { lane } from './worker/lane.ts';
export { reclaimer } from './worker/reclaimer.ts';
export { type TripEvent, TripMonitor, type TripMonitorOptions } from './worker/trip-monitor.ts';
export {
  type ClassExpectation,
  DEFAULT_TRIPS,
  type Trip,
  type TripReading,
  type TripSignal,
  type TripSubject,
  type TripThresholds,
} from './worker/trip-settings.ts';
export {
  type TripReaction,
  TripWatch,
  type TripWatchOptions,
  tabledReaction,
} from './worker/trip-watch.ts';
export { LaneBoard, type PoolUse, type WorkerSettings } from './worker/worker-settings.ts';
