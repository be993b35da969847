import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MixInput, mixAdmitted } from '../../src/plan/admission-mix.ts';

const mixes: fc.Arbitrary<MixInput> = fc.record({
  classes: fc.array(
    fc.record({ count: fc.integer({ min: 0, max: 20 }), envelope: fc.integer({ min: 0, max: 50 }) }),
    { maxLength: 6 },
  ),
  poolTokens: fc.integer({ min: 0, max: 500 }),
  order: fc.constantFrom('listed' as const, 'heaviest-first' as const, 'lightest-first' as const),
  backfill: fc.constantFrom('smaller' as const, 'none' as const),
});

/** Job by job, as the first pass of the lanes would go. */
function jobByJob({ classes, poolTokens, order, backfill }: MixInput): {
  admitted: number;
  reservedTokens: number;
} {
  const queue = classes.flatMap(({ count, envelope }) => new Array<number>(count).fill(envelope));
  if (order === 'heaviest-first') queue.sort((a, b) => b - a);
  if (order === 'lightest-first') queue.sort((a, b) => a - b);
  let left = poolTokens;
  let admitted = 0;
  for (const envelope of queue) {
    if (envelope > poolTokens) continue;
    if (envelope > left) {
      if (backfill === 'none') break;
      continue;
    }
    left -= envelope;
    admitted += 1;
  }
  return { admitted, reservedTokens: poolTokens - left };
}

describe('the mix admitted at once', () => {
  it('for any classes in any fixed order, is what admitting job by job comes to', () => {
    fc.assert(
      fc.property(mixes, (mix) => {
        expect(mixAdmitted(mix)).toMatchObject(jobByJob(mix));
      }),
      { numRuns: 1000 },
    );
  });

  it('for any shuffled mix, fits the pool, and leaves too little for any job left out that may backfill', () => {
    fc.assert(
      fc.property(mixes, (mix) => {
        const { admitted, reservedTokens, jobs } = mixAdmitted({
          ...mix,
          order: 'shuffled',
          backfill: 'smaller',
        });
        const fitting = mix.classes.filter(({ count, envelope }) => count > 0 && envelope <= mix.poolTokens);
        const admissible = fitting.reduce((sum, { count }) => sum + count, 0);
        const largest = Math.max(0, ...fitting.map(({ envelope }) => envelope));
        expect(jobs).toBe(mix.classes.reduce((sum, { count }) => sum + count, 0));
        expect(reservedTokens).toBeLessThanOrEqual(mix.poolTokens);
        if (admitted < admissible) expect(mix.poolTokens - reservedTokens).toBeLessThan(largest);
        else expect(admitted).toBe(admissible);
      }),
    );
  });

  it('shuffled, is each class in its proportion', () => {
    const classes = [
      { count: 100, envelope: 30 },
      { count: 100, envelope: 10 },
    ];
    const mix = { classes, poolTokens: 2_000, backfill: 'none' as const };
    expect(mixAdmitted({ ...mix, order: 'shuffled' })).toEqual({
      admitted: 100,
      reservedTokens: 2_000,
      jobs: 200,
    });
    expect(mixAdmitted({ ...mix, order: 'listed' }).admitted).toBe(66);
    expect(mixAdmitted({ ...mix, order: 'lightest-first' }).admitted).toBe(133);
  });

  it('shuffled, what the proportions leave over goes to smaller jobs, if those may pass', () => {
    const classes = [
      { count: 10, envelope: 30 },
      { count: 10, envelope: 10 },
    ];
    const mix = { classes, poolTokens: 250, order: 'shuffled' as const };
    expect(mixAdmitted({ ...mix, backfill: 'none' })).toMatchObject({ admitted: 12, reservedTokens: 240 });
    expect(mixAdmitted({ ...mix, backfill: 'smaller' })).toMatchObject({ admitted: 13, reservedTokens: 250 });
  });
});
