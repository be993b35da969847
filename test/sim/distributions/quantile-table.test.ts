import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type QuantilePoint, quantileTable } from '../../../src/sim/distributions/quantile-table.ts';
import { integrate } from './integrate.ts';

/** Any table: steps in p and x, some of the latter 0, from a start that may be 0. */
const table = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 100 }),
      fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1e6, noNaN: true })),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .chain((steps) =>
    fc
      .oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1e3, noNaN: true }))
      .map((start): QuantilePoint[] => {
        const total = steps.reduce((sum, [width]) => sum + width, 0);
        const points = [{ p: 0, x: start }];
        let width = 0;
        let x = start;
        for (const [step, rise] of steps) {
          width += step;
          x += rise;
          points.push({ p: width / total, x });
        }
        return points;
      }),
  );

describe('the quantile table', () => {
  it('for any table, every stated quantile comes back to the last bit', () => {
    fc.assert(
      fc.property(table, (points) => {
        const distribution = quantileTable(points);
        expect(points.map(({ p }) => distribution.quantile(p))).toEqual(points.map(({ x }) => x));
      }),
    );
  });

  it('for any table, the mean is the area under its quantiles, by numeric integration to 1e-9', () => {
    fc.assert(
      fc.property(table, (points) => {
        const distribution = quantileTable(points);
        const area = integrate(
          (p) => distribution.quantile(p),
          0,
          1,
          points.map(({ p }) => p),
        );
        expect(Math.abs(distribution.mean() - area)).toBeLessThanOrEqual(
          1e-9 * Math.max(1e-9, points.at(-1)!.x),
        );
      }),
    );
  });

  it('for any table and p, the CDF at the quantile is p, or more where the table is flat', () => {
    fc.assert(
      fc.property(table, fc.double({ min: 0, max: 1, noNaN: true }), (points, p) => {
        const distribution = quantileTable(points);
        const x = distribution.quantile(p);
        expect(distribution.cdf(x * (1 + 1e-12))).toBeGreaterThanOrEqual(p - 1e-9);
        if (x > 0) expect(distribution.cdf(x * (1 - 1e-12))).toBeLessThanOrEqual(p + 1e-9);
      }),
    );
  });

  it('between two points ln x is linear in p; from 0 upwards x is', () => {
    const distribution = quantileTable([
      { p: 0, x: 0 },
      { p: 0.5, x: 100 },
      { p: 1, x: 400 },
    ]);
    expect(distribution.quantile(0.125)).toBe(25);
    expect(distribution.quantile(0.75)).toBeCloseTo(200, 10);
    // By hand: half of the mass is uniform up to 100, half has the mean (400 − 100)/ln 4.
    expect(distribution.mean()).toBeCloseTo(0.5 * 50 + 0.5 * (300 / Math.log(4)), 12);
  });

  it('a flat piece is an atom: all of its mass lies at its value', () => {
    const distribution = quantileTable([
      { p: 0, x: 10 },
      { p: 0.25, x: 10 },
      { p: 1, x: 20 },
    ]);
    expect([distribution.cdf(9.999), distribution.cdf(10)]).toEqual([0, 0.25]);
    expect([distribution.partialMean(9.999), distribution.partialMean(10)]).toEqual([0, 2.5]);
  });

  it('takes its points in any order, and says them in order', () => {
    const points = [
      { p: 1, x: 9 },
      { p: 0.999, x: 8 },
      { p: 0, x: 1 },
    ];
    expect(quantileTable(points).describe()).toBe('quantiles p0 1, p99.9 8, p100 9');
  });

  it.each([
    [[{ p: 0, x: 1 }], 'too short'],
    [
      [
        { p: 0.1, x: 1 },
        { p: 1, x: 2 },
      ],
      'no minimum',
    ],
    [
      [
        { p: 0, x: 1 },
        { p: 0.9, x: 2 },
      ],
      'no maximum',
    ],
    [
      [
        { p: 0, x: 1 },
        { p: 0.5, x: 2 },
        { p: 0.5, x: 3 },
        { p: 1, x: 4 },
      ],
      'given twice',
    ],
    [
      [
        { p: 0, x: 1 },
        { p: 0.5, x: 3 },
        { p: 1, x: 2 },
      ],
      'the quantile at 1 is below the one at 0.5',
    ],
    [
      [
        { p: 0, x: -1 },
        { p: 1, x: 2 },
      ],
      'out of range',
    ],
    [
      [
        { p: 0, x: 1 },
        { p: 1, x: Number.NaN },
      ],
      'out of range',
    ],
    [
      [
        { p: 0, x: 1 },
        { p: Number.NaN, x: 1 },
        { p: 1, x: 2 },
      ],
      'between 0 and 1',
    ],
  ])('refuses %j: %s', (points, message) => {
    expect(() => quantileTable(points)).toThrow(message);
  });
});
