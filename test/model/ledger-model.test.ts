// Both stores against the naive ledger, over random sequences of everything a ledger can be asked.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import type { Ledger, RowDelta } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { SqliteLedger } from '../../src/stores/sqlite-ledger.ts';
import { audit } from '../contract/audit.ts';
import { type Command, type Play, plays } from './commands.ts';
import { type Expected, NaiveLedger } from './naive-ledger.ts';

const FIELDS = ['capacity', 'balance', 'held', 'consumed', 'refunded', 'overspent', 'shortfall'] as const;
const FUNDING = ['adjust', 'refill'];

type Answer = {
  readonly outcome: string;
  readonly already: boolean;
  readonly delta: readonly RowDelta[];
  readonly version: number;
};

/** The real answer, or the code of the input error. */
function perform(ledger: Ledger, command: Command, nowMs: number): Answer | { readonly throws: string } {
  try {
    return call(ledger, command, nowMs);
  } catch (error) {
    if (error instanceof InputError) return { throws: error.code };
    throw error;
  }
}

function call(ledger: Ledger, command: Command, nowMs: number): Answer {
  switch (command.op) {
    case 'reserve': {
      const { op, ...request } = command;
      return ledger.reserve({ ...request, job: `job ${command.id}`, nowMs });
    }
    case 'post': {
      const { op, hold, ...post } = command;
      return ledger.post({ ...post, reason: 'bill', nowMs, ...(post.side === 'credit' && { hold }) });
    }
    case 'dispatch':
      return ledger.dispatch({ id: command.id, nowMs });
    case 'renew':
      return ledger.renew({ id: command.id, leaseMs: command.leaseMs, nowMs });
    case 'extendTo':
      return ledger.extendTo({ id: command.id, total: command.total, nowMs });
    case 'release':
      return ledger.release({ id: command.id, nowMs });
    case 'settle':
      return ledger.settle({ id: command.id, actual: command.actual, nowMs });
    case 'reclaim':
      return ledger.reclaim({ pool: command.pool, limit: command.limit, force: command.force, nowMs });
    case 'adjust':
      return ledger.adjust({ pool: command.pool, capacity: command.capacity, nowMs });
    case 'refill':
      return ledger.refill({ pool: command.pool, period: command.period, nowMs });
    case 'pause':
      return ledger.pause({ pool: command.pool, nowMs });
    case 'resume':
      return ledger.resume({ pool: command.pool, nowMs });
  }
}

/** Plays the sequence on both stores and the model, and compares all three after every step. */
function compare({ pools, steps }: Play): void {
  const memory = new MemoryLedger();
  const sqlite = new SqliteLedger(':memory:');
  const model = new NaiveLedger();
  const versions = new Map<string, number>();
  /** The versions that refusals were first given with. */
  const givenWith = new Map<string, number>();
  try {
    for (const request of pools) {
      memory.openPool(request);
      sqlite.openPool(request);
      model.open(request);
      versions.set(request.pool, 0);
    }
    let now = 1_000_000;
    for (const { waitMs, ...step } of steps) {
      const command = step as Command;
      now += waitMs;
      const before = model.rows();
      const faces = pools.map(({ pool }) => model.face(pool));
      const subject = model.subject(command);
      const expected = model.play(command, now);
      if (command.op !== 'reserve' && command.op !== 'extendTo') {
        pools.forEach(({ pool }, i) => {
          if (model.face(pool) !== faces[i]) versions.set(pool, versions.get(pool)! + 1);
        });
      }
      const answer = perform(memory, command, now);
      expect(JSON.stringify(perform(sqlite, command, now)), 'SQLite answers as memory does').toBe(
        JSON.stringify(answer),
      );
      expectAnswer(answer, expected, before, model.rows(), command);
      if ('version' in answer && subject !== undefined) {
        const chainVersion = model.chain(subject).reduce((sum, pool) => sum + versions.get(pool)!, 0);
        const first = isRepeatedRefusal(expected) ? givenWith.get((command as { id: string }).id) : undefined;
        expect(answer.version, 'version').toBe(first ?? chainVersion);
        if (command.op === 'reserve' && answer.outcome === 'refused' && !answer.already)
          givenWith.set(command.id, answer.version);
      }
      expectBooks(memory, model);
      expectBooks(sqlite, model);
    }
    expect(memory.holds().toSorted(byId)).toEqual(model.holds().toSorted(byId));
    const everything = (ledger: Ledger) =>
      JSON.stringify([
        ledger.pools().map((pool) => ledger.pool(pool)),
        ledger.holds(),
        ledger.holds({ state: 'held', olderThanMs: now }),
        ['a', 'b', 'c', 'd'].map((id) => ledger.history(`job ${id}`)),
        ledger.journal(),
      ]);
    expect(everything(sqlite), 'SQLite reads as memory does').toBe(everything(memory));
    audit(memory);
    audit(sqlite);
  } finally {
    sqlite.close();
  }
}

