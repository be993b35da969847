// The client between the worker and the provider, where it retries by itself. Its defaults are what common
// clients do when nobody tells them otherwise.

import { backoffMap } from './backoff-schema.ts';
import { count, duration, flag, strictMap } from './quantity-schema.ts';
import { orNone } from './shape-schema.ts';

const clientMap = strictMap({
  attempts: count('Calls that it makes for one attempt of the worker, at most.', {
    from: 1,
    upTo: 100,
  }).prefault(3),
  timeout: duration("Its own timer for each call; the worker's grant, where that is shorter.", {
    above: 0,
  }).prefault('600 s'),
  honoursSignal: flag(
    'true: it ends when the grant does; false: it goes on behind the back of the worker. Under timeouts: fixed it is handed no signal.',
  ).prefault(true),
  timerEndsAtHeaders: flag(
    'true: its timer stops at the first token, and the rest may take any time.',
  ).prefault(true),
  backoff: backoffMap({ base: '0.5 s', max: '8 s' }).describe('Pauses between its calls.').prefault({}),
});

export const clientSchema = orNone(
  'client',
  clientMap,
  'A client that retries by itself. Left out, or none: the worker calls the provider itself.',
);
