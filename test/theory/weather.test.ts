// Weather against the trace that it was chosen from: one hour of conversations, whose outputs have a slow level
// in common. The trace is not part of the project: where it is absent, this says so and is skipped.

import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import type { ScenarioWeather } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { empirical } from '../../src/sim/distributions/empirical.ts';
import { Draws } from '../../src/world/draws.ts';
import { jobClass, scenario } from '../world/scenario-fixture.ts';

const trace = new URL('../../../shared/data/azure-llm-2023/AzureLLMInferenceTrace_conv.csv', import.meta.url);

const CALLS = 19_366;
const IN_A_ROW = 1_000;
const TRACES = 200;
/** What docs/weather.md gives for this trace. */
const CONVERSATION: ScenarioWeather = {
  latency: undefined,
  output: { strength: 0.15, lastsJobs: 4_000, shared: 'class' },
  store: undefined,
};

function outputsOfTrace(): readonly number[] {
  const rows = readFileSync(trace, 'utf8').split(/\r?\n/).slice(1);
  return rows.filter((row) => row !== '').map((row) => Number(row.split(',')[2]));
}

function simulated(outputs: readonly number[], weather: ScenarioWeather | undefined, replication: number) {
  const one = jobClass({
    count: CALLS,
    tokens: { kind: 'independent', input: constant(1), output: empirical(outputs) },
  });
  const draws = new Draws(new RandomRoot('conversations'), replication, scenario({ jobs: [one], weather }));
  return Float64Array.from({ length: CALLS }, (_, ordinal) =>
    draws.outputTokens(draws.job(one, 1, ordinal), 1),
  );
}

/** The p99.9 of the sums of 1,000 calls in a row, over their mean. */
function burden(outputs: ArrayLike<number>): number {
  const sums: number[] = [];
  let sum = 0;
  for (let i = 0; i < outputs.length; i += 1) {
    sum += outputs[i]! - (i < IN_A_ROW ? 0 : outputs[i - IN_A_ROW]!);
    if (i >= IN_A_ROW - 1) sums.push(sum);
  }
  const mean = sums.reduce((total, one) => total + one, 0) / sums.length;
  return sums.sort((one, other) => one - other)[Math.ceil(0.999 * sums.length) - 1]! / mean;
}

function autocorrelation(outputs: ArrayLike<number>, lag: number): number {
  const values = Array.from(outputs);
  const mean = values.reduce((total, one) => total + one, 0) / values.length;
  const off = values.map((value) => value - mean);
  const product = (by: number) => off.reduce((total, value, i) => total + value * (off[i + by] ?? 0), 0);
  return product(lag) / product(0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2;
}

describe.skipIf(!existsSync(trace))('the conversation trace (skipped where it is absent)', () => {
  let outputs: readonly number[] = [];
  let inWeather: readonly Float64Array[] = [];
  let without: readonly Float64Array[] = [];

  beforeAll(() => {
    outputs = outputsOfTrace();
    const traces = (weather: ScenarioWeather | undefined) =>
      Array.from({ length: TRACES }, (_, replication) => simulated(outputs, weather, replication));
    inWeather = traces(CONVERSATION);
    without = traces(undefined);
  });

  it('says itself how much more a thousand calls in a row use than on average', () => {
    expect(outputs.length).toBe(CALLS);
    expect(burden(outputs)).toBeCloseTo(1.4, 1);
  });

  it('is like the traces that are simulated in its weather, and unlike those without', () => {
    const like = median(inWeather.map(burden));
    expect(like).toBeGreaterThan(1.25);
    expect(like).toBeLessThan(1.55);
    expect(median(without.map(burden))).toBeLessThan(1.1);
  });

  it('moves together over hundreds of calls, in life and in weather, and without it does not', () => {
    const mean = (list: readonly Float64Array[], lag: number) =>
      list.slice(0, 60).reduce((total, one) => total + autocorrelation(one, lag), 0) / 60;
    for (const lag of [1, 10, 500]) {
      expect(autocorrelation(outputs, lag)).toBeCloseTo(0.1, 1);
      expect(Math.abs(mean(inWeather, lag) - 0.1)).toBeLessThan(0.05);
      expect(Math.abs(mean(without, lag))).toBeLessThan(0.01);
    }
    expect(mean(inWeather, 2_000)).toBeLessThan(mean(inWeather, 500));
  });

  it('keeps its quantiles, to sampling error, in either', () => {
    const sorted = Float64Array.from(outputs).sort();
    const shareUpTo = (values: ArrayLike<number>, at: number) =>
      Array.from(values).filter((value) => value <= at).length / CALLS;
    for (const list of [without, inWeather]) {
      for (const p of [0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999]) {
        const at = sorted[Math.ceil(p * CALLS) - 1]!;
        const shares = list.map((one) => shareUpTo(one, at));
        const mean = shares.reduce((total, one) => total + one, 0) / TRACES;
        const variance = shares.reduce((total, one) => total + (one - mean) * (one - mean), 0) / (TRACES - 1);
        expect(Math.abs(mean - shareUpTo(outputs, at))).toBeLessThan(4 * Math.sqrt(variance / TRACES));
      }
    }
  });
});
