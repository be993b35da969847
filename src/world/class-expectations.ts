// What a scenario makes of each of its classes before anything is played, for the trip conditions to be
// measured against: its declared slack, the quantile of its envelope, and what that leaves unspent.

import { planNight } from '../plan/plan-night.ts';
import type { JobClass, Scenario } from '../scenario/scenario.ts';
import type { ClassExpectation } from '../worker/trip-settings.ts';
import { planInput } from './plan-input.ts';

type Expectations = ReadonlyMap<string, ClassExpectation>;

/** Replications and nights of one scenario share the answer, which may take longer than a night. */
const known = new WeakMap<Scenario, Expectations>();

/** By class. The unspent ratio is the one that `plan` says; only where envelopes are reserved. */
export function classExpectations(scenario: Scenario): Expectations {
  const before = known.get(scenario);
  if (before !== undefined) return before;
  const unspent = unspentRatios(scenario);
  const expectations = new Map(
    scenario.jobs.map((one) => [one.name, expectationOf(one, unspent.get(one.name))]),
  );
  known.set(scenario, expectations);
  return expectations;
}

function unspentRatios(scenario: Scenario): ReadonlyMap<string, number> {
  if (scenario.pool === undefined || scenario.policy.admission === 'shared-counter') return new Map();
  const { classes } = planNight(planInput(scenario));
  return new Map(
    classes.flatMap(({ name, expectedUnspentRatio: ratio }) => (ratio === null ? [] : [[name, ratio]])),
  );
}

function expectationOf(
  { slackMs, isSlackDeclared, envelope }: JobClass,
  unspentRatio: number | undefined,
): ClassExpectation {
  return {
    // Slack 0 is declared, and over before anybody could wait: nothing to measure an age against.
    slackMs: isSlackDeclared && slackMs > 0 ? slackMs : undefined,
    quantile: envelope.kind === 'quantile' ? envelope.quantile : undefined,
    unspentRatio,
  };
}
