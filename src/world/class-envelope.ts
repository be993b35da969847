// A class's envelope from its scenario: one place, so that the plan and the played night set aside the same
// tokens.

import { envelopeTokens } from '../plan/envelope.ts';
import type { JobClass } from '../scenario/scenario.ts';
import { integerQuantile } from '../sim/distribution.ts';

/** Tokens that one job of the class reserves before it is dispatched. */
export function classEnvelope({ envelope, tokens, attempts }: JobClass): number {
  if (envelope.kind === 'tokens') return envelope.tokens;
  return envelopeTokens({
    qInput: integerQuantile(tokens.input, envelope.quantile),
    qOutput: integerQuantile(tokens.output, envelope.quantile),
    fanout: envelope.fanout,
    attempts,
    overhead: envelope.overhead,
  });
}
