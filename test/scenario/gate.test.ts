// The limits of a scenario as they are written: what each means, and what is said where one is wrong.

import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../src/base/errors.ts';
import { readLocatedScenario } from '../../src/scenario/read-scenario.ts';
import { files, NIGHTLY, problemsOf, SMALLEST, TRACE } from './nightly.ts';

const with1 = (limit: string, text = NIGHTLY) => `${text}gate: [${limit}]\n`;

function limitOf(limit: string) {
  const source = { name: 'nightly.yaml', text: with1(limit) };
  return readLocatedScenario(source, files({ 'trace.csv': TRACE })).stated.gate[0];
}

/** The last line. */
const AT_THE_LIMIT = new RegExp(`^nightly\\.yaml:${NIGHTLY.split('\n').length}:\\d+: `);
const said = (limit: string, text?: string) => problemsOf(with1(limit, text)).map(describeProblem).join('\n');

describe('a limit', () => {
  test.each([
    ['{ metric: lostWrites, probability: "< 0.1%" }', 'probability', '<', 0.001],
    ['{ metric: done, p05: ">= 1400" }', { p: 0.05 }, '>=', 1400],
    ['{ metric: refusal rate, mean: ≤ 5% }', 'mean', '<=', 0.05],
    ['{ metric: finished-ms, p95: "<48 min" }', { p: 0.95 }, '<', 2_880_000],
    ['{ metric: drift, pool: free, over: sum, mean: "> -1.5k" }', 'mean', '>', -1_500],
    ['{ metric: LOST WRITES, mean: "< 0.01", over: last }', 'mean', '<', 0.01],
    ['{ metric: done, p99.9: "< 1500" }', { p: 0.999 }, '<', 1_500],
  ])('%s is read in its unit', (written, statistic, comparison, limit) => {
    expect(limitOf(written)).toMatchObject({ kind: 'metric', statistic, comparison, limit });
  });

  test('is of the worst night and of all pools, unless it says so', () => {
    expect(limitOf('{ metric: drift, mean: "< 1k" }')).toMatchObject({ over: 'worst', pool: undefined });
  });

  test.each([
    ['{ metric: lostWrite, mean: "< 1" }', 'gate.0.metric: there is no metric "lostWrite"', 'lostWrites'],
    ['{ metric: finishedMs, p95: "< 48" }', 'which unit? 48 has none', ''],
    ['{ metric: refusalRate, mean: "< 5 s" }', '"s" is no percent sign', ''],
    ['{ metric: done, p05: "1400" }', 'this says no direction (expected "< 1400" or "> 1400"', ''],
    ['{ metric: done, p07: "> 1" }', 'has no key "p07"', 'p01'],
    ['{ metric: done }', 'this limits nothing', ''],
    ['{ metric: done, mean: "> 1", p05: "> 1" }', 'one entry is one limit', ''],
    ['{ metric: done, pool: free, mean: "> 1" }', 'done is no figure of a pool', ''],
    ['{ metric: finishedMs, over: sum, mean: "< 1 h" }', 'nights of finishedMs have no sum', ''],
    ['{ metric: drift, pool: fre, mean: "< 1k" }', 'there is no pool "fre"', 'free'],
    ['{ metric: lostWrites, probability: "< 0%" }', 'no number of replications shows this', ''],
    ['{ metric: lostWrites, probability: "< 0.1" }', 'a percentage needs its sign', '10%'],
    ['{ plan: worstCase.fits }', 'lacks the key "is"', ''],
    ['{ plan: worstCase.fits, is: false, mean: "< 1" }', 'has no key "mean"', ''],
  ])('%s is refused at its place', (written, message, meant) => {
    const problem = said(written);
    expect(problem).toMatch(AT_THE_LIMIT);
    expect(problem).toContain(message);
    if (meant !== '') expect(problem).toContain(`Did you mean "${meant}"?`);
  });

  test('on a pool where there is none is refused, also where it names no pool', () => {
    expect(said('{ metric: drift, mean: "< 1k" }', SMALLEST)).toContain('there is no pool, and so no drift');
    expect(said('{ metric: refusalRate, mean: "< 5%" }', SMALLEST)).toContain('no refusalRate');
  });

  test('may not be set by a variant, which is compared and not held to anything', () => {
    const text = NIGHTLY.replace('set: { policy', 'set: { gate: [], policy');
    expect(
      problemsOf(text)
        .map(({ message }) => message)
        .join(),
    ).toContain('a variant cannot set "gate"');
  });
});
