// Which of one opening's jobs the opening balance admits at once, before any of them settles: the mix that
// is under way if all lanes were free. It depends on the order, which the table of single classes hides.

import { inFlightCeiling } from './envelope.ts';
import type { PlannedMix } from './night-plan.ts';

export type PlayOrder = 'listed' | 'shuffled' | 'heaviest-first' | 'lightest-first';

interface MixClass {
  readonly count: number;
  readonly envelope: number;
}

export interface MixInput {
  /** As listed. */
  readonly classes: readonly MixClass[];
  readonly poolTokens: number;
  readonly order: PlayOrder;
  /** What is tried once a job does not fit: smaller ones after it, or nothing. */
  readonly backfill: 'smaller' | 'none';
}

/**
 * Goes through the jobs in their order and admits each that still fits. A job that does not fit is passed
 * over and smaller ones after it may still be admitted, as the worker's backfill does; without backfill the
 * first one that does not fit ends it. A job larger than the whole pool never fits, and never blocks.
 *
 * A shuffle is taken at its mean: every class is admitted in the same proportion, and what is left over
 * goes to the smallest that still fit.
 */
export function mixAdmitted({ classes, poolTokens, order, backfill }: MixInput): PlannedMix {
  const admissible = classes.filter(({ envelope }) => envelope <= poolTokens);
  const jobs = classes.reduce((sum, { count }) => sum + count, 0);
  let mix = { admitted: 0, reservedTokens: 0 };
  let queue = inOrder(admissible, order);
  if (order === 'shuffled') {
    const proportion = proportionAdmitted(queue, poolTokens);
    for (const { count, envelope } of queue) mix = admit(mix, Math.floor(count * proportion), envelope);
    queue = queue.map(({ count, envelope }) => ({
      count: backfill === 'none' ? 0 : count - Math.floor(count * proportion),
      envelope,
    }));
  }
  for (const { count, envelope } of queue) {
    const fitting = Math.min(count, inFlightCeiling(poolTokens - mix.reservedTokens, envelope) ?? count);
    mix = admit(mix, fitting, envelope);
    if (fitting < count && backfill === 'none') break;
  }
  return { ...mix, jobs };
}

function inOrder(classes: readonly MixClass[], order: PlayOrder): readonly MixClass[] {
  if (order === 'listed') return classes;
  const sign = order === 'heaviest-first' ? -1 : 1;
  return classes.toSorted((a, b) => sign * (a.envelope - b.envelope));
}

function proportionAdmitted(classes: readonly MixClass[], poolTokens: number): number {
  const wanted = classes.reduce((sum, { count, envelope }) => sum + count * envelope, 0);
  return wanted <= poolTokens ? 1 : poolTokens / wanted;
}

function admit(mix: { admitted: number; reservedTokens: number }, count: number, envelope: number) {
  return { admitted: mix.admitted + count, reservedTokens: mix.reservedTokens + count * envelope };
}
