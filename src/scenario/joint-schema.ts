// What the tokens of a class have to do with each other: long inputs with long outputs, and the turns of a
// session, of which each is sent with all that was said before.

import { z } from 'zod';
import { parseNumber } from '../base/units.ts';
import { countDistribution } from './distribution-schema.ts';
import { refuse, strictMap, tokens } from './quantity-schema.ts';

const EXPECTED = 'a number from -1 to 1';

export const correlationSchema = z
  .union([z.string(), z.number()], { error: () => EXPECTED })
  .transform((written, context): number => {
    const quantity = parseNumber(written);
    if (!quantity.ok) return refuse(context, { ...quantity.problem, expected: EXPECTED });
    if (quantity.value >= -1 && quantity.value <= 1) return quantity.value;
    return refuse(context, {
      code: 'out-of-range',
      message: 'this is no correlation',
      expected: EXPECTED,
    });
  })
  .meta({
    description: "Spearman's rank correlation of a job's input with its outputs.",
    pattern: '^\\s*[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)\\s*$',
    minimum: -1,
    maximum: 1,
  });

export const sessionsSchema = strictMap({
  length: countDistribution('Jobs of one session, at least 1.'),
  context: tokens('The most that an input grows to; left out: all that was said.', { from: 1 }).optional(),
}).describe(
  'The jobs are turns of sessions, listed one after another: each sends, before its own input, the inputs and outputs of its session so far.',
);
