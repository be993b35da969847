// Why jobs were refused, step by step from all that came to those that were admitted; and for each thing that
// somebody may change, the smallest change after which nobody is refused any more, each verified by playing it.

import type { Order, Scenario } from '../scenario/scenario.ts';
import { classEnvelope } from '../world/class-envelope.ts';
import { play } from '../world/play.ts';
import type { Played } from '../world/run-result.ts';
import { Allowance, callsIn } from './allowance.ts';
import { firstThat } from './first-that.ts';
import { type Change, ReplaysUnderChange } from './replays-under-change.ts';

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
  /** Jobs done when it is played. */
  readonly doneThen: number;
  /** Refused with one step less: some. Null where there are no steps. */
  readonly refusedBefore: number | null;
} | null;

/** Each by itself, everything else as it is. What is not there was not looked for. */
export interface SmallestChanges {
  /** Tokens that the pool is funded with. */
  readonly tokens?: SmallestChange<number>;
  /** Of the envelopes as they are, in whole percent. */
  readonly envelopePercent?: SmallestChange<number>;
  readonly lanes?: SmallestChange<number>;
  readonly order?: SmallestChange<Order>;
}

export interface Refusals {
  readonly steps: RefusalSteps;
  readonly byClass: Readonly<Record<string, { readonly refused: number; readonly inadmissible: number }>>;
  readonly changes: SmallestChanges | null;
}

export interface RefusalSearch {
  /** The same replication, where it has been played already. */
  readonly played?: Played;
  /** For finding changes; those that take more are not looked for. Default: no end. */
  readonly allowance?: Allowance;
  /** The pool grows in steps of so many tokens. Default: 1. */
  readonly tokenStep?: number;
}

const ORDERS: readonly Order[] = ['listed', 'lightest-first', 'shuffled', 'heaviest-first'];
/** Looked for among pools up to so many times the jobs' envelopes. */
const ENOUGH = 2;
/** Replays in full that a search takes at the least: with fewer calls left it is not begun. */
const LEAST_REPLAYS = { tokens: 6, order: 1, lanes: 3, envelopePercent: 4 } as const;

/**
 * Of one replication, without its variants; changes are null where nobody was refused, or there is no pool. Stops
 * after every night that is played.
 */
export function* studyRefusals(
  scenario: Scenario,
  replication: number,
  search: RefusalSearch = {},
): Generator<void, Refusals> {
  const alone = { ...scenario, compare: [] };
  const played = search.played ?? play(alone, { replication });
  const { refused, inadmissible } = played.total;
  const hasChanges = scenario.pool !== undefined && refused + inadmissible > 0;
  return {
    steps: stepsOf(played),
    byClass: Object.fromEntries(
      Object.entries(played.classes).map(([name, of]) => [
        name,
        { refused: of.refused, inadmissible: of.inadmissible },
      ]),
    ),
    changes: hasChanges ? yield* new ChangeSearch(alone, replication, played, search).all() : null,
  };
}

class ChangeSearch {
  readonly #scenario: Scenario;
  readonly #replays: ReplaysUnderChange;
  readonly #played: Played;
  readonly #allowance: Allowance;
  readonly #tokenStep: number;

  /** @param played as it is */
  constructor(
    scenario: Scenario,
    replication: number,
    played: Played,
    { allowance = new Allowance(Number.POSITIVE_INFINITY), tokenStep = 1 }: RefusalSearch,
  ) {
    this.#scenario = scenario;
    this.#replays = new ReplaysUnderChange(scenario, replication, allowance);
    this.#played = played;
    this.#allowance = allowance;
    this.#tokenStep = tokenStep;
  }

