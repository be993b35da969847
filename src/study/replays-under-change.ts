// Plays a replication again with a setting changed, to see whether anybody is refused; within a number of
// calls, since that is what playing costs, on whatever machine.

import type { Scenario } from '../scenario/scenario.ts';
import { playByNight } from '../world/play.ts';
import type { WorldEvent } from '../world/world-event.ts';
import { type Allowance, CALLS_OF_A_REFUSAL } from './allowance.ts';

export interface Change {
  /** No two changes have the same. */
  readonly name: string;
  readonly over: Partial<Scenario>;
}

/** Over all nights. */
interface UnderChange {
  /** Or inadmissible. */
  readonly refused: number;
  readonly done: number;
}

export class ReplaysUnderChange {
  readonly #scenario: Scenario;
  readonly #replication: number;
  /** By the change, where it was played to its end. */
  readonly #known = new Map<string, UnderChange>();
  readonly #allowance: Allowance;
  #isCutShort = false;

  /** @param scenario without variants @param allowance what was begun may exceed it */
  constructor(scenario: Scenario, replication: number, allowance: Allowance) {
    this.#scenario = scenario;
    this.#replication = replication;
    this.#allowance = allowance;
  }

  /** Something was asked that could not be played any more. */
  get isCutShort(): boolean {
    return this.#isCutShort;
  }

  /** As `isCutShort`, which then is over. */
  wasCutShort(): boolean {
    const was = this.#isCutShort;
    this.#isCutShort = false;
    return was;
  }

  /** Ends with the first night in which somebody is refused. False where there are no calls left. */
  *refuseNobody(change: Change): Generator<void, boolean> {
    if (this.#allowance.left <= 0) {
      this.#isCutShort = true;
      return false;
    }
    return (yield* this.#play(change, true)).refused === 0;
  }

  *outcomesWith(change: Change): Generator<void, UnderChange> {
    return yield* this.#play(change, false);
  }

  *#play({ name, over }: Change, isFirstEnough: boolean): Generator<void, UnderChange> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    let refused = 0;
    let done = 0;
    const observe = (event: WorldEvent): void => {
      if (event.type === 'attempt') this.#allowance.spend(1);
      if (event.type !== 'outcome') return;
      if (event.outcome === 'done') done += 1;
      if (event.outcome !== 'refused' && event.outcome !== 'inadmissible') return;
      refused += 1;
      this.#allowance.spend(CALLS_OF_A_REFUSAL);
    };
    const nights = playByNight({ ...this.#scenario, ...over }, { replication: this.#replication, observe });
    while (nights.next().done !== true) {
      yield;
      if (isFirstEnough && refused > 0) return { refused, done };
    }
    const played = { refused, done };
    this.#known.set(name, played);
    return played;
  }
}
