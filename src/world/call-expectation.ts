// What one call takes and costs on average when it is granted the whole cap, from the provider's
// distributions. Exact but for how often output × time per token runs past the cap, which is summed on a
// grid of quantiles.

import type { Latency } from '../scenario/scenario.ts';
import type { Distribution } from '../sim/distribution.ts';

/** A call that is neither hung nor ended early by a server error. */
export interface CallExpectation {
  /** Probability that it has not answered by the cap. */
  readonly lateRatio: number;
  /** E[min(latency, cap)]. */
  readonly meanMs: number;
  /** E[output; answered by the cap]: late calls bring no output that anybody could count. */
  readonly meanOutputInTime: number;
}

/** Equal shares of the draws, the topmost halved again and again: tails are where caps cut. A power of two. */
const EQUAL_SHARES = 128;
const TAIL_HALVINGS = 16;

export function expectCall(latency: Latency, output: Distribution, capMs: number): CallExpectation {
  switch (latency.kind) {
    case 'whole-grant':
      return { lateRatio: 0, meanMs: capMs, meanOutputInTime: output.mean() };
    case 'direct': {
      const inTime = latency.call.cdf(capMs);
      return {
        lateRatio: 1 - inTime,
        meanMs: meanUpTo(latency.call, capMs),
        meanOutputInTime: inTime === 0 ? 0 : inTime * output.mean(),
      };
    }
    case 'by-token':
      return byToken(latency.firstToken, latency.perToken, output, capMs);
  }
}

/** E[min(X, limit)], exactly: the part below the limit, and the limit for all that is above. */
export function meanUpTo(distribution: Distribution, limit: number): number {
  return distribution.partialMean(limit) + limit * (1 - distribution.cdf(limit));
}

/**
 * Latency = first token + output × per token, the three independent. Its mean is exact, and only what the
 * cap cuts off is summed: over a grid of output and time per token, exactly in the first token.
 */
function byToken(
  firstToken: Distribution,
  perToken: Distribution,
  output: Distribution,
  capMs: number,
): CallExpectation {
  const outputs = gridOf(output);
  const paces = gridOf(perToken);
  let late = 0;
  let cappedMs = 0;
  let lateOutput = 0;
  let uncappedMs = 0;
  for (const tokens of outputs) {
    for (const pace of paces) {
      const share = tokens.share * pace.share;
      const generatingMs = tokens.value * pace.value;
      const left = capMs - generatingMs;
      const lateHere = left < 0 ? 1 : 1 - firstToken.cdf(left);
      late += share * lateHere;
      lateOutput += share * lateHere * tokens.value;
      cappedMs += share * (left < 0 ? capMs : generatingMs + meanUpTo(firstToken, left));
      uncappedMs += share * generatingMs;
    }
  }
  uncappedMs += firstToken.mean();
  const exactMs = firstToken.mean() + output.mean() * perToken.mean();
  const cutOff = uncappedMs - cappedMs;
  return {
    lateRatio: late,
    meanMs: Math.min(capMs, Number.isFinite(exactMs) ? exactMs - cutOff : cappedMs),
    meanOutputInTime: Math.max(0, output.mean() - lateOutput),
  };
}

interface GridPoint {
  /** Of all draws, from 0 to 1. */
  readonly share: number;
  /** The quantile in the middle of the share. */
  readonly value: number;
}

function gridOf(distribution: Distribution): readonly GridPoint[] {
  const points: GridPoint[] = [];
  const add = (from: number, to: number) =>
    points.push({ share: to - from, value: distribution.quantile((from + to) / 2) });
  for (let k = 0; k < EQUAL_SHARES - 1; k += 1) add(k / EQUAL_SHARES, (k + 1) / EQUAL_SHARES);
  let top = 1 / EQUAL_SHARES;
  for (let halving = 0; halving < TAIL_HALVINGS; halving += 1) {
    add(1 - top, 1 - top / 2);
    top /= 2;
  }
  add(1 - top, 1);
  return points;
}
