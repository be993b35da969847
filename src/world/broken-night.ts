// A played night in which an invariant broke: where, and what happened last, so that it can be played again
// and looked at. What a command line would say to replay it is for whoever knows the command line.

import { InvariantBroken } from '../base/errors.ts';
import type { LastEvents } from './last-events.ts';
import type { WorldEvent } from './world-event.ts';

/** Which night of which played scenario. */
export interface NightPlace {
  readonly scenario: string;
  readonly seed: string;
  /** Undefined: the scenario itself. */
  readonly variant: string | undefined;
  readonly replication: number;
  /** From 1. */
  readonly night: number;
}

export class BrokenNight extends InvariantBroken {
  readonly place: NightPlace;
  /** Milliseconds after the opening; undefined where it was found before the opening, or after the end. */
  readonly atMs: number | undefined;
  /** At most twenty, the oldest first. */
  readonly events: readonly WorldEvent[];

  constructor(
    error: InvariantBroken,
    place: NightPlace,
    { atMs, events = [] }: { readonly atMs?: number; readonly events?: readonly WorldEvent[] } = {},
  ) {
    super(error.invariant, `${error.detail} (${described(place, atMs)})${listed(events)}`, { cause: error });
    this.name = 'BrokenNight';
    this.place = place;
    this.atMs = atMs;
    this.events = events;
  }
}

/** What `work` answers, before or after the night itself; an invariant that it breaks is told with the night. */
export function inNight<Result>(place: NightPlace, last: LastEvents, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvariantBroken) || error instanceof BrokenNight) throw error;
    throw new BrokenNight(error, place, { events: last.list() });
  }
}

function described({ scenario, seed, variant, replication, night }: NightPlace, atMs?: number): string {
  const whose = variant === undefined ? '' : `, variant ${variant}`;
  const when = atMs === undefined ? 'before or after it' : `${atMs} ms after the opening`;
  return `scenario ${scenario}${whose}, seed ${seed}, replication ${replication}, night ${night}, ${when}`;
}

function listed(events: readonly WorldEvent[]): string {
  if (events.length === 0) return '';
  return ['', 'the last events:', ...events.map((event) => `  ${JSON.stringify(event)}`)].join('\n');
}
