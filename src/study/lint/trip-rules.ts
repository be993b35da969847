// Rules about trip conditions: thresholds that say nothing, because what the scenario is made of decides
// beforehand whether they trip.

import { formatDuration, formatPercent } from '../../base/units.ts';
import { classExpectations } from '../../world/class-expectations.ts';
import { lanesOf } from './all-lanes.ts';
import type { Found, LintInput, Rules } from './rule.ts';

export const TRIP_RULES = {
  'trip-always': {
    why: 'A condition that trips every night is switched off in the first week, and with it the nights that it is there for.',
    find: (input) => [...refusedByConstruction(input), ...unspentByConstruction(input)],
  },
  'trip-never': {
    why: 'A condition that cannot trip looks like a night without trouble.',
    find: (input) => [
      ...fullRefusalRate(input),
      ...unreachableUnspent(input),
      ...fullConfidence(input),
      ...unreachableAge(input),
    ],
  },
} as const satisfies Rules;

/** The pool carries too little of every night's arrivals, and the lanes have the time to find out. */
function refusedByConstruction({ scenario, plan }: LintInput): readonly Found[] {
  const { pool, trips, window, budget } = scenario;
  if (pool?.refill !== 'night') return [];
  let tokens = 0;
  let laneMs = 0;
  for (const { count, arrivesEveryNight, envelope, meanUsedTokens, meanJobMs } of plan.classes) {
    if (count === 0 || !arrivesEveryNight || envelope === null || envelope > pool.capacity) continue;
    tokens += count * Math.min(meanUsedTokens ?? envelope, envelope);
    laneMs += count * (meanJobMs ?? Number.POSITIVE_INFINITY);
  }
  const refused = 1 - pool.capacity / tokens;
  const untilEmptyMs = (laneMs * (1 - refused)) / lanesOf(scenario);
  if (refused <= trips.refusalRate || untilEmptyMs > window.lastsMs - budget.reserveMs) return [];
  const message = `the pool refuses about ${formatPercent(refused)} of what arrives every night, and more than ${formatPercent(trips.refusalRate)} trips`;
  const figure = { measured: refused, limit: trips.refusalRate, unit: 'ratio' } as const;
  return [{ path: ['trips', 'refusalRate'], or: ['pool', 'tokens'], message, figure }];
}

function unspentByConstruction({ scenario }: LintInput): readonly Found[] {
  const { unspentRatio, unspentAboveExpected } = scenario.trips;
  return [...classExpectations(scenario)].flatMap(([name, { unspentRatio: expected }]) => {
    if (expected === undefined || unspentAboveExpected > 0 || expected < unspentRatio) return [];
    const message = `${name} leaves ${formatPercent(expected)} of its envelopes by construction, and more than that trips`;
    const figure = { measured: expected, limit: Math.max(unspentRatio, expected), unit: 'ratio' } as const;
    return [{ path: ['trips', 'unspentAbove'], message, figure }];
  });
}

function fullRefusalRate({ scenario: { pool, trips } }: LintInput): readonly Found[] {
  if (pool === undefined || trips.refusalRate < 1) return [];
  const message = 'no more than all asks can be refused, and only more than that trips';
  const figure = { measured: trips.refusalRate, limit: 1, unit: 'ratio' } as const;
  return [{ path: ['trips', 'refusalRate'], message, figure }];
}

function unreachableUnspent({ scenario }: LintInput): readonly Found[] {
  const { unspentRatio, unspentAboveExpected } = scenario.trips;
  return [...classExpectations(scenario)].flatMap(([name, { unspentRatio: expected }]) => {
    if (expected === undefined) return [];
    const isOwn = unspentRatio >= expected + unspentAboveExpected;
    const threshold = isOwn ? unspentRatio : expected + unspentAboveExpected;
    if (threshold < 1) return [];
    const message = isOwn
      ? 'no more than all of an envelope can be left over, and only more than that trips'
      : `${name} leaves ${formatPercent(expected)} of its envelopes by construction; ${formatPercent(unspentAboveExpected)} above that is more than all of them`;
    const figure = { measured: threshold, limit: 1, unit: 'ratio' } as const;
    return [{ path: ['trips', isOwn ? 'unspent' : 'unspentAbove'], message, figure }];
  });
}

function fullConfidence({ scenario: { pool, trips } }: LintInput): readonly Found[] {
  if (pool === undefined || trips.overspendConfidence < 1) return [];
  const message = 'nothing is ever that sure: overspend trips with less than 100% confidence';
  const figure = { measured: trips.overspendConfidence, limit: 1, unit: 'ratio' } as const;
  return [{ path: ['trips', 'confidence'], message, figure }];
}

/** An age counts from tonight's opening at the earliest, and so ends with the window. */
function unreachableAge({ scenario: { jobs, trips, window } }: LintInput): readonly Found[] {
  return jobs.flatMap(({ name, slackMs, isSlackDeclared }, position) => {
    const waitMs = slackMs * trips.queueAgeOfSlack;
    if (!isSlackDeclared || slackMs === 0 || waitMs < window.lastsMs) return [];
    const message = `${name} would have to wait ${formatDuration(waitMs)} in one night, and the window is ${formatDuration(window.lastsMs)}`;
    const figure = { measured: waitMs, limit: window.lastsMs, unit: 'ms' } as const;
    return [{ path: ['trips', 'queueAge'], or: ['jobs', position, 'slack'], message, figure }];
  });
}
