// The provider and the client beside their latency: limits, outages, slow periods, retries; with the checks
// that need more than one key, such as an outage that nobody would see the end of.

import { formatCount, formatDuration } from '../base/units.ts';
import type { Distribution } from '../sim/distribution.ts';
import { p50p95 } from '../sim/distributions/log-normal.ts';
import type { CompileContext } from './compile-jobs.ts';
import type { IncidentsSpec } from './incidents-schema.ts';
import type { Incidents, RetryingClient, Scenario } from './scenario.ts';
import type { ClientSpec, JobSpec, ProviderSpec, ScenarioRemainder } from './scenario-schema.ts';
import type { Path } from './source-tree.ts';
import { usualLengthMs } from './window-schema.ts';

type Faults = Pick<Scenario['provider'], 'limits' | 'slowdown' | 'outages' | 'slow' | 'billing'>;

const HOUR_MS = 3_600_000;

/**
 * Time between outages and their durations, from the incident reports of two large providers (5.2 and 5.6
 * days; X. Chu et al., "An Empirical Characterization of Outages and Incidents in Public Services for Large
 * Language Models", ICPE 2025), the durations as the log-normal distribution that fits them. Its mean is
 * 2.0 h; the published means, 2.6 and 2.8 h, have a heavier tail.
 */
const PUBLISHED = {
  betweenMs: 5.4 * 24 * HOUR_MS,
  lasts: p50p95({ p50: 1.24 * HOUR_MS, p95: 6.2 * HOUR_MS }),
};

/** What is wrong is reported; what it answers then is not to be used. */
export function compileFaults(
  provider: ProviderSpec,
  spec: ScenarioRemainder,
  context: CompileContext,
): Faults {
  const { limits, slowdown, outages, slow, billing } = provider;
  return {
    limits: limits && {
      requests: limits.requests,
      tokens: limits.tokens,
      counts: limits.counts,
      charge: limits.charge,
      enforced: limits.enforced,
      concurrency: limits.concurrency,
      retryAfter: limits.retryAfter,
    },
    slowdown,
    outages: outages && compileOutages(outages, spec, context),
    slow: slow && { ...compileSlow(slow, spec, context), factor: slow.factor },
    billing,
  };
}

/** Without fixed times, or with either of its two figures, there is a random process. */
function compileOutages(outages: IncidentsSpec, spec: ScenarioRemainder, context: CompileContext): Incidents {
  const path = ['provider', 'outages'];
  const isRandom = outages.at === undefined || outages.between !== undefined || outages.lasts !== undefined;
  const lasts = compileLasts(outages, path, spec, context) ?? PUBLISHED.lasts;
  return {
    at: compilePeriods(outages, path, spec, context),
    random: isRandom ? { betweenMs: outages.between ?? PUBLISHED.betweenMs, lasts } : undefined,
  };
}

/** Nothing is published about these: who wants them at random has to say how. */
function compileSlow(slow: IncidentsSpec, spec: ScenarioRemainder, context: CompileContext): Incidents {
  const path = ['provider', 'slow'];
  const lasts = compileLasts(slow, path, spec, context);
  const at = compilePeriods(slow, path, spec, context);
  const isRandom = slow.at === undefined || slow.between !== undefined || slow.lasts !== undefined;
  if (!isRandom) return { at, random: undefined };
  for (const key of ['between', 'lasts'] as const) {
    if (slow[key] !== undefined || context.findings.isBroken([...path, key])) continue;
    context.findings.report(path, {
      code: 'missing-key',
      message: `the key "${key}" is missing`,
      expected: 'at: [{ night: …, from: …, lasts: … }], or between and lasts',
    });
  }
  return { at, random: lasts && slow.between !== undefined ? { betweenMs: slow.between, lasts } : undefined };
}

