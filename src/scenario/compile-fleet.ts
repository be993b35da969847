// The workers, their store, their ledger and their clocks, and what befalls them; with the checks that need
// more than one key, such as a crash rate that leaves no time to work.

import { formatCount, formatDuration } from '../base/units.ts';
import { constant } from '../sim/distributions/constant.ts';
import type { CompileContext } from './compile-jobs.ts';
import { checkPeriod, compileLasts, compilePeriods } from './compile-provider.ts';
import type { IncidentsSpec } from './incidents-schema.ts';
import type { ClockFaults, Fleet, Incidents, ScenarioLedger, WorkerIncidents } from './scenario.ts';
import type { ScenarioRemainder } from './scenario-schema.ts';
import type { Path } from './source-tree.ts';

/** What is wrong is reported; what it answers then is not to be used. */
export function compileFleet(spec: ScenarioRemainder, context: CompileContext): Fleet {
  const { workers, crashes, pauses, zombies, renewals } = spec.fleet;
  const down = crashes && lasting(crashes, crashes.restart);
  checkCrashes(spec, context);
  return {
    workers,
    crashes: down && compileOfWorkers(down, ['fleet', 'crashes'], spec, context),
    pauses: pauses && compileOfWorkers(pauses, ['fleet', 'pauses'], spec, context),
    // It is over with the night, so that its length means nothing.
    zombies: zombies && compileOfWorkers(lasting(zombies, 1), ['fleet', 'zombies'], spec, context),
    renewals,
  };
}

export function compileLedger(spec: ScenarioRemainder, context: CompileContext): ScenarioLedger | undefined {
  const { latency, contention, outages } = spec.ledger;
  const distribution = context.distributions.build(latency, ['ledger', 'latency'], 'duration');
  return (
    distribution && {
      latency: distribution,
      contention,
      outages: outages && compileIncidents(outages, ['ledger', 'outages'], spec, context),
    }
  );
}

/** Undefined where nothing is said. */
export function compileStoreFaults(
  spec: ScenarioRemainder,
  context: CompileContext,
): { readonly outages: Incidents | undefined; readonly full: Incidents | undefined } {
  const { outages, full } = spec.store;
  return {
    outages: outages && compileIncidents(outages, ['store', 'outages'], spec, context),
    full: full && compileIncidents(full, ['store', 'full'], spec, context),
  };
}

export function compileClock(spec: ScenarioRemainder, context: CompileContext): ClockFaults {
  const { steps, suspensions, suspension } = spec.clock;
  for (const [position, { night, at, lasts }] of suspensions.entries()) {
    checkPeriod({ night, from: at, lasts }, ['clock', 'suspensions', position], spec, context, 'at');
  }
  for (const [position, { night, at }] of steps.entries()) {
    checkPeriod({ night, from: at, lasts: 0 }, ['clock', 'steps', position], spec, context, 'at');
  }
  checkWorkers(steps, ['clock', 'steps'], spec, context);
  checkWorkers(suspensions, ['clock', 'suspensions'], spec, context);
  return {
    steps: steps.map(({ night, at, by, worker }) => ({ night, atMs: at, byMs: by, worker })),
    suspensions: suspensions.map(({ night, at, lasts, worker }) => ({
      night,
      atMs: at,
      lastsMs: lasts,
      worker,
    })),
    suspension,
  };
}

/** Checks that the termination signal comes while calls are still out. */
export function checkGrace({ window, budget }: ScenarioRemainder, { findings }: CompileContext): void {
  if (window === undefined || window.grace <= budget.reserve) return;
  findings.contradiction(
    [
      ['window', 'grace'],
      ['budget', 'reserve'],
    ],
    {
      message: 'the termination signal comes before the reserve, while calls are still granted',
      expected: `at most ${formatDuration(budget.reserve)}`,
      got: formatDuration(window.grace),
    },
  );
}

function lasting(
  moments: Pick<IncidentsSpec, 'between'> & {
    readonly at?:
      | readonly { readonly night: number; readonly from: number; readonly worker: number }[]
      | undefined;
  },
  lastsMs: number,
): IncidentsSpec {
  const { at, between } = moments;
  const lasts = { shape: 'constant', value: lastsMs } as const;
  return { at: at?.map((one) => ({ ...one, lasts: lastsMs })), between, lasts };
}

function compileOfWorkers(
  written: IncidentsSpec,
  path: Path,
  spec: ScenarioRemainder,
  context: CompileContext,
): WorkerIncidents {
  checkWorkers(written.at ?? [], [...path, 'at'], spec, context);
  const { at, random } = compileIncidents(written, path, spec, context);
  return {
    at: at.map((period, position) => ({ ...period, worker: written.at?.[position]?.worker ?? 1 })),
    random,
  };
}

function compileIncidents(
  written: IncidentsSpec,
  path: Path,
  spec: ScenarioRemainder,
  context: CompileContext,
): Incidents {
  const at = compilePeriods(written, path, spec, context);
  const lasts = compileLasts(written, path, spec, context);
  const { findings } = context;
  if (written.at === undefined && written.between === undefined && !findings.isBroken(path)) {
    const expected = 'at: [{ night: …, from: …, … }], or between: …';
    findings.report(path, { code: 'missing-key', message: 'it does not say when', expected });
  }
  if (written.between === undefined) return { at, random: undefined };
  if (written.lasts === undefined && !findings.isBroken([...path, 'lasts'])) {
    const expected = 'lasts: { p50: …, p95: … }';
    findings.report(path, { code: 'missing-key', message: 'the key "lasts" is missing', expected });
  }
  return { at, random: { betweenMs: written.between, lasts: lasts ?? constant(0) } };
}

function checkWorkers(
  listed: readonly { readonly worker?: number | undefined }[],
  path: Path,
  { fleet }: ScenarioRemainder,
  { findings }: CompileContext,
): void {
  for (const [position, { worker = 1 }] of listed.entries()) {
    if (worker <= fleet.workers) continue;
    findings.contradiction(
      [
        [...path, position, 'worker'],
        ['fleet', 'workers'],
      ],
      {
        message: 'there is no such worker',
        expected: `at most ${formatCount(fleet.workers)}`,
        got: formatCount(worker),
      },
    );
  }
}

/** A worker that crashes before a call is worth starting never gets anything done. */
function checkCrashes({ fleet, budget }: ScenarioRemainder, { findings }: CompileContext): void {
  const between = fleet.crashes?.between;
  if (between === undefined) return;
  const { restart = 0 } = fleet.crashes ?? {};
  const needed = Math.max(restart, budget.floor);
  if (between > needed) return;
  const [key, why] =
    restart >= budget.floor
      ? ([['fleet', 'crashes', 'restart'], 'a worker takes longer to come back than it stays'] as const)
      : ([['budget', 'floor'], 'a worker crashes before a call is worth starting'] as const);
  findings.contradiction([['fleet', 'crashes', 'between'], key], {
    message: `no time is left to work: ${why}`,
    expected: `more than ${formatDuration(needed)}`,
    got: formatDuration(between),
  });
}
