// A scenario in the plain numbers that the planner's arithmetic takes: expectations from the distributions,
// so that nothing has to be drawn.

import { type BackoffSettings, backoffMs, longestBackoffsMs } from '../budget/backoff.ts';
import { expectedPausesMs } from '../plan/attempts.ts';
import type { PlanInput, PlanInputClass } from '../plan/plan-night.ts';
import type { JobClass, RetryingClient, Scenario, ScenarioPool } from '../scenario/scenario.ts';
import { integerQuantile } from '../sim/distribution.ts';
import { expectCall, meanUpTo } from './call-expectation.ts';
import { classEnvelope } from './class-envelope.ts';

export function planInput(scenario: Scenario): PlanInput {
  const { window, budget, pool, store } = scenario;
  return {
    scenario: scenario.name,
    nights: scenario.nights,
    windowMs: window.lastsMs,
    everyMs: window.everyMs,
    reserveMs: budget.reserveMs,
    floorMs: budget.floorMs,
    capMs: budget.capMs,
    lanes: scenario.lanes * (scenario.fleet?.workers ?? 1),
    pool: pool === undefined ? null : planPool(pool, scenario.nights),
    classes: scenario.jobs.map((one) => planClass(scenario, one)),
    order: scenario.order,
    backfill: scenario.backfill,
    writers: store.writers,
    meanWriteMs: store.write.mean(),
    client: scenario.client === undefined ? null : planClient(scenario, scenario.client),
  };
}

function planPool({ capacity, refill, refillsAtMs = [] }: ScenarioPool, nights: number): PlanInput['pool'] {
  if (refill === 'night' || refill === 'never') return { capacityTokens: capacity, refilled: refill };
  return { capacityTokens: capacity, refilled: 'never', fills: Math.min(nights, refillsAtMs.length) };
}

function planClient({ policy }: Scenario, client: RetryingClient): NonNullable<PlanInput['client']> {
  const { attempts, timeoutMs, backoff, honoursSignal, timerEndsAtHeaders } = client;
  const least = backoff.jitter === 'full' ? { ...backoff, baseMs: 0, maxMs: 0 } : backoff;
  return {
    attempts,
    timeoutMs,
    longestPausesMs: longestBackoffsMs(attempts, backoff),
    leastPausesBeforeMs: Array.from({ length: attempts }, (_, before) =>
      longestBackoffsMs(before + 1, least),
    ),
    timerEndsAtHeaders,
    signal: policy.timeouts === 'fixed' ? 'none' : honoursSignal ? 'honoured' : 'ignored',
  };
}

function planClass(scenario: Scenario, jobClass: JobClass): PlanInputClass {
  const { input, output } = jobClass.tokens;
  const attempt = expectAttempt(scenario, jobClass);
  const { attempts } = jobClass;
  return {
    name: jobClass.name,
    count: jobClass.count,
    arrivesEveryNight: jobClass.arrive === 'every-night',
    slackMs: jobClass.slackMs,
    attempts,
    longestBackoffsMs: longestBackoffsMs(attempts, scenario.backoff),
    meanPausesMs: expectedPausesMs(attempt.successRatio, attempts, (retry) =>
      meanPauseMs(retry, scenario.backoff),
    ),
    envelopeTokens: classEnvelope(jobClass),
    meanInputTokens: input.mean(),
    meanOutputTokens: output.mean(),
    p95InputTokens: integerQuantile(input, 0.95),
    p95OutputTokens: integerQuantile(output, 0.95),
    ...attempt,
  };
}

type AttemptExpectation = Pick<
  PlanInputClass,
  'successRatio' | 'timeoutRatio' | 'meanAttemptMs' | 'meanAttemptTokens'
>;

/**
 * One attempt, granted the whole cap. It hangs (the cap, its input), or ends in a server error after the
 * first token (no tokens), or answers: late (the cap, its input), invalid or good (its latency, all its
 * tokens). Attempts of one job are alike whatever the earlier ones did, and its input does not change how
 * they go, so that means per job are attempts × means per attempt (A. Wald, 1944).
 */
function expectAttempt({ provider, budget }: Scenario, { tokens }: JobClass): AttemptExpectation {
  const { latency, hangs, errors, invalid, usage } = provider;
  const { capMs } = budget;
  const answered = 1 - hangs - errors;
  const call = expectCall(latency, tokens.output, capMs);
  const error = expectError(latency, call, capMs);
  const timeoutRatio = hangs + errors * error.lateRatio + answered * call.lateRatio;
  // Of answers that do not say what they used, the worker knows only the input.
  const knownOutput = usage === 'reported' ? call.meanOutputInTime : 0;
  return {
    successRatio: (answered - invalid) * (1 - call.lateRatio),
    timeoutRatio,
    meanAttemptMs: hangs * capMs + errors * error.meanMs + answered * call.meanMs,
    meanAttemptTokens:
      (timeoutRatio + answered * (1 - call.lateRatio)) * tokens.input.mean() + answered * knownOutput,
  };
}

/** A server error comes after the first token, or after the call where that is all that is known of it. */
function expectError(
  latency: Scenario['provider']['latency'],
  call: { readonly lateRatio: number; readonly meanMs: number },
  capMs: number,
): { readonly lateRatio: number; readonly meanMs: number } {
  if (latency.kind !== 'by-token') return call;
  const { firstToken } = latency;
  return { lateRatio: 1 - firstToken.cdf(capMs), meanMs: meanUpTo(firstToken, capMs) };
}

function meanPauseMs(retry: number, backoff: BackoffSettings): number {
  // The pause is linear in its uniform, whose mean is a half.
  return backoffMs(retry, 0.5, backoff);
}
