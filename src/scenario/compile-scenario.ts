// From what a scenario file says to what the planner and the world work from: defaults that depend on other
// keys, distributions ready to be drawn, and the checks that need more than one key.

import { formatDuration, formatPercent } from '../base/units.ts';
import { DistributionBuilder } from './build-distribution.ts';
import type { ColumnFiles } from './column-files.ts';
import { compileBackground } from './compile-background.ts';
import { compileCalendar } from './compile-calendar.ts';
import {
  checkGrace,
  compileClock,
  compileFleet,
  compileLedger,
  compileStoreFaults,
} from './compile-fleet.ts';
import { checkGate } from './compile-gate.ts';
import { type CompileContext, compileJobs } from './compile-jobs.ts';
import { compileClient, compileFaults } from './compile-provider.ts';
import { compileRefills } from './compile-refills.ts';
import { compileWeather } from './compile-weather.ts';
import type { Findings } from './findings.ts';
import type { Latency, Scenario, ScenarioPool, Trips } from './scenario.ts';
import type { LatencySpec, PoolSpec, ScenarioRemainder } from './scenario-schema.ts';
import { usualLengthMs } from './window-schema.ts';

/** A run's virtual time stays below this, so that double precision keeps every sum to a microsecond. */
const TIMES_BELOW_MS = 1e12;

/**
 * @param spec what could be read; parts that were wrong may be missing, and have been reported
 * @returns undefined where anything is missing or wrong, which then has been reported
 */
export function compileScenario(
  spec: ScenarioRemainder,
  defaultName: string,
  findings: Findings,
  columns: ColumnFiles,
): Scenario | undefined {
  const calendar = compileCalendar(spec, findings);
  const context: CompileContext = {
    findings,
    columns,
    calendar,
    distributions: new DistributionBuilder(findings, columns),
  };
  checkTimes(spec, findings);
  checkFaults(spec, findings);
  const jobs = compileJobs(spec, context);
  const pool = spec.pool === undefined ? undefined : compilePool(spec.pool, spec, context);
  const latency = spec.provider && compileLatency(spec.provider.latency, context);
  const background = compileBackground(spec, context);
  const faults = spec.provider && compileFaults(spec.provider, spec, context);
  const write = context.distributions.build(spec.store.write, ['store', 'write'], 'duration');
  const storeFaults = compileStoreFaults(spec, context);
  const ledger = compileLedger(spec, context);
  const fleet = compileFleet(spec, context);
  const clock = compileClock(spec, context);
  checkGrace(spec, context);
  checkGate(spec, findings);
  const { window, provider } = spec;
  if (findings.problems.length > 0) return undefined;
  if (jobs === undefined || latency === undefined || write === undefined) return undefined;
  if (window === undefined || provider === undefined || faults === undefined) return undefined;
  const lastsMs = usualLengthMs(window);
  if (ledger === undefined || lastsMs === undefined) return undefined;
  return {
    name: spec.name ?? defaultName,
    seed: spec.seed,
    nights: spec.nights,
    window: { lastsMs, everyMs: window.every, graceMs: window.grace },
    calendar,
    budget: {
      reserveMs: spec.budget.reserve,
      floorMs: spec.budget.floor,
      capMs: spec.budget.cap,
      attempts: spec.budget.attempts,
    },
    lanes: spec.lanes,
    pool,
    jobs,
    order: spec.order,
    backfill: spec.backfill,
    backoff: {
      baseMs: spec.backoff.base,
      factor: spec.backoff.factor,
      maxMs: spec.backoff.max,
      jitter: spec.backoff.jitter,
    },
    provider: {
      latency,
      hangs: provider.hangs,
      errors: provider.errors,
      invalid: provider.invalid,
      usage: provider.usage,
      ...faults,
    },
    client: spec.client && compileClient(spec.client),
    store: {
      write,
      writers: spec.store.writers,
      flushMs: spec.store.flush,
      contention: spec.store.contention,
      ...storeFaults,
    },
    ledger,
    weather: compileWeather(spec.weather),
    background,
    fleet,
    clock,
    policy: spec.policy,
    trips: compileTrips(spec.trips),
    compare: [],
  };
}

