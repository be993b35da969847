// The quantile tables in the shipped scenario against the traces they were made from. The traces are not
// part of the project: where they are absent, this says so and is skipped.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import type { Distribution } from '../../src/sim/distribution.ts';

const traces = new URL('../../../shared/data/reference.json', import.meta.url);

interface Column {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  readonly nearestRank: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99' | 'p999', number>>;
}

const POINTS = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 };

/** `scale`: what one in the trace is worth in the scenario; `digits`: to how many the table was rounded. */
function holdsTo(table: Distribution, column: Column, scale: number, digits: number): void {
  const isNear = (got: number, wanted: number) =>
    expect(Math.abs(got / (wanted * scale) - 1)).toBeLessThanOrEqual(digits === 0 ? 0 : 5 * 0.1 ** digits);
  for (const [name, p] of Object.entries(POINTS)) {
    isNear(table.quantile(p), column.nearestRank[name as keyof typeof POINTS]);
  }
  isNear(table.quantile(0), column.min);
  isNear(table.quantile(1), column.max);
  expect(Math.abs(table.mean() / (column.mean * scale) - 1)).toBeLessThan(0.05);
}

describe.skipIf(!existsSync(traces))(
  'the tables of nightly-free-pool (skipped where the traces are absent)',
  () => {
    const file = new URL('../../scenarios/nightly-free-pool.yaml', import.meta.url);
    const source = { name: 'nightly-free-pool.yaml', text: readFileSync(file, 'utf8') };
    const scenario = readScenario(source, { readText: () => '' });
    const reference = () => JSON.parse(readFileSync(traces, 'utf8'));

    for (const [name, trace] of [
      ['answer', 'conv'],
      ['complete', 'code'],
    ] as const) {
      it(`${name}: the stated quantiles are the trace's, the mean is within 5 % of its`, () => {
        const { tokens } = scenario.jobs.find((one) => one.name === name)!;
        const columns = reference()[`azure-llm-2023/${trace}`];
        holdsTo(tokens.input, columns.ContextTokens, 1, 0);
        holdsTo(tokens.output, columns.GeneratedTokens, 1, 0);
      });
    }

    it('latency: the same, to the digits written', () => {
      const { latency } = scenario.provider;
      if (latency.kind !== 'by-token') throw new Error('the scenario describes latency by token');
      const columns = reference()['claude-code-api-latency/claude-opus-4-7'];
      holdsTo(latency.firstToken, columns.ttft_s, 1000, 3);
      holdsTo(latency.perToken, columns['tpot_s = (api_time_s-ttft_s)/output_tokens'], 1000, 3);
    });
  },
);
