// A ledger and the model side by side.

import type { AsyncLedger } from '../ledger/async-ledger.ts';
import type { Expectation } from './expectation.ts';
import { ModelLedger } from './model-ledger.ts';
import type { Operation, OperationSequence } from './operations.ts';
import { perform } from './perform.ts';
import type { Trial } from './trial.ts';

/** Wall time at which sequences begin. */
export const OPENING_MS = 1_000_000;

/** Plays the sequence on both, and compares every answer and, at the end, all reads. */
export async function compareWithModel(trial: Trial, { pools, steps }: OperationSequence): Promise<void> {
  const ledger = await trial.open();
  const model = new ModelLedger();
  for (const request of pools) {
    await ledger.openPool(request);
    model.openPool(request);
  }
  let nowMs = OPENING_MS;
  for (const { waitMs, ...operation } of steps) {
    nowMs += waitMs;
    const asked = operation as Operation;
    const expected = model.perform(asked, nowMs);
    trial.equal(await perform(ledger, asked, nowMs), expected, `${asked.op} at ${nowMs}`);
  }
  await compareReads(trial, ledger, model);
}

export async function compareReads(
  trial: Expectation,
  ledger: AsyncLedger,
  model: ModelLedger,
): Promise<void> {
  for (const [row, figures] of model.rows()) {
    const [pool = '', period] = row.split('/');
    trial.matches(await ledger.pool(pool, Number(period)), figures, `row ${row}`);
  }
  const holds = model.holds();
  trial.equal(await ledger.holds(), holds, 'holds()');
  const open = holds.filter(({ state }) => state === 'held');
  trial.equal(await ledger.holds({ state: 'held' }), open, 'the open ones of holds()');
  for (const job of model.jobs()) {
    trial.equal(await ledger.history(job), model.history(job), `history of ${job}`);
  }
}