function checkTimes({ window, budget, nights }: ScenarioRemainder, findings: Findings): void {
  if (budget.floor > budget.cap) {
    findings.contradiction(
      [
        ['budget', 'floor'],
        ['budget', 'cap'],
      ],
      {
        message: 'no call is ever granted: the floor is above the cap',
        expected: `at most ${formatDuration(budget.cap)}`,
        got: formatDuration(budget.floor),
      },
    );
  }
  if (window === undefined) return;
  const lastsMs = usualLengthMs(window) ?? Number.NaN;
  if (budget.reserve >= lastsMs) {
    findings.contradiction(
      [
        ['budget', 'reserve'],
        ['window', 'lasts'],
      ],
      {
        message: 'the reserve leaves nothing of the window',
        expected: `less than ${formatDuration(lastsMs)}`,
        got: formatDuration(budget.reserve),
      },
    );
  }
  if (lastsMs > window.every) {
    findings.contradiction(
      [
        ['window', 'lasts'],
        ['window', 'every'],
      ],
      {
        message: 'the next night opens before this one is over',
        expected: `at most ${formatDuration(window.every)}`,
        got: formatDuration(lastsMs),
      },
    );
  }
  if (nights * window.every >= TIMES_BELOW_MS) {
    findings.contradiction([['nights'], ['window', 'every']], {
      message: 'so many nights take longer than time is kept for',
      expected: `less than ${formatDuration(TIMES_BELOW_MS)} in all`,
      got: formatDuration(nights * window.every),
    });
  }
}

function checkFaults({ provider }: ScenarioRemainder, findings: Findings): void {
  if (provider === undefined) return;
  const share = provider.hangs + provider.errors + provider.invalid;
  // Sums such as 10% + 20% + 70% may come out a hair above 1.
  if (share <= 1 + 1e-12) return;
  findings.contradiction(
    [
      ['provider', 'hangs'],
      ['provider', 'errors'],
      ['provider', 'invalid'],
    ],
    {
      message:
        'hangs, errors and invalid answers exclude each other, and together are more than all attempts',
      expected: 'at most 100% in all',
      got: formatPercent(share),
    },
  );
}

function compilePool(pool: PoolSpec, spec: ScenarioRemainder, context: CompileContext): ScenarioPool {
  const { name, tokens, funded, lease, maxLease, refill } = pool;
  const capacity = fundedTokens(tokens, funded);
  const leases = { leaseMs: lease, maxLeaseMs: maxLease };
  const refillsAtMs = compileRefills(pool, spec, context);
  return { name, quota: tokens, capacity, funded, ...leases, refill, refillsAtMs };
}

function compileTrips(spec: ScenarioRemainder['trips']): Trips {
  return {
    windowMs: spec.window,
    leastEvents: spec.least,
    refusalRate: spec.refusalRate,
    unspentRatio: spec.unspent,
    unspentAboveExpected: spec.unspentAbove,
    overspendConfidence: spec.confidence,
    queueAgeOfSlack: spec.queueAge,
    onTrip: spec.onTrip,
  };
}

/** `floor(quota × funded)`, but 29 % of 100 is 29, though it is a hair less in double precision. */
function fundedTokens(quota: number, funded: number): number {
  const exact = quota * funded;
  const whole = Math.round(exact);
  return Math.abs(exact - whole) <= 2 * Number.EPSILON * whole ? whole : Math.floor(exact);
}

function compileLatency(spec: LatencySpec, { distributions }: CompileContext): Latency | undefined {
  const path = ['provider', 'latency'];
  switch (spec.kind) {
    case 'whole-grant':
      return { kind: 'whole-grant' };
    case 'direct': {
      const call = distributions.build(spec.call, path, 'duration');
      return call && { kind: 'direct', call };
    }
    case 'by-token': {
      const firstToken = distributions.build(spec.firstToken, [...path, 'firstToken'], 'duration');
      const perToken = distributions.build(spec.perToken, [...path, 'perToken'], 'duration');
      return firstToken && perToken && { kind: 'by-token', firstToken, perToken };
    }
  }
}
