// What to change where workers crashed, stood still or lost their jobs, where ledger or store gave no answer,
// and where a trip condition ended the night.

import type { Advice } from './advice.ts';
import type { Findings } from './findings.ts';
import type { ReportInput } from './report-input.ts';

const MINUTE_MS = 60_000;
/** A lease is to outlast a pause by as much again. */
const LEASE_OF_PAUSE = 2;
/** Shorter leases than this make more trouble than they save. */
const SHORTEST_LEASE_MS = MINUTE_MS;

export function workersInTrouble(input: ReportInput, findings: Findings): readonly Advice[] {
  const { scenario, series } = input;
  const { losses, waits, fleet } = series;
  const lost = losses.calls.crash + losses.answers.crash;
  const advice: Advice[] = [...leaseAdvice(input, findings, lost + waits.stranded)];
  const workers = scenario.fleet?.workers ?? 1;
  if (waits.down > 0 || (workers === 1 && lost + waits.stranded > 0)) {
    advice.push({
      kind: 'workers',
      crashes: fleet.crashes,
      from: workers,
      set: `fleet.workers=${workers + 1}`,
    });
  }
  return advice;
}

/** Shorter for what crashes leave behind; longer, or renewed, for what pauses lose. */
function leaseAdvice(
  { scenario, run, series }: ReportInput,
  { duplicated }: Findings,
  leftBehind: number,
): readonly Advice[] {
  if (scenario.pool === undefined) return [];
  const fromMs = scenario.pool.leaseMs;
  const held = run.nights.reduce((total, { deferCauses }) => total + (deferCauses['hold-lost'] ?? 0), 0);
  if (duplicated + held > 0) {
    const facts = { duplicated, lost: held };
    if (scenario.fleet?.renewals === false) {
      return [{ kind: 'renewals', ...facts, set: 'fleet.renewals=true' }];
    }
    const toMs = wholeMs(LEASE_OF_PAUSE * Math.max(fromMs, series.fleet.longestPauseMs ?? 0));
    return [{ kind: 'longer-lease', ...facts, fromMs, toMs, set: `pool.lease=${durationWord(toMs)}` }];
  }
  if (leftBehind === 0) return [];
  const longestPauseMs = series.fleet.longestPauseMs;
  const least = Math.max(SHORTEST_LEASE_MS, (longestPauseMs ?? 0) * 1.2);
  const toMs = wholeMs(Math.max(least, fromMs / 3));
  if (toMs >= fromMs) return [];
  return [
    {
      kind: 'shorter-lease',
      jobs: leftBehind,
      fromMs,
      toMs,
      longestPauseMs,
      set: `pool.lease=${durationWord(toMs)}`,
    },
  ];
}

export function storesInTrouble({ run, series }: ReportInput): readonly Advice[] {
  const jobs = (cause: 'ledger-unavailable' | 'checkpoint-failed' | 'shed'): number =>
    run.nights.reduce((total, { deferCauses }) => total + (deferCauses[cause] ?? 0), 0);
  const advice: Advice[] = [];
  const unheld = jobs('ledger-unavailable') + series.waits.ledger;
  if (unheld > 0) advice.push({ kind: 'ledger', jobs: unheld });
  const unwritten = jobs('checkpoint-failed') + series.losses.answers.store + series.waits.store;
  if (unwritten > 0) advice.push({ kind: 'store', jobs: unwritten });
  if (jobs('shed') > 0) advice.push({ kind: 'shed', jobs: jobs('shed'), set: 'trips.onTrip=none' });
  return advice;
}

/** Rounded up to what a person would write. */
function wholeMs(ms: number): number {
  const step = ms > 2 * MINUTE_MS ? MINUTE_MS : 1000;
  return Math.ceil(ms / step) * step;
}

function durationWord(ms: number): string {
  return ms % MINUTE_MS === 0 ? `${ms / MINUTE_MS}min` : `${ms / 1000}s`;
}
