// The scenario that most of these tests start from: every section, every shape that the documentation shows.

import { parse } from 'yaml';
import { InputError, type Problem } from '../../src/base/errors.ts';
import type { ScenarioIo } from '../../src/scenario/column-files.ts';
import { parseOverride } from '../../src/scenario/override.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';

export const NIGHTLY = `name: nightly-free-pool
seed: "2026-11"
nights: 3
window: { lasts: 50 min, every: 24 h }
budget: { reserve: 45 s, floor: 3 s, cap: 120 s, attempts: 3 }
lanes: 8
pool: { name: free, tokens: 10M, funded: 100%, lease: 15 min, refill: night }
jobs:
  - class: summarize
    count: 1200
    input:  { p50: 3000, p95: 6000, max: 8000 }
    output: { quantiles: { 0%: 1, 50%: 400, 95%: 1000, 100%: 2000 } }
    attempts: 2
    envelope: { quantile: 95% }
  - class: code
    count: 300
    slack: 6 h
    from: { file: trace.csv, input: ContextTokens, output: GeneratedTokens }
order: listed
backoff: { base: 1 s, factor: 2, max: 30 s, jitter: full }
provider:
  latency: { firstToken: { p50: 0.9 s, p95: 3 s }, perToken: { p50: 11 ms, p95: 25 ms } }
  hangs: 0.5%
  errors: 1%
  invalid: 2%
store: { write: { p50: 20 ms, p95: 200 ms }, writers: 1, flush: 0 s }
policy: { timeouts: clamp, admission: envelope, reclaim: refund }
compare:
  - { name: naive, set: { policy.timeouts: fixed, policy.admission: shared-counter } }
`;

/** As little as a scenario may say. */
export const SMALLEST = 'window: { lasts: 50 min }\njobs: []\nprovider: { latency: whole-grant }\n';

export const TRACE = 'Time,ContextTokens,GeneratedTokens\r\n1,4808,10\r\n2,3180,8\r\n3,110,27';

/** Files by their path, as the scenario names them. */
export function files(contents: Readonly<Record<string, string>>): ScenarioIo {
  return {
    readText: (path) => {
      const text = Object.hasOwn(contents, path) ? contents[path] : undefined;
      if (text !== undefined) return text;
      throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
    },
  };
}

export function read(
  text: string,
  io: ScenarioIo = files({ 'trace.csv': TRACE }),
  set: string[] = [],
): Scenario {
  return readScenario({ name: 'nightly.yaml', text }, io, { overrides: set.map(parseOverride) });
}

/** What is wrong with a scenario that must not be accepted. */
export function problemsOf(text: string, io?: ScenarioIo, set: string[] = []): readonly Problem[] {
  try {
    read(text, io, set);
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  throw new Error('this scenario was accepted');
}

/** The text with one piece of it replaced; the piece must be there, once. */
export function edit(text: string, piece: string, replacement: string): string {
  if (text.split(piece).length !== 2) throw new Error(`"${piece}" is not there exactly once`);
  return text.replace(piece, () => replacement);
}

/** As plain objects, to be changed and written out again. */
export function nightlyAsObject(): Record<string, unknown> {
  return parse(NIGHTLY) as Record<string, unknown>;
}
