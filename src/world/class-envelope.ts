// A class's envelope from its scenario: one place, so that the plan and the played night set aside the same
// tokens.

import { envelopeTokens } from '../plan/envelope.ts';
import type { JobClass, Scenario } from '../scenario/scenario.ts';
import { integerQuantile } from '../sim/distribution.ts';

/**
 * Tokens that so many attempts of one job of the class are to be paid with.
 *
 * @param attempts from 1 up to the class's own, which is the default
 */
export function classEnvelope(jobClass: JobClass, attempts = jobClass.attempts): number {
  const { envelope, tokens } = jobClass;
  const share = attempts / jobClass.attempts;
  if (envelope.kind === 'tokens') return Math.ceil(envelope.tokens * share);
  const { quantile, fanout, overhead } = envelope;
  return envelopeTokens({
    qInput: integerQuantile(tokens.input, quantile),
    qOutput: integerQuantile(tokens.output, quantile),
    // With fewer prompts than attempts, the first attempts are those that pay for one.
    fanout: fanout < jobClass.attempts ? Math.min(attempts, fanout) : fanout * share,
    attempts,
    overhead,
  });
}

/** What is reserved for a job before its first attempt, under the scenario's policy. */
export function firstHold({ policy }: Scenario, jobClass: JobClass): number {
  return classEnvelope(jobClass, policy.hold === 'per-attempt' ? 1 : undefined);
}

/** Every envelope of a scenario's classes, computed once. */
export function classEnvelopes({ jobs }: Scenario) {
  const tables = new Map(
    jobs.map((one) => [one.name, Array.from({ length: one.attempts }, (_, i) => classEnvelope(one, i + 1))]),
  );
  return { of: ({ name }: JobClass, attempts: number): number => tables.get(name)![attempts - 1]! };
}
