// Calls that meet: each order of them one after the other, and all of them at once. At once they must come to
// what one of the orders comes to on the model; which one is the ledger's affair.

import type { AsyncLedger } from '../ledger/async-ledger.ts';
import { compareReads, compareWithModel, OPENING_MS } from './model-comparison.ts';
import { ModelLedger } from './model-ledger.ts';
import type { Operation, OperationSequence, TimedOperation } from './operations.ts';
import { perform, type Result } from './perform.ts';
import { permutations } from './permutations.ts';
import type { Trial } from './trial.ts';

export interface Race extends Pick<OperationSequence, 'pools'> {
  /** What happens before, in this order. */
  readonly before: readonly TimedOperation[];
  /** What happens then, at one moment. */
  readonly meet: readonly Operation[];
}

/** One after the other, in every order, each on a ledger of its own. */
export async function inEveryOrder(trial: Trial, { pools, before, meet }: Race): Promise<void> {
  for (const order of permutations(meet)) {
    const steps = [...before, ...order.map((operation) => ({ ...operation, waitMs: 0 }))];
    await trial.afresh((own) => compareWithModel(own, { pools, steps }));
  }
}

/** At once, so many starting orders show what there is to see. */
const STARTS_AT_MOST = 24;

/** All at once, started in up to 24 orders, each on a ledger of its own. */
export async function atOnce(trial: Trial, race: Race): Promise<void> {
  const orders = permutations(race.meet);
  const possible = orders.map((order) => modelOutcome(race, order));
  const step = Math.ceil(orders.length / STARTS_AT_MOST);
  for (const order of orders.filter((_, i) => i % step === 0)) {
    await trial.afresh(async (own) => {
      const ledger = await own.open();
      const nowMs = await prepare(ledger, race);
      const results = await Promise.all(order.map((operation) => perform(ledger, operation, nowMs)));
      const outcome = race.meet.map((operation) => withoutVersion(results[order.indexOf(operation)]!));
      const text = textOf(outcome);
      const matching = possible.filter((one) => one.text === text);
      const started = possible[orders.indexOf(order)]!;
      if (matching.length === 0) own.equal(outcome, started.outcome, 'answers, of no order of the calls');
      let failure: unknown;
      for (const { model } of matching) {
        try {
          return await compareReads(own, ledger, model);
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    });
  }
}

function modelOutcome({ pools, before, meet }: Race, order: readonly Operation[]) {
  const model = new ModelLedger();
  for (const request of pools) model.openPool(request);
  let nowMs = OPENING_MS;
  for (const { waitMs, ...operation } of before) {
    nowMs += waitMs;
    model.perform(operation as Operation, nowMs);
  }
  const results = new Map(order.map((operation) => [operation, model.perform(operation, nowMs)]));
  const outcome = meet.map((operation) => withoutVersion(results.get(operation)!));
  return { model, outcome, text: textOf(outcome) };
}

async function prepare(ledger: AsyncLedger, { pools, before }: Race): Promise<number> {
  for (const request of pools) await ledger.openPool(request);
  let nowMs = OPENING_MS;
  for (const { waitMs, ...operation } of before) {
    nowMs += waitMs;
    await perform(ledger, operation as Operation, nowMs);
  }
  return nowMs;
}

/** Which version an answer hears of depends on what was just written beside it, and is no part of the outcome. */
function withoutVersion(result: Result): unknown {
  const { version, ...rest } = result as Record<string, unknown>;
  return rest;
}

/** The same for whatever is equal: keys in one order. */
function textOf(value: unknown): string {
  return JSON.stringify(value, sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
