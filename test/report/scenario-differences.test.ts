// What a compared variant changes, told so that nobody has to look it up: no change goes unsaid, and what a
// class only has from its scenario is not said twice.

import { expect, test } from 'vitest';
import { describeDifferences } from '../../src/report/scenario-differences.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { calmButFor } from './played-text.ts';

function scenarioOf(more: string) {
  return readScenario({ name: 'toy.yaml', text: calmButFor(more) }, { readText: () => '' });
}

const OWN = scenarioOf(
  'provider: { latency: 10 s, limits: { requests: 60 } }\njobs:\n  - { class: job, count: 40, input: 1000, output: 100 }',
);

/** Each with the words that tell it, for a scenario that has limits and an envelope by quantile. */
const CHANGES: readonly (readonly [set: string, said: readonly string[]])[] = [
  ['lanes: 3', ['lanes: 3']],
  ['backoff: { base: 20 s, max: 120 s }', ['backoff.base: 20 s', 'backoff.max: 2 min']],
  ['client: { attempts: 3 }', ['client: 3 attempts of 10 min, timed to the first token only']],
  [
    'provider: { latency: 10 s, limits: { requests: 60, retryAfter: false } }',
    ['provider.limits.retryAfter: false'],
  ],
  ['provider: { latency: 10 s }', ['provider.limits: none']],
  ['provider: { latency: 9 s, limits: { requests: 60 } }', ['provider.latency: 9000 ms']],
  [
    'provider: { latency: 10 s, limits: { requests: 60 }, outages: { at: [{ night: 1, from: 1 s, lasts: 2 s }] } }',
    ['provider.outages: 1 at fixed times'],
  ],
  ['budget: { reserve: 30 s, floor: 3 s, cap: 60 s, attempts: 4 }', ['budget.attempts: 4']],
  ['trips: { onTrip: shed }', ['trips.onTrip: shed']],
  [
    'ledger: { outages: { at: [{ night: 1, from: 1 s, lasts: 2 s }] } }',
    ['ledger.outages: 1 at fixed times'],
  ],
  ['clock: { steps: [{ night: 1, at: 1 s, by: 2 s }] }', ['clock.steps: 1 time']],
];

test.each(CHANGES)('%s is told as %j', (set, said) => {
  const kept = /^provider:/.test(set) ? '' : '\nprovider: { latency: 10 s, limits: { requests: 60 } }';
  const jobs = '\njobs:\n  - { class: job, count: 40, input: 1000, output: 100 }';
  expect(describeDifferences(OWN, scenarioOf(`${set}${kept}${jobs}`))).toEqual(
    expect.arrayContaining([...said]),
  );
});

test('a class that has its attempts from the budget adds nothing to them', () => {
  const jobs = 'jobs:\n  - { class: job, count: 40, input: 1000, output: 100 }';
  const provider = 'provider: { latency: 10 s, limits: { requests: 60 } }';
  const more = scenarioOf(
    `budget: { reserve: 30 s, floor: 3 s, cap: 60 s, attempts: 4 }\n${provider}\n${jobs}`,
  );
  expect(describeDifferences(OWN, more)).toEqual(['budget.attempts: 4']);
  const own = scenarioOf(
    `${provider}\njobs:\n  - { class: job, count: 40, input: 1000, output: 100, attempts: 4 }`,
  );
  expect(describeDifferences(OWN, own)).toEqual(['jobs.job.attempts: 4']);
});

test('a scenario differs in nothing from itself', () => {
  expect(describeDifferences(OWN, OWN)).toEqual([]);
});
