// Refusals in nights that can be worked out by hand: ten jobs that hold 2,000 and use 1,100, one lane.

import { expect, test } from 'vitest';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { studyRefusals } from '../../src/study/refusals.ts';
import { play } from '../../src/world/play.ts';
import { jobClass, pool, scenario } from '../world/scenario-fixture.ts';
import { toTheEnd } from './to-the-end.ts';

const refusals = (one: Scenario, replication: number) => toTheEnd(studyRefusals(one, replication));

const short = scenario({ pool: pool({ capacity: 10_000, quota: 10_000 }) });

test('the way down from all jobs to those admitted adds up', () => {
  const { steps, byClass } = refusals(short, 0);
  expect(steps).toEqual({ jobs: 10, inadmissible: 0, refused: 2, notReached: 0, admitted: 8 });
  expect(byClass).toEqual({ plain: { refused: 2, inadmissible: 0 } });
});

test('the smallest pool that admits everybody is found, and one token less is shown to be too few', () => {
  // The tenth starts on what nine have left: 9 × 1,100 + 2,000.
  expect(refusals(short, 0).changes?.tokens).toEqual({
    from: 10_000,
    to: 11_900,
    refusedThen: 0,
    doneThen: 10,
    refusedBefore: 1,
  });
});

test('a pool is enough only where nobody is refused in any night', () => {
  // Never refilled, it has to last for two nights: the twentieth starts on what nineteen have left.
  const twice = { ...short, nights: 2, pool: pool({ capacity: 12_000, quota: 12_000, refill: 'never' }) };
  expect(refusals(twice, 0).changes?.tokens).toMatchObject({ to: 22_900, refusedThen: 0, doneThen: 20 });
});

test('the largest envelope that admits everybody is found, as a share of what it is', () => {
  // Held and consumed are the same below 1,100: ten times 1,000, which is half of 2,000.
  expect(refusals(short, 0).changes?.envelopePercent).toEqual({
    from: 100,
    to: 50,
    refusedThen: 0,
    doneThen: 10,
    refusedBefore: 1,
  });
});

test('what does not help is said not to', () => {
  const { changes } = refusals(short, 0);
  expect(changes?.lanes).toBeNull();
  expect(changes?.order).toBeNull();
});

test('an order that admits everybody is found', () => {
  // Five light jobs use 50 of 1,990, and the heavy one holds 1,950.
  const light = { kind: 'independent', input: constant(5), output: constant(5) } as const;
  const jobs = [
    jobClass({ name: 'heavy', count: 1, envelope: { kind: 'tokens', tokens: 1_950 } }),
    jobClass({ name: 'light', count: 5, tokens: light, envelope: { kind: 'tokens', tokens: 10 } }),
  ];
  const tight = scenario({ jobs, pool: pool({ capacity: 1_990, quota: 1_990 }), order: 'lightest-first' });
  const found = refusals(tight, 0).changes?.order;
  expect(found).toMatchObject({ from: 'lightest-first', refusedThen: 0 });
  expect(play({ ...tight, order: found!.to }).total.refused).toBe(0);
});

test('too large an envelope is a step of its own, and nobody refused needs no change', () => {
  const large = scenario({
    pool: pool({ capacity: 1_000, quota: 1_000 }),
  });
  expect(refusals(large, 0).steps).toMatchObject({ inadmissible: 10, refused: 0, admitted: 0 });
  expect(refusals(scenario({ pool: pool() }), 0).changes).toBeNull();
  expect(refusals(scenario(), 0)).toMatchObject({ steps: { admitted: 10 }, changes: null });
});
