import { describe, expect, it } from 'vitest';
import { type ClientInput, retryLayers } from '../../src/plan/retries.ts';

const client: ClientInput = {
  attempts: 3,
  timeoutMs: 120_000,
  longestPausesMs: 1_500,
  leastPausesBeforeMs: [0, 500, 1_500],
  timerEndsAtHeaders: false,
  signal: 'honoured',
};
const layers = (over: Partial<ClientInput> = {}, capMs = 120_000) =>
  retryLayers({ workerAttempts: 3, workerPausesMs: 3_000, capMs, client: { ...client, ...over } })!;

describe('retries under retries', () => {
  it('without a client are none', () => {
    expect(
      retryLayers({ workerAttempts: 3, workerPausesMs: 3_000, capMs: 120_000, client: null }),
    ).toBeNull();
  });

  it('multiply where nothing ends the client: 3 × 3 calls, 1,080 s plus backoffs', () => {
    expect(layers()).toEqual({
      workerAttempts: 3,
      clientAttempts: 3,
      callMs: 120_000,
      // 3 × (3 × 120 s + 1.5 s) + 3 s.
      withoutSignal: { calls: 9, jobMs: 1_087_500 },
      withSignal: { calls: 3, jobMs: 363_000 },
      signal: 'honoured',
      timerEndsAtHeaders: false,
    });
  });

  it('of common clients take what the worker grants, not their own ten minutes', () => {
    expect(layers({ timeoutMs: 600_000 })).toMatchObject({
      callMs: 120_000,
      withoutSignal: { jobMs: 1_087_500 },
    });
    expect(layers({ timeoutMs: 600_000 }, 900_000)).toMatchObject({
      callMs: 600_000,
      // 3 × min(900 s, 3 × 600 s + 1.5 s) + 3 s; the second call begins at 600.5 s, the third would at 1,201.5 s.
      withSignal: { calls: 6, jobMs: 2_703_000 },
    });
  });

  it('with a short timer fit more calls into one grant, each with the least of pauses', () => {
    // 0, 50.5 s, 101.5 s.
    expect(layers({ timeoutMs: 50_000 }).withSignal).toEqual({ calls: 9, jobMs: 363_000 });
    // 0, 59.25 s, and 119.5 + 1 s would be too late.
    expect(layers({ timeoutMs: 59_250, leastPausesBeforeMs: [0, 500, 1_500] }).withSignal.calls).toBe(6);
    // Nothing is left to end: 3 × (3 × 10 s + 1.5 s) + 3 s either way.
    const short = layers({ timeoutMs: 10_000 });
    expect(short.withSignal).toEqual({ calls: 9, jobMs: 97_500 });
    expect(short.withoutSignal).toEqual(short.withSignal);
  });

  it('do not begin a call at the very end of the grant', () => {
    expect(layers({ timeoutMs: 60_000, leastPausesBeforeMs: [0, 0, 0] }).withSignal.calls).toBe(6);
  });
});
