// Thousands of nights made up at random, each audited as it is played. A failing one is shrunk: what is
// printed is the shortest night that still fails, with the seed and the path that replay it.
//   PLIMSOLL_FUZZ_NIGHTS=100000 npx vitest run test/world/fuzz.test.ts

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scripts } from '../../src/testing/scripts.ts';
import { playFuzzNight } from './fuzz-play.ts';

const nights = Number(process.env.PLIMSOLL_FUZZ_NIGHTS ?? 3_000);

describe('a worker’s night', () => {
  it('for any troubles, ends with every job accounted for and the books in order', () => {
    fc.assert(
      fc.property(scripts, (night) => {
        playFuzzNight(night);
      }),
      { numRuns: nights, includeErrorInReport: true },
    );
  });

  it('for any troubles, comes out the same when it is played again', () => {
    fc.assert(
      fc.property(scripts, (night) => {
        const { outcomes, holds } = playFuzzNight(night);
        expect(playFuzzNight(night)).toMatchObject({ outcomes, holds });
      }),
      { numRuns: Math.ceil(nights / 20), includeErrorInReport: true },
    );
  });
});

describe('the nights made up', () => {
  it('meet everything that can happen to a worker', () => {
    const met = new Set<string>();
    for (const night of fc.sample(scripts, { numRuns: 5_000, seed: 1 })) {
      for (const one of playFuzzNight(night).met) met.add(one);
    }
    expect(EVERYTHING.filter((one) => !met.has(one))).toEqual([]);
  });
});

const EVERYTHING = [
  ...['done', 'deferred', 'refused', 'inadmissible', 'failed', 'unknown', 'lostWrite'],
  'reserve id-reused',
  ...['reserve granted', 'reserve paused', 'reserve exceeds-capacity', 'reserve insufficient'],
  ...[
    'dispatch dispatched',
    'dispatch closed',
    'dispatch lease-expired',
    'release released',
    'release closed',
  ],
  ...['renew renewed', 'renew closed', 'renew lease-limit', 'settle settled', 'settle late'],
  ...['reserve', 'dispatch', 'renew', 'extend-to', 'release', 'settle', 'reclaim'].map(
    (one) => `${one} unavailable`,
  ),
  ...['extended', 'insufficient', 'paused', 'exceeds-capacity', 'row-closed'].map(
    (one) => `extend-to ${one}`,
  ),
  'pause of the process',
  ...['take job', 'take barred', 'take empty', 'tokens-returned moved', 'tokens-returned until'],
  ...['ok', 'invalid', 'rate-limited', 'server-error', 'rejected', 'threw', 'timed-out'],
  ...['hold lost in mid-call', 'failed write', 'stall', 'crash', 'wall step', 'claim lapsed'],
  ...['stranger settle', 'stranger release', 'pause', 'resume', 'refill', 'adjust'],
];
