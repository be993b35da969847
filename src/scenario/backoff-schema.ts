// Pauses between attempts, as a scenario writes them: the worker's, and those of a client that retries by
// itself. The same keys with other defaults.

import { duration, oneOf, plainNumber, strictMap } from './quantity-schema.ts';

export function backoffMap(defaults: { readonly base: string; readonly max: string }) {
  return strictMap({
    base: duration('The first pause, at most.').prefault(defaults.base),
    factor: plainNumber('What each further pause is multiplied by.', { from: 1 }).prefault(2),
    max: duration('No pause is longer.').prefault(defaults.max),
    jitter: oneOf('full: anywhere between 0 and the pause; none: always the pause.', [
      'full',
      'none',
    ]).prefault('full'),
  });
}
