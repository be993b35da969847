// Rules about tokens: what envelopes are made of, and whether the pool can carry them.

import { formatCount } from '../../base/units.ts';
import type { JobClass } from '../../scenario/scenario.ts';
import type { Found, Rules } from './rule.ts';

/** Of fewer observations fifteen or less lie beyond the p95. */
const ENOUGH_SAMPLES = 300;
const TAIL = 0.999;

export const TOKEN_RULES = {
  'envelope-over-capacity': {
    why: 'Such a job is never admitted, on no night, and only a report of inadmissible jobs tells.',
    find: ({ scenario, plan }) => {
      const { pool } = scenario;
      if (pool === undefined) return [];
      return plan.classes.flatMap(({ name, envelope, count }, position) => {
        if (envelope === null || count === 0 || envelope <= pool.capacity) return [];
        const message = `${name} reserves ${formatCount(envelope)} tokens, and the whole pool is ${formatCount(pool.capacity)}`;
        const figure = { measured: envelope, limit: pool.capacity, unit: 'tokens' } as const;
        return [{ path: ['jobs', position, 'envelope'], message, figure }];
      });
    },
  },
  'few-samples': {
    why: 'The p95 of a small sample is a guess, and the envelope is made of it.',
    find: ({ scenario, stated }) =>
      scenario.jobs.flatMap((jobClass, position) => {
        const known = stated.classes[position]!.samples;
        const samples = known ?? rowsOf(jobClass);
        if (samples === undefined || samples >= ENOUGH_SAMPLES) return [];
        const message = `the quantiles of ${jobClass.name} come from ${formatCount(samples)} observations, fewer than ${ENOUGH_SAMPLES}`;
        const figure = { measured: samples, limit: ENOUGH_SAMPLES, unit: 'count' } as const;
        return [{ path: ['jobs', position, known === undefined ? 'from' : 'samples'], message, figure }];
      }),
  },
  'tail-beyond-context': {
    why: 'The model takes no such call: the tail is an artefact of the fitted curve, and envelopes and plans pay for it.',
    find: ({ scenario, stated: { contextTokens } }) =>
      contextTokens === undefined
        ? []
        : scenario.jobs.flatMap((jobClass, position) => beyond(jobClass, position, contextTokens)),
  },
} as const satisfies Rules;

/** Rows of a file are the observations themselves. */
function rowsOf({ tokens }: JobClass): number | undefined {
  return tokens.kind === 'pairs' ? tokens.rows.length : undefined;
}

function beyond({ name, tokens }: JobClass, position: number, contextTokens: number): readonly Found[] {
  if (tokens.kind === 'pairs') return [];
  return (['input', 'output'] as const).flatMap((side) => {
    const tail = Math.round(tokens[side].quantile(TAIL));
    if (tail <= contextTokens) return [];
    const message = `p99.9 of the ${side} of ${name} is ${formatCount(tail)} tokens, and the context ends at ${formatCount(contextTokens)}`;
    const figure = { measured: tail, limit: contextTokens, unit: 'tokens' } as const;
    return [{ path: ['jobs', position, side], message, figure }];
  });
}