  *all(): Generator<void, SmallestChanges> {
    const { lanes } = this.#scenario;
    const tokens = yield* this.#ifItMay('tokens', () => this.#tokens());
    const order = yield* this.#ifItMay('order', () => this.#order());
    const fewer = yield* this.#ifItMay('lanes', () =>
      this.#bisected(lanes, 1, (value) => ({ name: `lanes ${value}`, over: { lanes: value } })),
    );
    const envelopePercent = yield* this.#ifItMay('envelopePercent', () => this.#envelopes());
    return {
      ...(tokens !== undefined && { tokens }),
      ...(envelopePercent !== undefined && { envelopePercent }),
      ...(fewer !== undefined && { lanes: fewer }),
      ...(order !== undefined && { order }),
    };
  }

  /** Undefined where the calls that are left are too few, or ran out under way. */
  *#ifItMay<Found>(
    kind: keyof typeof LEAST_REPLAYS,
    look: () => Generator<void, Found>,
  ): Generator<void, Found | undefined> {
    if (this.#allowance.left < LEAST_REPLAYS[kind] * callsIn(this.#played.total)) return undefined;
    const found = yield* look();
    return this.#replays.wasCutShort() ? undefined : found;
  }

  /** What the refused would have held is nearly always enough: from there upwards in strides that double, or back. */
  *#tokens(): Generator<void, SmallestChange<number>> {
    const { pool, jobs, nights } = this.#scenario;
    if (pool === undefined) return null;
    const envelopes = jobs.reduce((sum, one) => sum + one.count * classEnvelope(one), 0);
    const step = this.#tokenStep;
    const most = Math.ceil((ENOUGH * nights * envelopes) / step);
    const tokensAt = (steps: number) => pool.capacity + steps * step;
    const change = (steps: number): Change => {
      const capacity = tokensAt(steps);
      const over = { pool: { ...pool, capacity, quota: Math.max(pool.quota, capacity) } };
      return { name: `tokens ${capacity}`, over };
    };
    let failing = 0;
    let next = Math.min(Math.max(1, Math.ceil(this.#turnedAway() / step)), most);
    while (next < most && !(yield* this.#replays.refuseNobody(change(next)))) {
      failing = next;
      next = Math.min(2 * next, most);
    }
    const found = yield* this.#bisected(failing, next, change);
    return found && { ...found, from: pool.capacity, to: tokensAt(found.to) };
  }

  /** Tokens of all envelopes that were refused, or too large. */
  #turnedAway(): number {
    return this.#scenario.jobs.reduce((sum, one) => {
      const { refused = 0, inadmissible = 0 } = this.#played.classes[one.name] ?? {};
      return sum + (refused + inadmissible) * classEnvelope(one);
    }, 0);
  }

  *#envelopes(): Generator<void, SmallestChange<number>> {
    // A counter knows of no envelopes.
    if (this.#scenario.policy.admission !== 'envelope') return null;
    const { jobs } = this.#scenario;
    return yield* this.#bisected(100, 1, (percent) => ({
      name: `envelopes ${percent}`,
      over: { jobs: jobs.map((one) => shrunk(one, percent)) },
    }));
  }

  /** Between `from`, with which jobs are refused, and `most`. */
  *#bisected(
    from: number,
    most: number,
    change: (value: number) => Change,
  ): Generator<void, SmallestChange<number>> {
    const replays = this.#replays;
    const to = yield* firstThat(from, most, (value) => replays.refuseNobody(change(value)));
    if (to === undefined || replays.isCutShort) return null;
    const before = to + Math.sign(from - most);
    const { refused: refusedThen, done: doneThen } = yield* replays.outcomesWith(change(to));
    const { refused: refusedBefore } = yield* replays.outcomesWith(change(before));
    return { from, to, refusedThen, doneThen, refusedBefore };
  }

  /** The first in the list that refuses nobody. */
  *#order(): Generator<void, SmallestChange<Order>> {
    const from = this.#scenario.order;
    for (const order of ORDERS) {
      const change = { name: order, over: { order } };
      if (order === from || !(yield* this.#replays.refuseNobody(change))) continue;
      const { refused, done } = yield* this.#replays.outcomesWith(change);
      return { from, to: order, refusedThen: refused, doneThen: done, refusedBefore: null };
    }
    return null;
  }
}

function shrunk(jobClass: Scenario['jobs'][number], percent: number): Scenario['jobs'][number] {
  const tokens = Math.max(1, Math.ceil((classEnvelope(jobClass) * percent) / 100));
  return { ...jobClass, envelope: { kind: 'tokens', tokens } };
}

function stepsOf({ nights, total }: Played): RefusalSteps {
  const { jobs, refused, inadmissible } = total;
  const notReached = nights.reduce((sum, { deferCauses }) => sum + (deferCauses['not-reached'] ?? 0), 0);
  return { jobs, inadmissible, refused, notReached, admitted: jobs - inadmissible - refused - notReached };
}
