import { describe, expect, it } from 'vitest';
import { capacityBounds, smallestBound } from '../../src/plan/capacity.ts';

const classes = [
  { count: 300, meanJobMs: 10_000, meanConsumedTokens: 2_000 },
  { count: 100, meanJobMs: 30_000, meanConsumedTokens: 10_000 },
];
const input = {
  classes,
  lanes: 8,
  windowMs: 3_045_000,
  reserveMs: 45_000,
  tokensPerNight: 10_000_000,
  writers: 2,
  meanWriteMs: 50,
};

describe('the capacity bounds', () => {
  it('are lanes, pool and writers, each over what a mean job takes of it', () => {
    // A mean job: (300 × 10 s + 100 × 30 s) ÷ 400 = 15 s; (300 × 2,000 + 100 × 10,000) ÷ 400 = 4,000 tokens.
    expect(capacityBounds(input)).toEqual([
      { name: 'lanes', jobsPerNight: (8 * 3_000_000) / 15_000 },
      { name: 'pool', jobsPerNight: 2_500 },
      { name: 'writers', jobsPerNight: 121_800 },
    ]);
    expect(smallestBound(capacityBounds(input))).toEqual({ name: 'lanes', jobsPerNight: 1_600 });
  });

  it('are none where nothing is limited', () => {
    const free = classes.map(({ count }) => ({ count, meanJobMs: 0, meanConsumedTokens: null }));
    const bounds = capacityBounds({ ...input, classes: free, tokensPerNight: null, meanWriteMs: 0 });
    expect(bounds.map(({ jobsPerNight }) => jobsPerNight)).toEqual([null, null, null]);
    expect(smallestBound(bounds)).toBeUndefined();
  });

  it('are nothing, not less, where the reserve is the whole window', () => {
    const lanes = capacityBounds({ ...input, reserveMs: 9_000_000 })[0];
    expect(lanes).toEqual({ name: 'lanes', jobsPerNight: 0 });
  });

  it('look past a class without jobs, even one whose mean does not exist', () => {
    const idle = { count: 0, meanJobMs: 1, meanConsumedTokens: null };
    expect(capacityBounds({ ...input, classes: [...classes, idle] })).toEqual(capacityBounds(input));
  });
});