/** Of the random ones; undefined where nothing is said. */
export function compileLasts(
  { lasts: written }: IncidentsSpec,
  path: Path,
  spec: ScenarioRemainder,
  { findings, distributions }: CompileContext,
): Distribution | undefined {
  const lasts = written && distributions.build(written, [...path, 'lasts'], 'duration');
  if (lasts === undefined) return undefined;
  const runMs = lengthOfRunMs(spec);
  const shortestMs = lasts.quantile(0);
  if (runMs !== undefined && shortestMs > runMs) {
    findings.contradiction([[...path, 'lasts'], ['nights'], ['window', 'every']], {
      message: 'each of these is longer than the whole run',
      expected: `some of at most ${formatDuration(runMs)}`,
      got: `at least ${formatDuration(shortestMs)}`,
    });
  }
  return lasts;
}

/** Those at fixed times. */
export function compilePeriods(
  { at = [] }: IncidentsSpec,
  path: Path,
  spec: ScenarioRemainder,
  context: CompileContext,
): Incidents['at'] {
  for (const [position, period] of at.entries()) {
    checkPeriod(period, [...path, 'at', position], spec, context);
  }
  return at.map(({ night, from, lasts }) => ({ night, fromMs: from, lastsMs: lasts }));
}

/** @param fromKey where its begin is written */
export function checkPeriod(
  { night, from, lasts }: { readonly night: number; readonly from: number; readonly lasts: number },
  path: Path,
  spec: ScenarioRemainder,
  { findings }: CompileContext,
  fromKey = 'from',
): void {
  const runMs = lengthOfRunMs(spec);
  if (night > spec.nights) {
    findings.contradiction([[...path, 'night'], ['nights']], {
      message: 'there is no such night',
      expected: `at most ${formatCount(spec.nights)}`,
      got: formatCount(night),
    });
  }
  const lastsMs = spec.window && usualLengthMs(spec.window);
  if (lastsMs !== undefined && from >= lastsMs) {
    findings.contradiction(
      [
        [...path, fromKey],
        ['window', 'lasts'],
      ],
      {
        message: 'it would begin after the kill',
        expected: `less than ${formatDuration(lastsMs)}`,
        got: formatDuration(from),
      },
    );
  }
  if (runMs !== undefined && lasts > runMs) {
    findings.contradiction([[...path, 'lasts'], ['nights'], ['window', 'every']], {
      message: 'it is longer than the whole run',
      expected: `at most ${formatDuration(runMs)}`,
      got: formatDuration(lasts),
    });
  }
}

/** From the first opening to the last kill. */
function lengthOfRunMs({ nights, window }: ScenarioRemainder): number | undefined {
  const lastsMs = window && usualLengthMs(window);
  return lastsMs === undefined || window === undefined ? undefined : (nights - 1) * window.every + lastsMs;
}

export function compileClient(client: ClientSpec): RetryingClient {
  const { attempts, timeout, honoursSignal, timerEndsAtHeaders, backoff } = client;
  const { base, factor, max, jitter } = backoff;
  return {
    attempts,
    timeoutMs: timeout,
    honoursSignal,
    timerEndsAtHeaders,
    backoff: { baseMs: base, factor, maxMs: max, jitter },
  };
}

/** The most output that a job's calls declare; undefined where nobody charges it, or where that is wrong. */
export function compileDeclared(
  job: Pick<JobSpec, 'declared'>,
  output: Distribution,
  path: Path,
  { provider }: ScenarioRemainder,
  { findings }: CompileContext,
): number | undefined {
  const most = Math.round(output.quantile(1));
  if (job.declared !== undefined && job.declared < most) {
    findings.contradiction(
      [
        [...path, 'declared'],
        [...path, 'output'],
        [...path, 'from'],
      ],
      {
        message: 'an output can be longer than what its call declares',
        expected: Number.isFinite(most)
          ? `at least ${formatCount(most)}`
          : 'an output with a max, and no more than that declared',
        got: formatCount(job.declared),
      },
    );
  }
  if (provider?.limits?.tokens === undefined || provider.limits.charge !== 'declared') return undefined;
  if (job.declared === undefined && !Number.isFinite(most)) {
    findings.contradiction(
      [
        [...path, 'output'],
        ['provider', 'limits', 'charge'],
      ],
      {
        message: 'the provider charges the declared maximum, and this has none: give it a max',
        expected: '{ p50: …, p95: …, max: … }',
      },
    );
  }
  return job.declared ?? most;
}
