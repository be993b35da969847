// Why jobs were refused, step by step from all that came to those that were admitted; and for each thing that
// somebody may change, the smallest change after which nobody is refused any more, each verified by playing it.

import type { Order, Scenario } from '../scenario/scenario.ts';
import { classEnvelope } from '../world/class-envelope.ts';
import { play } from '../world/play.ts';
import type { Played } from '../world/run-result.ts';
import { firstThat } from './first-that.ts';

/** The way down: `jobs` less each of the next leaves those that were admitted, all over all nights. */
interface RefusalSteps {
  readonly jobs: number;
  /** Their envelope exceeds the whole pool. */
  readonly inadmissible: number;
  /** No open hold could have given back what they needed. */
  readonly refused: number;
  /** Never asked, for want of time. */
  readonly notReached: number;
  readonly admitted: number;
}

/** A change, and what was refused with it and with one step less; `null`: no such change helps. */
export type SmallestChange<Value> = {
  readonly from: Value;
  readonly to: Value;
  /** Jobs refused or inadmissible when it is played: none. */
  readonly refusedThen: number;
  /** With one step less: some. Null where there are no steps. */
  readonly refusedBefore: number | null;
} | null;

export interface Refusals {
  readonly steps: RefusalSteps;
  readonly byClass: Readonly<Record<string, { readonly refused: number; readonly inadmissible: number }>>;
  /** Each by itself, everything else as it is. */
  readonly changes: {
    /** Tokens that the pool is funded with. */
    readonly tokens: SmallestChange<number>;
    /** Of the envelopes as they are, in whole percent. */
    readonly envelopePercent: SmallestChange<number>;
    readonly lanes: SmallestChange<number>;
    readonly order: SmallestChange<Order>;
  } | null;
}

const ORDERS: readonly Order[] = ['listed', 'lightest-first', 'shuffled', 'heaviest-first'];
/** Looked for among pools up to so many times the jobs' envelopes. */
const ENOUGH = 2;

/** @returns of one replication, without its variants; changes are null where nobody was refused, or nothing is admitted from a pool by envelope */
export function refusals(scenario: Scenario, replication: number): Refusals {
  const replay = new Replay({ ...scenario, compare: [] }, replication);
  const played = replay.played({});
  const hasPool = scenario.pool !== undefined && scenario.policy.admission === 'envelope';
  return {
    steps: stepsOf(played),
    byClass: Object.fromEntries(
      Object.entries(played.classes).map(([name, { refused, inadmissible }]) => [
        name,
        { refused, inadmissible },
      ]),
    ),
    changes: !hasPool || refusedIn(played) === 0 ? null : replay.changes(),
  };
}

class Replay {
  readonly #scenario: Scenario;
  readonly #replication: number;

  constructor(scenario: Scenario, replication: number) {
    this.#scenario = scenario;
    this.#replication = replication;
  }

  played(over: Partial<Scenario>): Played {
    return play({ ...this.#scenario, ...over }, { replication: this.#replication });
  }

  changes(): NonNullable<Refusals['changes']> {
    const { pool, jobs, lanes, nights } = this.#scenario;
    const capacity = pool?.capacity ?? 0;
    const envelopes = jobs.reduce((sum, one) => sum + one.count * classEnvelope(one), 0);
    return {
      tokens: this.#smallest(capacity, capacity + ENOUGH * nights * envelopes, (tokens) => ({
        pool: pool && { ...pool, capacity: tokens, quota: Math.max(pool.quota, tokens) },
      })),
      envelopePercent: this.#smallest(100, 1, (percent) => ({
        jobs: jobs.map((one) => shrunk(one, percent)),
      })),
      lanes: this.#smallest(lanes, 1, (fewer) => ({ lanes: fewer })),
      order: this.#order(),
    };
  }

  /** Between `from`, with which jobs are refused, and `most`, by bisection. */
  #smallest(
    from: number,
    most: number,
    change: (value: number) => Partial<Scenario>,
  ): SmallestChange<number> {
    const refusedWith = new Map<number, number>();
    const refused = (value: number): number => {
      const known = refusedWith.get(value) ?? refusedIn(this.played(change(value)));
      refusedWith.set(value, known);
      return known;
    };
    const to = firstThat(from, most, (value) => refused(value) === 0);
    if (to === undefined) return null;
    return { from, to, refusedThen: refused(to), refusedBefore: refused(to + Math.sign(from - most)) };
  }

  /** The first in the list that refuses nobody. */
  #order(): SmallestChange<Order> {
    const from = this.#scenario.order;
    const to = ORDERS.find((order) => order !== from && refusedIn(this.played({ order })) === 0);
    return to === undefined ? null : { from, to, refusedThen: 0, refusedBefore: null };
  }
}

function shrunk(jobClass: Scenario['jobs'][number], percent: number): Scenario['jobs'][number] {
  const tokens = Math.max(1, Math.ceil((classEnvelope(jobClass) * percent) / 100));
  return { ...jobClass, envelope: { kind: 'tokens', tokens } };
}

function refusedIn({ total: { refused, inadmissible } }: Played): number {
  return refused + inadmissible;
}

function stepsOf({ nights, total }: Played): RefusalSteps {
  const { jobs, refused, inadmissible } = total;
  const notReached = nights.reduce((sum, { deferCauses }) => sum + (deferCauses['not-reached'] ?? 0), 0);
  return { jobs, inadmissible, refused, notReached, admitted: jobs - inadmissible - refused - notReached };
}
