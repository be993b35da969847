// The first sentence of the report and of the terminal: on each kind of night it must say another thing.

import { expect, test } from 'vitest';
import { adviseOn } from '../../src/report/advice.ts';
import { findingsOf } from '../../src/report/findings.ts';
import type { ReportInput } from '../../src/report/report-input.ts';
import { type Verdict, verdict } from '../../src/report/verdict.ts';
import { type Toy, type ToyClass, toyInput } from './toy-nights.ts';

function classOf(more: Partial<ToyClass> = {}): ToyClass {
  return { name: 'a', count: 10, envelope: 10_000, tokens: [1_000, 9_000], ...more };
}

/** One lane, one job a minute, 9 min before the reserve. */
const SLOW: Toy = {
  nights: 1,
  lanes: 1,
  callMs: [60_000, 60_000],
  windowMs: 600_000,
  reserveMs: 60_000,
  classes: [classOf()],
};
const EASY: Toy = { ...SLOW, lanes: 8 };

function verdictOn(input: ReportInput): Verdict {
  return verdict({ ...input, firstLimit: input.plan.binding });
}

function verdictOf(toy: Toy): Verdict {
  return verdictOn(toyInput(toy));
}

function adviceOf(toy: Toy): readonly { readonly kind: string; readonly set?: string | null }[] {
  const input = toyInput(toy);
  return adviseOn(input, findingsOf(input), verdictOn(input).facts);
}

test('a night that gets everything done fits, and nothing has to be done', () => {
  const { ok, headline } = verdictOf(EASY);
  expect(ok).toBe(true);
  expect(headline).toBe(
    'Fits: all 10 jobs are done, and the night ends 2 min into its 10 min window. Were there more jobs, lanes and time would be the first limit.',
  );
  expect(adviceOf(EASY)).toEqual([{ kind: 'nothing' }]);
});

test('a night that runs out of time does not fit, and more lanes are the advice', () => {
  const { ok, headline } = verdictOf(SLOW);
  expect(ok).toBe(false);
  expect(headline).toBe(
    'Does not fit: 1 of 10 jobs is left after the night. Time ran out: all that was left was not reached before the window closed.',
  );
  expect(adviceOf(SLOW)).toContainEqual({ kind: 'lanes', from: 1, to: 2, set: 'lanes=2' });
});

test('a one-time backlog that is worked off fits, but not in one night', () => {
  const { ok, headline } = verdictOf({ ...SLOW, nights: 2, classes: [classOf({ arrive: 'first-night' })] });
  expect(ok).toBe(true);
  const longer = verdictOf({ ...SLOW, nights: 5, classes: [classOf({ arrive: 'first-night' })] });
  expect(longer.headline).toBe(headline);
  expect(headline).toMatch(
    /^Fits, but not in one night: all 10 jobs are done after 2 nights\. On the way time ran out: /,
  );
});

test('a night that runs out of tokens blames the pool', () => {
  const short: Toy = { ...EASY, capacity: 20_000, classes: [classOf({ tokens: [10_000, 10_000] })] };
  expect(verdictOf(short).headline).toBe(
    'Does not fit: 8 of 10 jobs are left after the night. Tokens ran out: all that was left was refused for want of them.',
  );
  expect(adviceOf(short)).toContainEqual({
    kind: 'pool',
    from: 20_000,
    to: 100_000,
    set: 'pool.tokens=100000',
  });
});

test('a pool that is funded in part is funded in full before more tokens are asked for', () => {
  const short: Toy = {
    ...EASY,
    capacity: 20_000,
    funded: 0.5,
    classes: [classOf({ tokens: [10_000, 10_000] })],
  };
  const kinds = adviceOf(short).map(({ kind }) => kind);
  expect(kinds).toContain('fund');
  expect(kinds).not.toContain('pool');
});

test('a class larger than the pool blames its envelope', () => {
  const huge: Toy = { ...EASY, capacity: 5_000 };
  expect(verdictOf(huge).headline).toMatch(
    /Envelopes are too large: all that was left reserves more tokens than the whole pool holds\.$/,
  );
  expect(adviceOf(huge)).toContainEqual({
    kind: 'envelope-too-large',
    class: 'a',
    envelope: 10_000,
    capacity: 5_000,
    set: 'pool.tokens=10000',
  });
});

test('a killed night does not come home, and the clamp is the advice', () => {
  const killed: Toy = { ...SLOW, windowMs: 90_000, reserveMs: 10_000, timeouts: 'fixed' };
  const { ok, headline } = verdictOf(killed);
  expect(ok).toBe(false);
  expect(headline).toBe(
    'Does not come home in time: the kill came before the worker had left, and it took 1 call in mid-flight.',
  );
  expect(adviceOf(killed)[0]).toEqual({ kind: 'clamp', set: 'policy.timeouts=clamp' });
});

test('a killed night under the clamp asks for more reserve', () => {
  const input = toyInput(SLOW);
  const nights = input.run.nights.map((night) => ({
    ...night,
    finishedMs: null,
    lostWrites: 1,
    done: night.done - 1,
  }));
  const total = { ...input.run.total, lostWrites: 1 };
  const losses = { ...input.series.losses, answers: { crash: 0, store: 0, kill: 1 } };
  const killed = { ...input, run: { ...input.run, nights, total }, series: { ...input.series, losses } };
  const { facts, headline } = verdictOn(killed);
  expect(headline).toMatch(/and it took 1 finished answer not yet written\.$/);
  expect(adviseOn(killed, findingsOf(killed), facts)[0]).toEqual({
    kind: 'reserve',
    fromMs: 60_000,
    toMs: 120_000,
    set: 'budget.reserve=120s',
  });
});

test('no jobs are nothing to carry', () => {
  expect(verdictOf({ ...EASY, classes: [] })).toMatchObject({
    ok: true,
    headline: 'Nothing to carry: no job arrives.',
  });
});

test('a class that outgrows its envelope more than its quantile allows is named, and it alone', () => {
  const wrong: Toy = {
    ...EASY,
    capacity: 10_000_000,
    classes: [
      classOf({ name: 'wrong', tokens: [9_000, 12_000] }),
      classOf({ name: 'right', tokens: [8_000, 9_900] }),
    ],
  };
  expect(adviceOf(wrong).filter(({ kind }) => kind === 'overspend')).toMatchObject([{ class: 'wrong' }]);
});

test('a job counts once, however many nights it waited', () => {
  const { facts } = verdictOf({
    ...SLOW,
    nights: 3,
    classes: [classOf({ count: 30, arrive: 'first-night' })],
  });
  expect(facts).toMatchObject({ arrived: 30, pending: 3, nightsWithPending: 3 });
});

test('a compared variant that did better is worth a look, one that did worse is not', () => {
  const faster: Toy = { ...SLOW, lanes: 2 };
  const better = adviceOf({ ...SLOW, compare: [{ name: 'faster', toy: faster }] });
  expect(better.filter(({ kind }) => kind === 'variant')).toEqual([
    { kind: 'variant', name: 'faster', differences: ['lanes: 2'], more: 1, fewerLost: 0, set: null },
  ]);
  const worse = adviceOf({ ...faster, compare: [{ name: 'slower', toy: SLOW }] });
  expect(worse).toEqual([{ kind: 'nothing' }]);
});
