// When a night is off track: the thresholds of the trip conditions, and what is done when one trips.

import { count, duration, oneOf, percent, strictMap } from './quantity-schema.ts';

/** Many times what any signal can come to: whoever wants one never to trip may say so. */
const NEVER = 1_000;

export const tripsSchema = strictMap({
  window: duration('The sliding window of the three rates.', { above: 0 }).prefault('10 min'),
  least: count('Events in the window before a rate says anything.', { from: 1 }).prefault(20),
  refusalRate: percent('Asks refused, of those that asked, that are still well.').prefault('5%'),
  unspent: percent('Unspent tokens, of those held and settled, that are still well.').prefault('40%'),
  unspentAbove: percent(
    'So far above what envelope and attempts leave by construction is still well, if that is more.',
  ).prefault('10%'),
  confidence: percent('How sure to be that a class overspends more often than its quantile allows.', {
    above: 0,
  }).prefault('95%'),
  queueAge: percent('How much of its declared slack a job may wait.', { above: 0, upTo: NEVER }).prefault(
    '50%',
  ),
  onTrip: oneOf('shed: when the queue of a class trips, no more of it is admitted tonight; none.', [
    'none',
    'shed',
  ]).prefault('none'),
}).describe('When a night is off track, and what is done then.');
