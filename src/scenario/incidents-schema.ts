// Periods in which something is wrong with the store, the ledger or a worker: at fixed times, at random, or
// both. One shape for all of them, so that whoever has written one outage can write the others.

import { z } from 'zod';
import { type DistributionSpec, durationDistribution } from './distribution-schema.ts';
import { count, duration, plainNumber, strictMap } from './quantity-schema.ts';
import { orNone } from './shape-schema.ts';

/** What fails more often has no nights to speak of, and would only fill them with its draws. */
const LEAST_BETWEEN_MS = 60_000;

export interface IncidentsSpec {
  readonly at?:
    | readonly {
        readonly night: number;
        readonly from: number;
        readonly lasts: number;
        readonly worker?: number | undefined;
      }[]
    | undefined;
  readonly between?: number | undefined;
  readonly lasts?: DistributionSpec | undefined;
}

export interface SlowSpec extends IncidentsSpec {
  readonly factor: number;
}

export interface MomentsSpec {
  readonly at?:
    | readonly { readonly night: number; readonly from: number; readonly worker: number }[]
    | undefined;
  readonly between?: number | undefined;
}

export interface CrashesSpec extends MomentsSpec {
  readonly restart: number;
}

const night = count('From 1.', { from: 1 }).prefault(1);
const from = duration("From that night's opening.");
const worker = count('Which one, from 1.', { from: 1 }).prefault(1);
const period = { night, from, lasts: duration('From its begin to its end.', { above: 0 }) };

const between = duration('At random: from the end of one to the begin of the next, on average.', {
  from: LEAST_BETWEEN_MS,
}).optional();
const atRandom = {
  between,
  lasts: durationDistribution('At random: how long one lasts.').optional(),
};

function listOf<Item extends z.ZodType>(item: Item, keys: string) {
  return z
    .array(item, { error: () => `a list of ${keys}` })
    .describe('At fixed times.')
    .optional();
}

const PERIODS = '{ night: …, from: …, lasts: … }';
const sharedMap: z.ZodType<IncidentsSpec> = strictMap({
  at: listOf(strictMap(period), PERIODS),
  ...atRandom,
});
const slowMap: z.ZodType<SlowSpec> = strictMap({
  at: listOf(strictMap(period), PERIODS),
  ...atRandom,
  factor: plainNumber('What the latency of a call that begins in one is multiplied by.', { from: 1 }),
});
const workerMap: z.ZodType<IncidentsSpec> = strictMap({
  at: listOf(strictMap({ ...period, worker }), PERIODS),
  ...atRandom,
});
const moments = {
  at: listOf(strictMap({ night, from, worker }), '{ night: …, from: …, worker: … }'),
  between,
};
const momentsMap: z.ZodType<MomentsSpec> = strictMap(moments);
const crashesMap: z.ZodType<CrashesSpec> = strictMap({
  ...moments,
  restart: duration('From the crash until the worker is back.').prefault('2 min'),
});

/** What befalls one thing that all workers share. */
export const incidents = (description: string) => orNone('incidents', sharedMap, description);
/** Periods in which something is not gone but slower. */
export const slowIncidents = (description: string) => orNone('slowIncidents', slowMap, description);
/** What befalls each worker by itself, for a while. */
export const workerIncidents = (description: string) => orNone('workerIncidents', workerMap, description);
/** What befalls each worker by itself, and is not over before the night is. */
export const workerMoments = (description: string) => orNone('workerMoments', momentsMap, description);
export const crashes = (description: string) => orNone('crashes', crashesMap, description);
