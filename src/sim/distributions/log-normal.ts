// The log-normal distribution, by whichever two facts its author knows. What was stated comes back to the
// last bit: whoever writes a p95 of 6000 must read 6000 in every table.

import type { Distribution } from '../distribution.ts';
import { normalCdf, normalQuantile } from '../special-functions.ts';
import { requirePositive, requireThat } from './parameters.ts';

const Z95 = normalQuantile(0.95);

/** By its median and 95 % quantile. @param stated above 0, p50 ≤ p95; equal ones make a constant */
export function p50p95({ p50, p95 }: { readonly p50: number; readonly p95: number }): Distribution {
  requirePositive('p50', p50);
  requirePositive('p95', p95);
  requireThat(p50 <= p95, 'p50 is above p95', `p50 at most ${p95}`, String(p50));
  return build(p50, Math.log(p95 / p50) / Z95, [{ p: 0.95, x: p95 }], `p50 ${p50}, p95 ${p95}`);
}

/** By its 5 % and 95 % quantiles: `5 s to 40 s`. @param range above 0, from ≤ to; equal ones make a constant */
export function fromTo({ from, to }: { readonly from: number; readonly to: number }): Distribution {
  requirePositive('from', from);
  requirePositive('to', to);
  requireThat(from <= to, 'the range runs backwards', `a start at most ${to}`, String(from));
  const median = from === to ? from : Math.sqrt(from) * Math.sqrt(to);
  const ends = [
    { p: 0.05, x: from },
    { p: 0.95, x: to },
  ];
  return build(median, Math.log(to / from) / (2 * Z95), ends, `${from} to ${to}`);
}

/**
 * By the mean and standard deviation of its logarithm, or by its own.
 *
 * @param facts `sigma` or `sd` from 0; `mean` above 0
 */
export function logNormal(
  facts: { readonly mu: number; readonly sigma: number } | { readonly mean: number; readonly sd: number },
): Distribution {
  if ('mu' in facts) {
    const { mu, sigma } = facts;
    requireThat(Number.isFinite(mu), 'mu is out of range', 'a number', String(mu));
    requireThat(
      sigma >= 0 && Number.isFinite(sigma),
      'sigma is out of range',
      'a number, 0 or more',
      String(sigma),
    );
    return build(Math.exp(mu), sigma, [], `log-normal with mu ${mu}, sigma ${sigma}`);
  }
  const { mean, sd } = facts;
  requirePositive('mean', mean);
  requireThat(sd >= 0 && Number.isFinite(sd), 'sd is out of range', 'a number, 0 or more', String(sd));
  // sigma² = ln(1 + (sd/mean)²); Aitchison & Brown (1957), §2.3
  const spread = 1 + (sd / mean) * (sd / mean);
  const description = `log-normal with mean ${mean}, sd ${sd}`;
  return build(mean / Math.sqrt(spread), Math.sqrt(Math.log(spread)), [], description, mean);
}

/** A quantile that was stated, beside the median. */
interface Stated {
  readonly p: number;
  readonly x: number;
}

function build(
  median: number,
  sigma: number,
  stated: readonly Stated[],
  description: string,
  mean = median * Math.exp((sigma * sigma) / 2),
): Distribution {
  const standard = (x: number): number => Math.log(x / median) / sigma;
  return {
    quantile: (p) => {
      if (sigma === 0) return median;
      // A factor on the median, which so is itself, and never on the wrong side of its neighbours.
      let x = median * Math.exp(sigma * normalQuantile(p));
      for (const anchor of stated) {
        if (p === anchor.p || (p < anchor.p ? x > anchor.x : x < anchor.x)) x = anchor.x;
      }
      return x;
    },
    mean: () => mean,
    cdf: (x) => (sigma === 0 ? (x >= median ? 1 : 0) : x <= 0 ? 0 : normalCdf(standard(x))),
    // mean · Φ(z − sigma); Aitchison & Brown (1957), §2.7
    partialMean: (x) =>
      sigma === 0 ? (x >= median ? median : 0) : x <= 0 ? 0 : mean * normalCdf(standard(x) - sigma),
    describe: () => description,
  };
}
