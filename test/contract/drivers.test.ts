// One worker, two drivers: whatever a night's script of answers is, the live driver and the simulated one do
// the same things at the same times, word for word, and come to the same end. What a simulation says of the
// worker is true of the worker because of this.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NightScript, scripts } from '../../src/testing/scripts.ts';
import { driveLive, driveSimulated } from './driven-night.ts';

const nights = Number(process.env.PLIMSOLL_DRIVEN_NIGHTS ?? 300);

/**
 * A script: no more than what a driver answers. Whatever takes time takes a millisecond at least, as any timer
 * does in production; an operation without an answer has had no effect, for production hears of one that had
 * only at its next look.
 */
const script: fc.Arbitrary<NightScript> = scripts.map((night) => ({
  ...night,
  strangers: [],
  turns: [],
  wallSteps: [],
  crash: undefined,
  outages: night.outages.map((outage) => ({ ...outage, tookEffect: false })),
  jobs: night.jobs.map((job) => ({
    ...job,
    calls: job.calls.map((call) => ({ ...call, elapsedMs: call.elapsedMs + 1 })),
    write: { ...job.write, takesMs: job.write.takesMs + 1 },
  })),
}));

describe('the live driver and the simulated driver', () => {
  it('for any script of answers, give the same trace and the same result', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (night) => {
        expect(await driveLive(night)).toEqual(driveSimulated(night));
      }),
      { numRuns: nights, includeErrorInReport: true },
    );
  });

  it('are compared on scripts that meet everything a driver answers', () => {
    const traces = fc
      .sample(script, { numRuns: 2_000, seed: 1 })
      .flatMap((night) => Object.values(driveSimulated(night).traces).flat());
    const kinds = new Set(traces.map((line) => /"kind":"([\w-]+)"/.exec(line)?.[1]));
    expect([...kinds].sort()).toEqual([
      'call',
      'checkpoint',
      'dispatch',
      'extend-to',
      'leave',
      'reclaim',
      'release',
      'renew',
      'reserve',
      'settle',
      'sleep',
      'take',
      'tokens-returned',
    ]);
    for (const word of [
      '"until"',
      '"moved"',
      '"holdLost":true',
      '"unavailable"',
      '"written":false',
      '"barred"',
    ]) {
      expect([word, traces.some((line) => line.includes(word))]).toEqual([word, true]);
    }
  });
});
