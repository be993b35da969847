// What scenarios/clock-change.yaml says of its own results, held to what is played.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { play } from '../../src/world/play.ts';
import type { NightResult } from '../../src/world/run-result.ts';

const text = readFileSync(new URL('../../scenarios/clock-change.yaml', import.meta.url), 'utf8');
const noFiles = {
  readText: (path: string): never => {
    throw new Error(`no such file: ${path}`);
  },
};

/** What the comments say of a variant: `1,420 of 1,422`, as often as they say it. */
function told(name: string): readonly string[] {
  const from = text.indexOf(`#   ${name} `);
  const rest = text.slice(from + 4 + name.length);
  const paragraph = rest.slice(0, /\n#( {3}[a-z-]+ {2,}|\n)/.exec(rest)?.index);
  return [...paragraph.matchAll(/[\d,]+ of [\d,]+/g)].map(([found]) => found);
}

const said = ({ done, jobs }: NightResult) => `${done.toLocaleString('en')} of ${jobs.toLocaleString('en')}`;

it('the jobs done that the clock-change scenario tells of are those that are done', () => {
  const { nights, compare } = play(readScenario({ name: 'clock-change.yaml', text }, noFiles));
  const on = (variant: string, date: string): NightResult =>
    compare[variant]!.nights.find((night) => night.date === date)!;
  expect(told('as it is')).toEqual(nights.map(said));
  expect(told('two-hours')).toEqual([said(on('two-hours', '2026-03-29'))]);
  expect(told('fewer-tokens')).toEqual([said(on('fewer-tokens', '2026-03-31'))]);
  expect(told('october')).toEqual([said(on('october', '2026-10-25'))]);
  expect(text).toContain(`has left, ${on('fewer-tokens', '2026-03-31').refused.toLocaleString('en')} jobs`);
  expect(nights.map(({ windowMs }) => (windowMs ?? 0) / 3_600_000)).toEqual([2, 2, 1, 2, 2, 2]);
  expect(on('october', '2026-10-25').windowMs).toBe(3 * 3_600_000);
});
