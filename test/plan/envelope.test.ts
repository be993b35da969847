import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeTokens, expectedUnspentRatio, inFlightCeiling, meanShare } from '../../src/plan/envelope.ts';

describe('an envelope', () => {
  it('pays for one prompt per attempt, one answer per attempt and the overhead', () => {
    const job = { qInput: 6_000, qOutput: 1_000, fanout: 2, attempts: 2, overhead: 50 };
    expect(envelopeTokens(job)).toBe(14_050);
    expect(envelopeTokens({ ...job, fanout: 1 })).toBe(8_050);
  });

  it('rounds each part up to whole tokens', () => {
    const job = { qInput: 3, qOutput: 0, fanout: 1.4, attempts: 2, overhead: 0 };
    expect(envelopeTokens(job)).toBe(5);
    expect(envelopeTokens({ ...job, qOutput: 1, attempts: 3 })).toBe(8);
  });

  it('is no token larger for what a double cannot say: 6,000 × 1.1 is 6,600', () => {
    expect(6_000 * 1.1).toBeGreaterThan(6_600);
    expect(envelopeTokens({ qInput: 6_000, qOutput: 0, fanout: 1.1, attempts: 1, overhead: 0 })).toBe(6_600);
  });
});

describe('the in-flight ceiling', () => {
  it('for any pool and envelope, is the last number of envelopes that fits', () => {
    const tokens = fc.integer({ min: 0, max: 1e12 });
    fc.assert(
      fc.property(tokens, fc.integer({ min: 1, max: 1e6 }), (pool, envelope) => {
        const ceiling = inFlightCeiling(pool, envelope)!;
        return ceiling * envelope <= pool && (ceiling + 1) * envelope > pool;
      }),
    );
  });

  it('of an envelope of nothing is no number', () => {
    expect(inFlightCeiling(10, 0)).toBeNull();
  });
});

describe('the unspent ratio by construction', () => {
  it('is the part of the envelope that the mean job leaves', () => {
    expect(expectedUnspentRatio(3_500, 14_000)).toBe(0.75);
  });

  it('is nothing where the mean job uses more than its envelope, and no number without one', () => {
    expect(expectedUnspentRatio(20_000, 14_000)).toBe(0);
    expect(expectedUnspentRatio(Number.POSITIVE_INFINITY, 14_000)).toBe(0);
    expect(expectedUnspentRatio(0, 0)).toBeNull();
  });
});

it('a share of a pool among no jobs is no number', () => {
  expect(meanShare(10, 4)).toBe(2.5);
  expect(meanShare(10, 0)).toBeNull();
});
