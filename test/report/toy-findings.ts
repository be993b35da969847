// What goes wrong in a toy's nights beyond what a toy can play: tokens stranded while others are refused, a bill
// that is not the books', and what the studies found. By hand, so that each sentence can be made to be needed.

import type { StrandedSeries } from '../../src/report/night-series.ts';
import type { ReportInput } from '../../src/report/report-input.ts';
import type { LeaseLength } from '../../src/study/lease-lengths.ts';
import type { LeaseStudy, RefusalStudy, ReportStudies, TripStudy } from '../../src/study/report-studies.ts';
import { driftOf, noDrift } from '../../src/world/drift-account.ts';
import type { DriftCauses } from '../../src/world/run-result.ts';

const MINUTE = 60_000;

export function lease(minutes: number, over: Partial<LeaseLength> = {}): LeaseLength {
  return {
    leaseMs: minutes * MINUTE,
    duplicatedJobs: 0,
    strandedTokenMinutes: minutes * 100_000,
    phantomRefusals: 0,
    done: 500,
    ...over,
  };
}

export function leaseStudy(ownMinutes: number, ...lengths: readonly LeaseLength[]): LeaseStudy {
  return { replications: 1, ownMs: ownMinutes * MINUTE, lengths };
}

export function stranded(over: Partial<StrandedSeries> = {}): StrandedSeries {
  return {
    night: 2,
    capacity: 1_000_000,
    points: [
      { atMs: 5 * MINUTE, tokens: 300_000, expiredTokens: 0 },
      { atMs: 20 * MINUTE, tokens: 300_000, expiredTokens: 300_000 },
      { atMs: 21 * MINUTE, tokens: 0, expiredTokens: 0 },
    ],
    phantoms: [{ fromMs: 6 * MINUTE, toMs: 19 * MINUTE, refusals: 12 }],
    mostTokens: 300_000,
    mostShare: 0.3,
    mostAtMs: 5 * MINUTE,
    mostExpiredTokens: 300_000,
    alarmShare: 0.2,
    alarmTokens: 200_000,
    tokenMinutes: 4_800_000,
    phantomRefusals: 17,
    phantomNights: 2,
    ...over,
  };
}

export const FIRST_TRIPS: TripStudy = {
  replications: 20,
  tripped: 18,
  signals: {
    'refusal-rate': {
      replications: 18,
      first: 16,
      night: { min: 1, p5: 1, p50: 1, p95: 2, max: 3 },
      atMs: { min: 200_000, p5: 241_000, p50: 731_000, p95: 1_511_000, max: 1_700_000 },
    },
    'unspent-ratio': { replications: 0, first: 0, night: null, atMs: null },
    overspend: {
      replications: 2,
      first: 2,
      night: { min: 1, p5: 1, p50: 1, p95: 1, max: 1 },
      atMs: { min: 61_000, p5: 61_000, p50: 61_000, p95: 122_000, max: 122_000 },
    },
    'queue-age': { replications: 0, first: 0, night: null, atMs: null },
  },
  peaks: {
    'refusal-rate': [
      { share: 0.9, replications: 2 },
      { share: 2, replications: 18 },
    ],
    'unspent-ratio': [{ share: 0.4, replications: 20 }],
    overspend: [
      { share: 0, replications: 18 },
      { share: 1.05, replications: 2 },
    ],
    'queue-age': [],
  },
};

export function refusalStudy(classNames: readonly string[], over: Partial<RefusalStudy> = {}): RefusalStudy {
  const each = 40;
  const refused = each * classNames.length;
  return {
    steps: { jobs: 1_000, inadmissible: 7, refused, notReached: 50, admitted: 943 - refused },
    byClass: Object.fromEntries(classNames.map((name) => [name, { refused: each, inadmissible: 0 }])),
    changes: {
      tokens: { from: 5_000_000, to: 5_750_000, refusedThen: 0, doneThen: 930, refusedBefore: 3 },
      order: null,
      envelopePercent: { from: 100, to: 62, refusedThen: 0, doneThen: 941, refusedBefore: 2 },
      lanes: { from: 8, to: 3, refusedThen: 0, doneThen: 611, refusedBefore: 9 },
    },
    tokenStep: 50_000,
    ...over,
  };
}

export function withDrift(input: ReportInput, causes: Partial<DriftCauses>): ReportInput {
  const driftCauses = { ...noDrift(), ...causes };
  const drift = driftOf(driftCauses);
  const free = input.run.pools.free!;
  const books = { ...free, driftCauses, drift, billed: free.consumed + drift };
  return { ...input, run: { ...input.run, pools: { free: books } } };
}

export function withStudies(input: ReportInput, studies: Partial<ReportStudies>): ReportInput {
  return { ...input, studies: { asked: null, leases: null, refusals: null, trips: null, ...studies } };
}

/** All of it at once. */
export function withFindings(input: ReportInput): ReportInput {
  const names = input.scenario.jobs.map(({ name }) => name);
  const found: ReportInput = {
    ...withDrift(input, { overspend: 812_345, neverSettled: 120_001, chargedNotSpent: -250_007 }),
    series: { ...input.series, stranded: stranded() },
  };
  return withStudies(found, {
    trips: FIRST_TRIPS,
    leases: leaseStudy(15, lease(2, { duplicatedJobs: 3 }), lease(5), lease(15), lease(45)),
    refusals: refusalStudy(names.slice(0, 9)),
  });
}
