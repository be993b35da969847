// A played run whose class draws its tokens from a real trace: what the provider is asked for and answers
// matches the trace's own reference quantiles.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { play } from '../../src/world/play.ts';
import { quantileRanks } from '../sim/distributions/order-statistics.ts';

const DATA = new URL('../../../shared/data/', import.meta.url);
const present = existsSync(DATA);
const note = present ? '' : ' (SKIPPED: the traces are not beside this checkout, in ../shared/data)';

const JOBS = 20_000;
const SCENARIO = `
name: from-a-trace
seed: trace
window: { lasts: 20 h }
lanes: 100
jobs:
  - class: code
    count: ${JOBS}
    from: { file: AzureLLMInferenceTrace_code.csv, input: ContextTokens, output: GeneratedTokens }
provider: { latency: { firstToken: 1 s, perToken: 10 ms } }
`;

const POINTS = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 } as const;

test.skipIf(!present)(
  `a run on the code trace draws tokens that match its reference quantiles${note}`,
  () => {
    const readText = (path: string) => readFileSync(new URL(`azure-llm-2023/${path}`, DATA), 'utf8');
    const scenario = readScenario({ name: 'from-a-trace.yaml', text: SCENARIO }, { readText });
    const output: number[] = [];
    const total: number[] = [];
    const run = play(scenario, {
      observe: (event) => {
        if (event.type !== 'attempt') return;
        total.push(event.tokens);
        // Constant latency: one second, then ten milliseconds a token.
        output.push(Math.round((event.elapsedMs - 1_000) / 10));
      },
    });
    expect(run.total.done).toBe(JOBS);
    const input = total.map((tokens, at) => tokens - output[at]!);
    const reference = JSON.parse(readFileSync(new URL('reference.json', DATA), 'utf8'))[
      'azure-llm-2023/code'
    ];
    // Rows are drawn as pairs, so that input, output and their sum keep the trace's quantiles.
    const drawn = { ContextTokens: input, GeneratedTokens: output, TotalTokens: total };
    for (const [column, values] of Object.entries(drawn)) {
      values.sort((one, other) => one - other);
      for (const [name, p] of Object.entries(POINTS)) {
        const { lower, upper } = quantileRanks(values.length, p);
        const stated = reference[column].nearestRank[name];
        expect(values[lower - 1], `${column} ${name}`).toBeLessThanOrEqual(stated);
        expect(values[upper - 1], `${column} ${name}`).toBeGreaterThanOrEqual(stated);
      }
    }
  },
);
