// The commands that look into a scenario: lint, replay-night, refusals and leases, as somebody runs them.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/world/run-result.ts';
import { emptyFolder, plimsoll } from './command-line.ts';

const SCENARIO = `name: short
nights: 2
window: { lasts: 10 min }
budget: { cap: 60 s, attempts: 1 }
pool: { tokens: 10k, lease: 15 min }
jobs:
  - { class: a, count: 10, input: 1000, output: 100, envelope: { tokens: 2000 } }
provider: { latency: 10 s }
lint: { replications: 3 }
compare:
  - { name: larger, set: { pool.tokens: 20k } }
`;

/** So few that time and tokens do for all of them. */
const FEWER = ['--set', 'jobs.a.count=5'];

function written(text = SCENARIO) {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'short.yaml'), text);
  return (...words: string[]) => plimsoll(words, { cwd }).then((ended) => ({ ...ended, cwd }));
}

describe('lint', () => {
  test('exits 0 without findings', async () => {
    const { code, stdout, stderr } = await written()('lint', 'short.yaml', ...FEWER);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('✓ short: nothing found\n');
  });

  test('exits 1 on findings, each with its rule, its line, the figures and the reason', async () => {
    const { code, stdout, stderr } = await written(SCENARIO.replace('15 min', '50 s'))(
      'lint',
      'short.yaml',
      ...FEWER,
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^✗ short: 2 findings\n/);
    expect(stdout).toMatch(/lease-below-attempts {2}short\.yaml:5:29\n.*1 min.*50 s\.\n/s);
    expect(stdout).toContain('If every attempt hangs');
  });

  test('answers JSON that is nothing but JSON', async () => {
    const { code, stdout } = await written(SCENARIO.replace('15 min', '50 s'))(
      'lint',
      'short.yaml',
      '--json',
    );
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; figure: unknown }[] };
    expect(findings.find(({ rule }) => rule === 'lease-below-attempts')?.figure).toEqual({
      measured: 60_000,
      limit: 50_000,
      unit: 'ms',
    });
  });

  test('exits 2 for a suppression of a rule that does not exist, or without a reason', async () => {
    const text = SCENARIO.replace(
      'replications: 3',
      'ignore: [{ rule: short-slak, because: x }, { rule: short-slack }]',
    );
    const { code, stderr } = await written(text)('lint', 'short.yaml', ...FEWER);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: short\.yaml:9:\d+: lint\.ignore\.0\.rule: .*Did you mean "short-slack"\?/m,
    );
    expect(stderr).toMatch(/^error: short\.yaml:9:\d+: lint\.ignore\.1 lacks the key "because"/m);
  });
});

describe('replay-night', () => {
  test('has the figures that the run had, of the scenario and of a variant', async () => {
    const run = written();
    const whole = JSON.parse((await run('run', 'short.yaml', '--json')).stdout) as RunResult;
    const again = await run('replay-night', 'short.yaml', '--night', '2', '--json');
    expect(JSON.parse(again.stdout)).toEqual(whole.nights[1]);
    const variant = await run('replay-night', 'short.yaml', '--night', '2', '--variant', 'larger', '--json');
    expect(JSON.parse(variant.stdout)).toEqual(whole.compare.larger!.nights[1]);
  });

  test('writes the events of that night alone, as lines or for a viewer', async () => {
    const run = written();
    const { cwd } = await run('replay-night', 'short.yaml', '--night', '2', '--trace', 't.jsonl');
    const lines = readFileSync(join(cwd, 't.jsonl'), 'utf8').trimEnd().split('\n');
    expect(new Set(lines.map((line) => (JSON.parse(line) as { night: number }).night))).toEqual(new Set([2]));
    const words = ['replay-night', 'short.yaml', '--trace', 't.json', '--trace-format', 'chrome'];
    const other = await run(...words);
    const { traceEvents } = JSON.parse(readFileSync(join(other.cwd, 't.json'), 'utf8')) as {
      traceEvents: unknown[];
    };
    expect(traceEvents.length).toBeGreaterThan(20);
  });

  test.each([
    [['--night', '3'], /^error: --night: .*expected a whole number from 1 to 2, got "3"/],
    [['--night', 'one'], /^error: --night: /],
    [['--replication', '-1'], /^error: --replication: /],
    [['--variant', 'lager'], /^error: --variant: .*Did you mean "larger"\?/],
    [['--trace-format', 'crome'], /^error: --trace-format: .*Did you mean "chrome"\?/],
  ])('exits 2 for %j', async (flags, says) => {
    const { code, stderr } = await written()('replay-night', 'short.yaml', ...flags);
    expect(code).toBe(2);
    expect(stderr).toMatch(says);
  });
});

describe('refusals', () => {
  test('says what was refused and what would have admitted it', async () => {
    const { code, stdout } = await written()('refusals', 'short.yaml', '--nights', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^short: 2 refusals\n/);
    expect(stdout).toMatch(/tokens +11,900 instead of 10,000: 10 done; one step short of that, 1 job/);
    expect(stdout).toMatch(/lanes +no such change helps/);
  });
});

describe('leases', () => {
  test('compares the lengths that were asked for', async () => {
    const words = [
      'leases',
      'short.yaml',
      '--lease',
      '1 min',
      '--lease',
      '15min',
      '--replications',
      '2',
      '--json',
    ];
    const { code, stdout } = await written()(...words);
    expect(code).toBe(0);
    const { lengths, replications } = JSON.parse(stdout) as {
      lengths: { leaseMs: number }[];
      replications: number;
    };
    expect([replications, ...lengths.map(({ leaseMs }) => leaseMs)]).toEqual([2, 60_000, 900_000]);
  });

  test('exits 2 where there are none, or for a length that is none', async () => {
    const none = await written()('leases', 'short.yaml', '--set', 'policy.admission=shared-counter');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('nobody holds a lease')]);
    const bare = await written()('leases', 'short.yaml', '--lease', '5');
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringMatching(/^error: --lease: /)]);
  });
});

describe('report --replications', () => {
  test('looks into all of it, and is in the command that makes the report again', async () => {
    const run = written();
    const words = ['report', 'short.yaml', '--nights', '1', '--out', 'r'];
    const { code, stderr, cwd } = await run(...words, '--replications', '3');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const text = readFileSync(join(cwd, 'r', 'report.md'), 'utf8');
    expect(text).toContain('plimsoll report short.yaml --nights 1 --replications 3');
    expect(text).toContain('a pool of 11,900 instead of 10,000 tokens would admit them all');
    const { studies } = JSON.parse(readFileSync(join(cwd, 'r', 'summary.json'), 'utf8')) as {
      studies: { asked: number; trips: { replications: number } };
    };
    expect([studies.asked, studies.trips.replications]).toEqual([3, 3]);
  });

  test('exits 2 for a number that is none, before anything is written', async () => {
    const { code, stderr, cwd } = await written()(
      'report',
      'short.yaml',
      '--out',
      'r',
      '--replications',
      '0',
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: --replications: /);
    expect(existsSync(join(cwd, 'r'))).toBe(false);
  });
});
