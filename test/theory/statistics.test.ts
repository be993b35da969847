// Intervals and quantiles against values that others computed (statistics.json says who), to 1e-9.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { binomialUpperTail } from '../../src/base/binomial.ts';
import { proportionBounds, trialsToShow } from '../../src/study/estimates/proportion-bounds.ts';
import { studentTQuantile } from '../../src/study/estimates/student-t.ts';

interface Statistics {
  readonly clopperPearson: readonly {
    readonly events: number;
    readonly n: number;
    readonly confidence: number;
    readonly lower: number;
    readonly upper: number;
    readonly oneSidedUpper: number;
  }[];
  readonly nightsToShow: readonly {
    readonly target: number;
    readonly confidence: number;
    readonly nightsByFailures: readonly number[];
  }[];
  readonly quantileIntervalCoverage: readonly {
    readonly n: number;
    readonly p: number;
    readonly lowerRank: number;
    readonly upperRank: number;
    readonly coverage: number;
  }[];
  readonly studentT: readonly { readonly df: number; readonly p: number; readonly quantile: number }[];
}

const oracle: Statistics = JSON.parse(readFileSync(new URL('statistics.json', import.meta.url), 'utf8'));
const near = (value: number, expected: number) => expect(Math.abs(value - expected)).toBeLessThan(1e-9);

describe('the exact bounds of a proportion', () => {
  test.each(oracle.clopperPearson)('are known for $events of $n at $confidence', (known) => {
    const { events, n, confidence } = known;
    const alpha = 1 - confidence;
    const twoSided = proportionBounds(events, n, alpha / 2);
    near(twoSided.lower, known.lower);
    near(twoSided.upper, known.upper);
    near(proportionBounds(events, n, alpha).upper, known.oneSidedUpper);
  });
});

test.each(oracle.nightsToShow)('nights to show $target are known for every number of failures', (known) => {
  const { target, confidence, nightsByFailures } = known;
  const nights = nightsByFailures.map((_, failures) => trialsToShow(target, failures, 1 - confidence));
  expect(nights).toEqual(nightsByFailures);
});

test.each(oracle.quantileIntervalCoverage)(
  'ranks $lowerRank and $upperRank of $n cover their quantile as often as they should',
  ({ n, p, lowerRank, upperRank, coverage }) => {
    near(binomialUpperTail(lowerRank, n, p) - binomialUpperTail(upperRank, n, p), coverage);
  },
);

/**
 * Two of the oracle’s quantiles are off by up to 3.4e-9, as its source was. These are from the closed form for odd
 * degrees (Abramowitz and Stegun, 26.7.3) in fifty decimals.
 */
const IN_FIFTY_DECIMALS = new Map([
  ['9 0.995', 3.249835541592126],
  ['29 0.9', 1.3114336473015511],
]);

test.each(oracle.studentT)(
  "the $p quantile of Student's t with $df degrees is known",
  ({ df, p, quantile }) => {
    const better = IN_FIFTY_DECIMALS.get(`${df} ${p}`);
    if (better !== undefined) expect(Math.abs(better - quantile)).toBeLessThan(4e-9);
    near(studentTQuantile(p, df), better ?? quantile);
    near(studentTQuantile(1 - p, df), -(better ?? quantile));
  },
);
