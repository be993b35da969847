// The trip conditions of one run: what the user said about them, checked, and the watch over the queue that
// hears what the driver hears.

import { InputError, type Problem } from '../base/errors.ts';
import type { JobQueue } from '../worker/job-queue.ts';
import { TripMonitor } from '../worker/trip-monitor.ts';
import {
  type ClassExpectation,
  DEFAULT_TRIPS,
  type Trip,
  type TripThresholds,
} from '../worker/trip-settings.ts';
import { type TripReaction, TripWatch, tabledReaction } from '../worker/trip-watch.ts';
import { unknownKeys } from './option-problems.ts';

export interface QueueTrips<Job> {
  /** Which kind of job it is: overspend, unspent tokens and age are of one class each. Default: all are `job`. */
  readonly class?: (job: Job) => string;
  /** What is known of each class: its slack, its envelope's quantile, what that leaves unspent. */
  readonly classes?: Readonly<Record<string, ClassExpectation>>;
  /** Where they are to differ from the defaults. */
  readonly thresholds?: Partial<TripThresholds>;
  /**
   * Told of every alert and every trip, `atMs` counted from the run's beginning. What it answers is done:
   * `shed` admits no more of the trip's class tonight (of a pool's: of any), and the jobs that wait are
   * deferred, cause `shed`; `none` goes on. Where it answers nothing, a class whose queue is too old is shed,
   * and nothing else is.
   */
  readonly onTrip?: (trip: Trip) => TripReaction | undefined;
}

const OPTIONS: { readonly [Option in keyof Required<QueueTrips<unknown>>]: true } = {
  class: true,
  classes: true,
  thresholds: true,
  onTrip: true,
};
const EXPECTATION: { readonly [Key in keyof Required<ClassExpectation>]: true } = {
  slackMs: true,
  quantile: true,
  unspentRatio: true,
};

/** Of jobs that nobody told apart. */
const ONLY_CLASS = 'job';

/** Options that do not exist. */
export function tripProblems<Job>(trips: QueueTrips<Job> | undefined): readonly Problem[] {
  if (trips === undefined) return [];
  return [
    ...unknownKeys('trips', trips, Object.keys(OPTIONS)),
    ...unknownKeys('trips.thresholds', trips.thresholds ?? {}, Object.keys(DEFAULT_TRIPS)),
    ...Object.entries(trips.classes ?? {}).flatMap(([name, one]) =>
      unknownKeys(`trips.classes.${name}`, one, Object.keys(EXPECTATION)),
    ),
  ];
}

/** @throws RangeError naming the setting and the value that cannot be meant */
export function checkTrips<Job>({ thresholds = {}, classes = {} }: QueueTrips<Job>): void {
  const all = { ...DEFAULT_TRIPS, ...thresholds };
  const within = (name: string, value: number | undefined, isWell: boolean, expected: string) => {
    if (value !== undefined && !isWell) {
      throw new RangeError(`trips.${name} must be ${expected}, got ${String(value)}`);
    }
  };
  const { windowMs, leastEvents, overspendConfidence, queueAgeOfSlack } = all;
  within('thresholds.windowMs', windowMs, windowMs > 0, 'above 0');
  const isCount = Number.isSafeInteger(leastEvents) && leastEvents >= 1;
  within('thresholds.leastEvents', leastEvents, isCount, 'a whole number from 1');
  for (const name of ['refusalRate', 'unspentRatio', 'unspentAboveExpected'] as const) {
    within(`thresholds.${name}`, all[name], all[name] >= 0, 'a fraction from 0');
  }
  const isSure = overspendConfidence > 0 && overspendConfidence < 1;
  within('thresholds.overspendConfidence', overspendConfidence, isSure, 'above 0 and below 1');
  within('thresholds.queueAgeOfSlack', queueAgeOfSlack, queueAgeOfSlack > 0, 'above 0');
  for (const [name, { slackMs, quantile, unspentRatio }] of Object.entries(classes)) {
    within(`classes.${name}.slackMs`, slackMs, (slackMs ?? 1) > 0, 'above 0');
    within(
      `classes.${name}.quantile`,
      quantile,
      (quantile ?? 1) > 0 && (quantile ?? 1) <= 1,
      'above 0, up to 1',
    );
    within(`classes.${name}.unspentRatio`, unspentRatio, (unspentRatio ?? 0) >= 0, 'a fraction from 0');
  }
}

/** @throws InputError where a job's class is no name */
export function classOf<Job>(trips: QueueTrips<Job> | undefined, job: Job, jobId: string): string {
  const name: unknown = trips?.class === undefined ? ONLY_CLASS : trips.class(job);
  if (typeof name === 'string' && name !== '') return name;
  throw new InputError({
    code: 'wrong-class',
    message: `trips.class of job ${JSON.stringify(jobId)} is no name`,
    expected: 'a text',
    got: typeof name === 'string' ? JSON.stringify(name) : String(name),
  });
}

/** @param pool undefined where no tokens are watched: the age of the queue is all there is then */
export function watchTrips<Job>(
  { classes = {}, thresholds = {}, onTrip }: QueueTrips<Job>,
  queue: JobQueue<Job>,
  classOfJob: ReadonlyMap<string, string>,
  pool: string | undefined,
): TripWatch<Job> {
  return new TripWatch({
    monitor: new TripMonitor({
      pool: pool ?? null,
      thresholds,
      classes: new Map(Object.entries(classes)),
    }),
    queue,
    openedAtMs: 0,
    classes: [...new Set(classOfJob.values())],
    classOf: (jobId) => classOfJob.get(jobId),
    told: (trip) => onTrip?.(trip) ?? tabledReaction(trip),
  });
}
