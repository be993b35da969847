// What scenarios/long-answers.yaml says of its own results, held to what is played.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { play } from '../../src/world/play.ts';
import type { Played } from '../../src/world/run-result.ts';

const text = readFileSync(new URL('../../scenarios/long-answers.yaml', import.meta.url), 'utf8');
const { compare, ...asItIs } = play(
  readScenario({ name: 'long-answers.yaml', text }, { readText: () => '' }),
);

it('the jobs refused that the scenario of long answers tells of are those that are refused', () => {
  const said = (name: string) => {
    const [, list = ''] = new RegExp(`^# {3}${name} +([^.]*)\\.`, 'm').exec(text) ?? [];
    return list
      .replace(' and then', ',')
      .replace(/,? ever$/, '')
      .split(/, ?/)
      .filter((word) => word !== '');
  };
  const refused = ({ nights }: Pick<Played, 'nights'>) => {
    const counts = nights.map((night) => (night.refused === 0 ? 'none' : String(night.refused)));
    // "None" is said once for all nights to the end.
    return counts.slice(0, counts.findLastIndex((count) => count !== 'none') + 2);
  };
  expect(refused(asItIs)).toEqual(said('as it is'));
  expect(refused(compare['each-by-itself']!)).toEqual(said('each-by-itself'));
  expect(refused(compare.heavier!)).toEqual(said('heavier'));
});

it('and averages by themselves stay within a few hundredths of what is said', () => {
  for (const { pools } of compare['each-by-itself']!.nights) {
    expect(Math.abs(pools.free!.consumed / 1.14e6 - 1)).toBeLessThan(0.025);
  }
});
