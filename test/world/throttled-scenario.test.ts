// What scenarios/throttled.yaml says of its own results, held to what is played.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { play } from '../../src/world/play.ts';

const text = readFileSync(new URL('../../scenarios/throttled.yaml', import.meta.url), 'utf8');
const noFiles = {
  readText: (path: string): never => {
    throw new Error(`no such file: ${path}`);
  },
};

it('the jobs done that the throttled scenario tells of are those that are done', () => {
  const told = [...text.matchAll(/^# {3}([a-z][a-z -]*?) +(\d+)\. /gm)].map(([, name, done]) => [
    name,
    Number(done),
  ]);
  const { nights, compare } = play(readScenario({ name: 'throttled.yaml', text }, noFiles));
  const played = [
    ['as it is', nights[0]!.done],
    ...Object.entries(compare).map(([name, variant]) => [name, variant.nights[0]!.done]),
  ];
  expect(told).toEqual(played);
  expect(compare['client-retries']!.nights[0]!.hiddenCalls).toBeGreaterThan(1_600);
  expect(compare['three-lanes']!.nights[0]!.rateLimited).toBe(0);
});
