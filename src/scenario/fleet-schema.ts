// The workers of a night and what befalls them, and the clocks they go by.

import { z } from 'zod';
import { crashes, workerIncidents, workerMoments } from './incidents-schema.ts';
import { count, duration, flag, oneOf, signedDuration, strictMap } from './quantity-schema.ts';

const MOST_WORKERS = 1_000;

export const fleetSchema = strictMap({
  workers: count('Processes that work on one queue, each with all the lanes.', {
    from: 1,
    upTo: MOST_WORKERS,
  }).prefault(1),
  crashes: crashes('A worker is gone with all its lanes, and comes back after a while.').optional(),
  pauses: workerIncidents(
    'A worker stands still and then goes on: garbage collection, a starved container.',
  ).optional(),
  zombies: workerMoments(
    'The calls of a worker never come back to it, and it renews their leases for ever.',
  ).optional(),
  renewals: flag('Are leases renewed while a call is out?').prefault(true),
}).describe('Who works.');

const night = count('From 1.', { from: 1 }).prefault(1);
const worker = count("Which worker's machine, from 1; left out: all of them.", { from: 1 }).optional();

export const clockSchema = strictMap({
  steps: z
    .array(
      strictMap({
        night,
        at: duration("From that night's opening."),
        by: signedDuration('How far; back with a minus.'),
        worker,
      }),
      { error: () => 'a list of { night: …, at: …, by: … }' },
    )
    .describe('Somebody sets the wall clock.')
    .prefault([]),
  suspensions: z
    .array(
      strictMap({
        night,
        at: duration("From that night's opening."),
        lasts: duration('Until it wakes.', { above: 0 }),
        worker,
      }),
      { error: () => 'a list of { night: …, at: …, lasts: … }' },
    )
    .describe('The machine sleeps: its monotonic clock stands still, the window does not.')
    .prefault([]),
  suspension: oneOf(
    'shorten: a worker that wakes brings its deadline nearer; ignore: it is killed earlier than it thinks.',
    ['shorten', 'ignore'],
  ).prefault('shorten'),
}).describe('What befalls the clocks.');
