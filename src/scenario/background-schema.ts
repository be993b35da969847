// Traffic of others on the same quota: people who ask while the batch runs, and who notice when it leaves
// nothing for them.

import type { z } from 'zod';
import { arriveSchema, volumeSchema } from './arrival-schema.ts';
import { tokenDistribution } from './distribution-schema.ts';
import { duration, strictMap, tokens } from './quantity-schema.ts';
import { orNone } from './shape-schema.ts';

const backgroundMap = strictMap({
  arrive: arriveSchema,
  volume: volumeSchema.optional(),
  input: tokenDistribution('Input tokens of a call.'),
  output: tokenDistribution('Output tokens of a call.'),
  declared: tokens('The most output tokens that a call declares; left out: the most that it can have.', {
    from: 1,
  }).optional(),
  timeout: duration('After so long a call is given up.', { above: 0 }).prefault('60 s'),
});

export const backgroundSchema = orNone(
  'background',
  backgroundMap,
  "Others who call the same provider beside the batch, under the same limits; each calls once, and is gone when it is refused. Only what is left of the provider's quota is theirs.",
);

export type BackgroundSpec = z.output<typeof backgroundMap>;
