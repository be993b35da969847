// Random sequences of everything a ledger can be asked: it answers as the model does, keeps the same books, and
// a repeat changes nothing whatever came before.

import fc from 'fast-check';
import type { AsyncLedger } from '../../ledger/async-ledger.ts';
import { compareWithModel, OPENING_MS } from '../model-comparison.ts';
import { type Operation, type OperationSequence, operations } from '../operations.ts';
import { perform, type Result, type ResultAnswer } from '../perform.ts';
import type { DeclareCase, Trial } from '../trial.ts';

const REPEATABLE: readonly Operation['op'][] = [
  'reserve',
  'settle',
  'post',
  'release',
  'refill',
  'pause',
  'resume',
];

export interface ModelRuns {
  /** Sequences of some 23 operations on average. */
  readonly runs: number;
  /** Default: fast-check's own, that is a random one unless it was configured. */
  readonly seed?: number;
}

export function modelCases(it: DeclareCase, { runs, seed }: ModelRuns): void {
  const settings = { numRuns: runs, ...(seed !== undefined && { seed }) };

  it('for any sequence of operations it answers and keeps its books as the model does', async (trial) => {
    const alike = (sequence: OperationSequence) => trial.afresh((own) => compareWithModel(own, sequence));
    await fc.assert(fc.asyncProperty(operations, alike), settings);
  });

  it('for any sequence of operations a repeat has the first answer and changes nothing', async (trial) => {
    const kept = (sequence: OperationSequence) => trial.afresh((own) => repeatAll(own, sequence));
    await fc.assert(fc.asyncProperty(operations, kept), { ...settings, numRuns: Math.ceil(runs / 4) });
  });
}

async function repeatAll(trial: Trial, { pools, steps }: OperationSequence): Promise<void> {
  const ledger = await trial.open();
  for (const request of pools) await ledger.openPool(request);
  const given: { readonly operation: Operation; readonly first: ResultAnswer }[] = [];
  let nowMs = OPENING_MS;
  for (const { waitMs, ...rest } of steps) {
    nowMs += waitMs;
    const operation = rest as Operation;
    const first = await perform(ledger, operation, nowMs);
    if (first.throws !== undefined || !REPEATABLE.includes(operation.op)) continue;
    await expectRepeat(trial, ledger, operation, nowMs + 1, first);
    if (['reserve', 'settle', 'post'].includes(operation.op)) given.push({ operation, first });
  }
  for (const { operation, first } of given) {
    await expectRepeat(trial, ledger, operation, nowMs + 99_999, first);
  }
}

/** All but the hold's present state and the chain's present version is as it was. */
async function expectRepeat(
  trial: Trial,
  ledger: AsyncLedger,
  operation: Operation,
  nowMs: number,
  first: ResultAnswer,
): Promise<void> {
  const before = await everyBook(ledger);
  const again = await perform(ledger, operation, nowMs);
  trial.equal(await everyBook(ledger), before, `the books after ${operation.op} was repeated`);
  trial.equal(stable(again), stable(first), `the second answer to ${operation.op}`);
  trial.equal((again as ResultAnswer).moves, {}, `what the second ${operation.op} moved`);
  const isAnswered = first.outcome !== 'refused' || operation.op === 'reserve';
  if (isAnswered && first.outcome !== 'id-reused') {
    trial.matches(again, { already: true }, `the second answer to ${operation.op}`);
  }
}

function stable(result: Result): unknown {
  const { hold, version, moves, already, outcome, ...rest } = result as Record<string, unknown>;
  // A refill names what it found the second time.
  return { ...rest, outcome: outcome === 'refilled' ? 'stale' : outcome };
}

async function everyBook(ledger: AsyncLedger): Promise<unknown> {
  const pools: unknown[] = [];
  for (const pool of await ledger.pools()) pools.push(await ledger.pool(pool));
  return [pools, await ledger.holds()];
}
