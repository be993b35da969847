// `check` as it is typed in CI: exit codes, what it writes for the CI system, and what it refuses to start on.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../src/study/gate/check-result.ts';
import { emptyFolder, plimsoll } from './command-line.ts';

/** Jobs of a constant length: what is done and when is known beforehand. */
const QUEUE = `name: gated
seed: gate
window: { lasts: 10 min }
budget: { reserve: 30 s, floor: 1 s, cap: 60 s, attempts: 1 }
jobs:
  - { class: plain, count: 20, input: 100, output: 50 }
provider: { latency: 10 s, errors: 10% }
store: { write: 0 s }
gate:
`;

/** A folder with a scenario that has these limits. */
function gated(...limits: readonly string[]): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'night.yaml'), `${QUEUE}${limits.map((limit) => `  - ${limit}\n`).join('')}`);
  return cwd;
}

const DONE_20_AT_MOST = '{ metric: done, p95: "<= 20" }';
const ALL_DONE = '{ metric: done, p50: ">= 20" }';
/** One job of ten ends in a server error: near the limit, so that 100 replications cannot tell. */
const NEAR = '{ metric: deferred, mean: "< 2" }';

describe('the exit code', () => {
  test.each([
    ['passes', [DONE_20_AT_MOST], 0],
    ['fails where one limit does', [DONE_20_AT_MOST, ALL_DONE], 1],
    ['is 3 where nothing fails and something is undecided', [DONE_20_AT_MOST, NEAR], 3],
    ['is 1 where something fails beside what is undecided', [NEAR, ALL_DONE], 1],
  ] as const)('%s', async (_title, limits, code) => {
    const cwd = gated(...limits);
    const ended = await plimsoll(['check', 'night.yaml', '--replications', '100'], { cwd });
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: '' });
  });

  test('of several scenarios is that of the worst', async () => {
    const cwd = gated(DONE_20_AT_MOST);
    writeFileSync(join(cwd, 'late.yaml'), `${QUEUE.replace('gated', 'late')}  - ${ALL_DONE}\n`);
    const { code, stdout } = await plimsoll(
      ['check', 'night.yaml', 'late.yaml', '--replications', '100', '--json'],
      { cwd },
    );
    const { scenarios } = JSON.parse(stdout) as CheckResult;
    expect(code).toBe(1);
    expect(scenarios.map(({ scenario, verdict }) => [scenario, verdict])).toEqual([
      ['gated', 'pass'],
      ['late', 'fail'],
    ]);
  });
});

describe('what it answers', () => {
  test('is the same bytes each time', async () => {
    const cwd = gated(NEAR, ALL_DONE);
    const words = ['check', 'night.yaml', '--replications', '200', '--json'];
    const [once, again] = await Promise.all([plimsoll(words, { cwd }), plimsoll(words, { cwd })]);
    expect(once.stdout).toBe(again.stdout);
    expect(once.stdout.length).toBeGreaterThan(100);
  });

  test('tells a CI system where each limit stands', async () => {
    const cwd = gated(DONE_20_AT_MOST, ALL_DONE);
    const words = ['check', 'night.yaml', '--replications', '100', '--junit', 'gate.xml', '--github'];
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const { stdout } = await plimsoll(words, { cwd, env });
    const junit = readFileSync(join(cwd, 'gate.xml'), 'utf8');
    expect(junit).toContain('tests="2" failures="1"');
    expect(junit).toContain('file="night.yaml" line="11"');
    expect(stdout).toMatch(/^::error file=night\.yaml,line=11/m);
    expect(stdout).not.toMatch(/^::error .*line=10/m);
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toContain('gated');
  });

  test('says so where a figure is worse than it was under the same weather, and by how much', async () => {
    const cwd = gated(DONE_20_AT_MOST);
    const words = ['check', 'night.yaml', '--replications', '100'];
    const { stdout } = await plimsoll([...words, '--json'], { cwd });
    writeFileSync(join(cwd, 'main.json'), stdout);
    const against = (...more: readonly string[]) =>
      plimsoll([...words, '--baseline', 'main.json', ...more], { cwd });
    const [same, worse, otherDraws] = await Promise.all([
      against(),
      against('--set', 'provider.errors=30%'),
      against('--seed', 'another'),
    ]);
    expect([same.code, worse.code, otherDraws.code]).toEqual([0, 1, 3]);
  });
});

describe('before anything is played, it refuses', () => {
  test.each([
    ['a metric that there is not', '{ metric: doen, mean: "> 1" }', '10:15', 'Did you mean "done"?'],
    ['a unit of something else', '{ metric: finishedMs, p95: "< 48 tokens" }', '10:', 'no unit of time'],
    ['a pool that there is not', '{ metric: drift, pool: fre, mean: "< 1k" }', '10:', 'pool'],
    ['a limit that so few cannot show', '{ metric: lostWrites, probability: "< 0.1%" }', '10:', '12800'],
    ['a field that the plan does not have', '{ plan: worstCase.fit, is: true }', '10:', 'worstCase.fits'],
  ])('%s', async (_what, limit, place, message) => {
    const cwd = gated(limit);
    const words = ['check', 'night.yaml', '--replications', '100'];
    const { code, stdout, stderr } = await plimsoll(words, { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`night.yaml:${place}`);
    expect(stderr).toContain(message);
  });

  test.each([
    [['--confidence', '100%'], '--confidence'],
    [['--baseline', 'not-there.json'], '--baseline: there is no such file'],
    [['--margin', '2%'], '--margin: this goes with --baseline'],
  ])('%j', async (words, message) => {
    const { code, stderr } = await plimsoll(['check', 'night.yaml', ...words], { cwd: gated(ALL_DONE) });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
