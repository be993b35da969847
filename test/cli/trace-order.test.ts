import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, plimsoll } from './command-line.ts';

test('a trace that is out of order is played in order, with a warning on stderr that counts its rows', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'trace.csv'), 'at\n7\n3\n3\n9\n');
  const job = '{ class: a, arrive: { file: trace.csv, column: at, unit: s }, input: 10, output: 10 }';
  const text = `window: { lasts: 10 min }\njobs: [${job}]\nprovider: { latency: 5 s }\n`;
  writeFileSync(join(cwd, 'night.yaml'), text);
  const warning =
    /^warning: night\.yaml:2:\d+: jobs\.a\.arrive\.column: of the 4 rows of column "at", 2 stand behind a later one and were sorted, and 1 has the same moment as another$/m;
  for (const words of [['plan'], ['validate'], ['run', '--json']]) {
    const { code, stdout, stderr } = await plimsoll([...words, 'night.yaml'], { cwd });
    expect([words[0], code]).toEqual([words[0], 0]);
    expect(stderr).toMatch(warning);
    if (words[0] === 'run') expect(JSON.parse(stdout).total).toMatchObject({ jobs: 4, done: 4 });
  }
});
