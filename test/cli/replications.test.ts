// `run --replications` as it is typed: its JSON, and what does not go with it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReplicatedRun } from '../../src/study/replicated-run.ts';
import type { NightResult } from '../../src/world/run-result.ts';
import { emptyFolder, plimsoll } from './command-line.ts';
import { SCENARIO } from './scenario-text.ts';

function folder(): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'two.yaml'), SCENARIO);
  return cwd;
}

describe('replications', () => {
  test('are answered as JSON, the same bytes each time, with times to the microsecond', async () => {
    const cwd = folder();
    const words = ['run', 'two.yaml', '--nights', '1', '--replications', '3', '--json'];
    const [once, again] = await Promise.all([plimsoll(words, { cwd }), plimsoll(words, { cwd })]);
    expect({ code: once.code, stderr: once.stderr }).toEqual({ code: 0, stderr: '' });
    expect(again.stdout).toBe(once.stdout);
    const { replications, metrics } = JSON.parse(once.stdout) as ReplicatedRun;
    expect(replications).toBe(3);
    expect(metrics.finishedMs.count).toBe(3);
    for (const ms of [metrics.finishedMs.min, metrics.finishedMs.max]) {
      expect(String(ms)).toMatch(/^\d+(\.\d{1,3})?$/);
    }
  });

  test('say which night is the worst, and that night has those figures when it is played again', async () => {
    const cwd = folder();
    const { stdout } = await plimsoll(['run', 'two.yaml', '--replications', '3', '--json'], { cwd });
    const { done } = (JSON.parse(stdout) as ReplicatedRun).metrics;
    const which = [
      '--replication',
      String(done.worstIn!.replication),
      '--night',
      String(done.worstIn!.night),
    ];
    const again = await plimsoll(['replay-night', 'two.yaml', ...which, '--json'], { cwd });
    expect((JSON.parse(again.stdout) as NightResult).done).toBe(done.min);
  });

  test.each([
    [['--replications', '0'], '--replications: there is none of this number'],
    [['--replications', '1.5'], '--replications: '],
    [['--replications', 'many'], '--replications: '],
    [['--replications', '2', '--trace', 't.jsonl'], 'plimsoll replay-night plays one of them again'],
    [['--replications', '2', '--ledger', 'sqlite'], '--ledger: --ledger is of one run'],
  ])('%j is refused, at the flag', async (words, message) => {
    const { code, stdout, stderr } = await plimsoll(['run', 'two.yaml', ...words], { cwd: folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
