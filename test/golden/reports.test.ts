// What the shipped scenarios produce lies in reports/, and is what they still produce, byte for byte. After
// a change that is meant: `npm run reports`, then read the diff.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { roundTimes } from '../../src/cli/microseconds.ts';
import { planOf } from '../../src/cli/playing.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { play } from '../../src/world/play.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shipped = readdirSync(join(root, 'scenarios')).map((file) => file.replace(/\.yaml$/, ''));

async function render(name: string): Promise<ReadonlyMap<string, string>> {
  const text = readFileSync(join(root, 'scenarios', `${name}.yaml`), 'utf8');
  const readText = (path: string) => readFileSync(join(root, 'scenarios', path), 'utf8');
  const scenario = readScenario({ name: `${name}.yaml`, text }, { readText });
  const plan = planOf(scenario);
  const recorder = new NightRecorder(scenario, plan);
  const run = roundTimes(play(scenario, { observe: (event) => recorder.record(event) }));
  const series = roundTimes(recorder.series());
  const files = await renderReport({ scenario, plan, run, series, rerun: [name] });
  return new Map(files.map((file) => [file.name, file.text]));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
}

describe.each(shipped)('the report of %s', (name) => {
  const folder = join(root, 'reports', name);

  test('is what lies in reports/, byte for byte', async () => {
    const rendered = await render(name);
    expect([...rendered.keys()].sort()).toEqual(filesBelow(folder));
    for (const [file, text] of rendered) {
      expect(readFileSync(join(folder, file), 'utf8'), `${name}/${file}`).toBe(text);
    }
  });

  test('keeps each file within 80 KB and all of them within 600 KB', () => {
    const sizes = filesBelow(folder).map((file) => statSync(join(folder, file)).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(80_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(600_000);
  });
});