/** It keeps the version that it was first given with. */
function isRepeatedRefusal(expected: Expected): boolean {
  return 'outcome' in expected && expected.outcome === 'refused' && expected.already === true;
}

function expectAnswer(
  answer: Answer | { readonly throws: string },
  expected: Expected,
  before: ReturnType<NaiveLedger['rows']>,
  after: ReturnType<NaiveLedger['rows']>,
  command: Command,
): void {
  if ('throws' in answer || 'throws' in expected) {
    expect(answer).toEqual(expected);
    expect(after).toEqual(before);
    return;
  }
  const { delta, version, ...rest } = answer;
  expect(rest).toEqual(expected);
  const moved = new Map<string, Partial<RowDelta>>();
  for (const [row, figures] of after) {
    const was = before.get(row);
    const move = Object.fromEntries(
      FIELDS.map((field) => [field, figures[field] - (was?.[field] ?? 0)] as const).filter(
        ([, by]) => by !== 0,
      ),
    );
    if (Object.keys(move).length > 0) moved.set(row, move);
  }
  const told = new Map(
    delta.map(({ pool, period, ...figures }) => [
      `${pool}/${period}`,
      Object.fromEntries(Object.entries(figures).filter(([, by]) => by !== 0)),
    ]),
  );
  expect(told.size, 'each row is named once').toBe(delta.length);
  expect(new Map([...told].filter(([, move]) => Object.keys(move).length > 0))).toEqual(moved);
  if (!FUNDING.includes(command.op)) {
    expect(
      delta.every(({ capacity }) => capacity === 0),
      'nothing is minted',
    ).toBe(true);
  }
}

function expectBooks(ledger: Ledger, model: NaiveLedger): void {
  for (const [row, figures] of model.rows()) {
    const [pool = '', period] = row.split('/');
    const view = ledger.pool(pool, Number(period));
    expect(view).toMatchObject(figures);
    expect(view!.balance + view!.held + view!.consumed).toBe(view!.capacity);
    expect(view!.balance).toBeGreaterThanOrEqual(0);
  }
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

describe('the ledger against a naive model', () => {
  it('for any sequence of operations both stores answer and keep their books as the model does', () => {
    fc.assert(fc.property(plays, compare), { numRuns: 300 });
  });

  it('for any sequence of operations a repeat has the first answer and changes nothing', () => {
    const repeatable = ['reserve', 'settle', 'post', 'release', 'refill', 'pause', 'resume'];
    fc.assert(
      fc.property(plays, ({ pools, steps }) => {
        const ledger = new MemoryLedger();
        for (const request of pools) ledger.openPool(request);
        const given: { command: Command; now: number; answer: Answer }[] = [];
        let now = 1_000_000;
        for (const { waitMs, ...step } of steps) {
          now += waitMs;
          const command = step as Command;
          const answer = perform(ledger, command, now);
          if ('throws' in answer || !repeatable.includes(command.op)) continue;
          expectRepeat(ledger, command, now + 1, answer);
          if (['reserve', 'settle', 'post'].includes(command.op)) given.push({ command, now, answer });
        }
        for (const { command, answer } of given) expectRepeat(ledger, command, now + 99_999, answer);
      }),
      { numRuns: 200 },
    );
  });
});

/** All but the hold's present state and the chain's present version is as it was. */
function expectRepeat(ledger: Ledger, command: Command, nowMs: number, first: Answer): void {
  const books = () => JSON.stringify([ledger.pools().map((pool) => ledger.pool(pool)), ledger.holds()]);
  const before = books();
  const again = perform(ledger, command, nowMs);
  expect(books()).toBe(before);
  const stable = ({ hold, version, delta, already, outcome, ...rest }: Record<string, unknown>) => ({
    ...rest,
    // A refill or a pause names what it found the second time.
    outcome: outcome === 'refilled' ? 'stale' : outcome,
  });
  expect(stable({ ...again })).toEqual(stable({ ...first }));
  expect(again).toMatchObject({ delta: [] });
  const isAnswered = !['refused', 'id-reused'].includes(first.outcome) || command.op === 'reserve';
  if (isAnswered && first.outcome !== 'id-reused') expect(again).toMatchObject({ already: true });
}
