// Watches the lanes of a fuzzed night that wait for tokens: that something can come, that nobody is told of
// tokens before the books move, nobody waits longer than is of use, and nobody sleeps while a job of theirs
// would be granted and no lane is on its way to ask.

import { invariant } from '../../src/base/errors.ts';
import type { Ledger, PoolView } from '../../src/ledger/ledger.ts';
import type { Effect } from '../../src/worker/effects.ts';

type TokensReturned = Extract<Effect<unknown>, { readonly kind: 'tokens-returned' }>;

export class WaitAuditor {
  readonly #ledger: Ledger;
  readonly #pool: string;
  /** When each version of the books came to be. */
  readonly #moves: { readonly version: number; readonly atMs: number }[] = [];
  readonly #wanted: () => number | undefined;
  readonly #asleep = new Set<string>();
  /** Told that the books have moved, and neither back in the line nor out with a call since. */
  readonly #asking = new Set<string>();

  /** @param wanted what a lane would ask for first if it were free to; undefined: nothing waits */
  constructor(ledger: Ledger, pool: string, wanted: () => number | undefined) {
    this.#ledger = ledger;
    this.#pool = pool;
    this.#wanted = wanted;
  }

  /** After anything was done to the ledger. */
  moved(atMs: number): void {
    const version = this.#ledger.pool(this.#pool)?.version ?? 0;
    if (version !== this.#moves.at(-1)?.version) this.#moves.push({ version, atMs });
  }

  asked(lane: string, { version }: TokensReturned): void {
    this.#asking.delete(lane);
    this.#asleep.add(lane);
    const chain = this.#chain();
    if (chain[0]!.version !== version) return;
    const canMove = chain.some(({ held, paused }) => held > 0 || paused);
    invariant(canMove, 'no lane waits for tokens that cannot come', () => `at version ${version}`);
  }

  /** @param untilMs @param askedMs @param answeredMs on one clock */
  answered(
    lane: string,
    { version }: TokensReturned,
    answer: 'moved' | 'until',
    { untilMs, askedMs, answeredMs }: Record<'untilMs' | 'askedMs' | 'answeredMs', number>,
  ): void {
    this.#asleep.delete(lane);
    if (answer === 'moved') this.#asking.add(lane);
    const movedMs = this.#moves.find((move) => move.version > version)?.atMs ?? Number.POSITIVE_INFINITY;
    const latestMs = Math.max(askedMs, untilMs);
    const facts = () =>
      `${answer} at ${answeredMs}, asked at ${askedMs}, moved at ${movedMs}, until ${untilMs}`;
    const isDue = answer === 'until' ? answeredMs === latestMs : answeredMs <= latestMs;
    invariant(isDue, 'a wait ends when the time is up, and not after', facts);
    invariant(
      answer === 'until' || movedMs <= answeredMs,
      'nobody is told of tokens that have not moved',
      facts,
    );
  }

  /** The lane's call is out, or it has ended. */
  passedOn(lane: string): void {
    this.#asking.delete(lane);
  }

  /** The process died, and its lanes with it. */
  restarted(): void {
    this.#asleep.clear();
    this.#asking.clear();
  }

  /** Everything that was to happen at this moment has happened. */
  momentPassed(atMs: number): void {
    const wanted = this.#wanted();
    if (this.#asleep.size === 0 || this.#asking.size > 0 || wanted === undefined) return;
    const wouldBeGranted = this.#chain().every(({ balance, paused }) => !paused && balance >= wanted);
    invariant(
      !wouldBeGranted,
      'nobody sleeps while a job would be granted',
      () => `${[...this.#asleep].join(', ')} at ${atMs}, with ${wanted} to be had`,
    );
  }

  #chain(): readonly PoolView[] {
    const chain = [this.#ledger.pool(this.#pool)!];
    for (let { parent } = chain[0]!; parent !== undefined; { parent } = chain.at(-1)!) {
      chain.push(this.#ledger.pool(parent)!);
    }
    return chain;
  }
}
