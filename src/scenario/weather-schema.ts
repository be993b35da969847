// How the weather is written: how strongly calls of one time, or outputs of neighbouring jobs, move together, for
// how long, and which of them share it.

import { z } from 'zod';
import { parseCount } from '../base/units.ts';
import { duration, oneOf, percent, refuse, strictMap } from './quantity-schema.ts';
import { orNone } from './shape-schema.ts';

/** What changes faster is no weather: it is in every call's own latency already. */
const LEAST_LASTS_MS = 10_000;

const strength = percent(
  'How much of what makes a draw high or low is the weather: the correlation of two draws under the same weather, in normal scores.',
);

function sharedBy(description: string, fallback: 'class' | 'provider') {
  return oneOf(description, ['night', 'class', 'provider']).prefault(fallback);
}

const EXPECTED = 'a number of jobs, such as 2000 jobs';

/** A distance in the order in which jobs are listed; `2000 jobs`. */
function jobs(description: string) {
  return z
    .union([z.string(), z.number()], { error: () => EXPECTED })
    .transform((written, context): number => {
      const [, number = '', word] = /^\s*([^a-zA-Z]*?)\s*([a-zA-Z].*?)?\s*$/s.exec(String(written)) ?? [];
      const quantity = parseCount(number);
      if (word === undefined && quantity.ok) {
        const message = `which unit? ${number} has none`;
        return refuse(context, {
          code: 'missing-unit',
          message,
          expected: EXPECTED,
          nearest: `${number} jobs`,
        });
      }
      if (word !== 'jobs' && word !== 'job') {
        const message = 'the order of jobs is counted in jobs, not in time';
        return refuse(context, { code: 'wrong-unit', message, expected: EXPECTED });
      }
      if (!quantity.ok) return refuse(context, { ...quantity.problem, expected: EXPECTED });
      if (quantity.value >= 1) return quantity.value;
      return refuse(context, { code: 'out-of-range', message: 'this is too little', expected: EXPECTED });
    })
    .meta({ description, pattern: '^\\s*\\+?[0-9][0-9_]*\\s*jobs?\\s*$' });
}

const lasts = duration('After so long two draws have 37 % of it in common.', { from: LEAST_LASTS_MS });

const weatherMap = strictMap({
  latency: strictMap({
    strength,
    lasts,
    shared: sharedBy(
      'night: one for all calls, anew each night; class: one for each class; provider: one for all calls.',
      'provider',
    ),
  })
    .describe('Calls that begin at about the same time are slow together.')
    .optional(),
  output: strictMap({
    strength,
    lasts: jobs('So many jobs further on, two draws have 37 % of it in common.'),
    shared: sharedBy(
      'night: one for all jobs, anew each night; class: one for each class; provider: one for all jobs.',
      'class',
    ),
  })
    .describe('Jobs that are listed near each other have long outputs together.')
    .optional(),
  store: strictMap({ strength, lasts })
    .describe('Checkpoints that are written at about the same time are slow together.')
    .optional(),
});

export const weatherSchema = orNone(
  'weather',
  weatherMap,
  'What draws have in common. Each quantile stays as it is written; left out, every draw is by itself.',
);

export type WeatherSpec = z.output<typeof weatherMap>;
