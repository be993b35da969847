import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../../src/base/random-streams.ts';
import { empirical } from '../../../src/sim/distributions/empirical.ts';
import { quantileRanks } from './order-statistics.ts';

const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 60 });

describe('a column of values', () => {
  it('for any column and rank k, the quantile at k/n is the k-th smallest value', () => {
    fc.assert(
      fc.property(values, (column) => {
        const distribution = empirical(column);
        const sorted = [...column].sort((a, b) => a - b);
        const ranks = sorted.map((_, i) => i + 1);
        expect(ranks.map((k) => distribution.quantile(k / sorted.length))).toEqual(sorted);
        expect(distribution.quantile(0)).toBe(sorted[0]);
        // The next double above k/n already belongs to the next value.
        const beyond = ranks.slice(0, -1).map((k) => (k / sorted.length) * (1 + Number.EPSILON));
        expect(beyond.map(distribution.quantile)).toEqual(sorted.slice(1));
      }),
    );
  });

  it('for any column and p, the quantile is the smallest value whose CDF reaches p', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 2 ** -54, max: 1, noNaN: true }), (column, p) => {
        const distribution = empirical(column);
        const reached = column.filter((x) => distribution.cdf(x) >= p);
        expect(distribution.quantile(p)).toBe(Math.min(...reached));
      }),
    );
  });

  it('for any column, CDF, mean and partial mean are counts and sums of its values', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: -1, max: 51 }), (column, x) => {
        const distribution = empirical(column);
        const upTo = column.filter((value) => value <= x);
        const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);
        expect(distribution.mean()).toBe(sum(column) / column.length);
        expect(distribution.cdf(x)).toBe(upTo.length / column.length);
        expect(distribution.partialMean(x)).toBe(sum(upTo) / column.length);
      }),
    );
  });

  it('the mean keeps what adding one by one would lose', () => {
    expect(empirical(new Array<number>(100_000).fill(0.1)).mean()).toBe(0.1);
  });

  it('the hundred percentiles of a hundred values are those values, whatever 100 × 0.07 rounds to', () => {
    const distribution = empirical(Array.from({ length: 100 }, (_, i) => i + 1));
    for (let percent = 1; percent <= 100; percent++) {
      expect(distribution.quantile(Number(`${percent}e-2`))).toBe(percent);
    }
  });

  it('refuses an empty column, a negative value and what is no number', () => {
    expect(() => empirical([])).toThrow('a column is empty');
    expect(() => empirical([3, -1])).toThrow('out of range');
    expect(() => empirical([3, Number.NaN, 1])).toThrow('out of range');
    expect(() => empirical([3, Number.POSITIVE_INFINITY])).toThrow('out of range');
  });
});

const DATA = new URL('../../../../shared/data/', import.meta.url);
const present = existsSync(new URL('reference.json', DATA));
const note = present ? '' : ' (SKIPPED: the traces are not beside this checkout, in ../shared/data)';

describe.each(['code', 'conv'])(`the Azure 2023 trace, %s${note}`, (name) => {
  describe.each(['ContextTokens', 'GeneratedTokens'])('%s', (column) => {
    it.skipIf(!present)('has the mean and the nearest-rank quantiles of the reference', () => {
      const { distribution, reference } = readTrace(name, column);
      expect(distribution.quantile(0)).toBe(reference.min);
      expect(distribution.quantile(1)).toBe(reference.max);
      expect(relativeError(distribution.mean(), reference.mean)).toBeLessThan(1e-9);
      expect(Object.fromEntries(RANKS.map(([key, p]) => [key, distribution.quantile(p)]))).toEqual(
        reference.nearestRank,
      );
    });

    it.skipIf(!present)('20,000 draws put each of them inside its 99.9 % order-statistic interval', () => {
      const { distribution, reference } = readTrace(name, column);
      const stream = new RandomRoot('azure').stream(0, `${name} ${column}`);
      const draws = Float64Array.from({ length: 20_000 }, (_, i) =>
        distribution.quantile(stream.uniform(0, i)),
      ).sort();
      for (const [key, p] of RANKS) {
        const { lower, upper } = quantileRanks(draws.length, p);
        expect(draws[lower - 1]).toBeLessThanOrEqual(reference.nearestRank[key]);
        expect(draws[upper - 1]).toBeGreaterThanOrEqual(reference.nearestRank[key]);
      }
    });
  });
});

const RANKS = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p99', 0.99],
  ['p999', 0.999],
] as const;

interface Reference {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  readonly nearestRank: Readonly<Record<(typeof RANKS)[number][0], number>>;
}

function readTrace(
  name: string,
  column: string,
): { distribution: ReturnType<typeof empirical>; reference: Reference } {
  const csv = readFileSync(new URL(`azure-llm-2023/AzureLLMInferenceTrace_${name}.csv`, DATA), 'utf8');
  const rows = parse(csv, { columns: true }) as Record<string, string>[];
  const references = JSON.parse(readFileSync(new URL('reference.json', DATA), 'utf8'));
  return {
    distribution: empirical(rows.map((row) => Number(row[column]))),
    reference: references[`azure-llm-2023/${name}`][column],
  };
}

function relativeError(value: number, reference: number): number {
  return Math.abs(value / reference - 1);
}
