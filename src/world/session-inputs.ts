// The inputs of a class whose jobs are turns of sessions. What a turn sends hangs on all turns before it, so
// they are worked out in a row, and kept for the opening that is being listed.

import type { JobClass, Sessions } from '../scenario/scenario.ts';
import { turnCount, turnInput } from '../scenario/session-inputs.ts';

/** What chance decides about the turns of a class at one opening. */
export interface TurnDraws {
  /** Of the session that is the so-manieth of its opening, from 0: a uniform for its length. */
  lengthUniform(session: number): number;
  ownInput(ordinal: number): number;
  /** Of its first attempt: what its successors send does not depend on how often it was tried. */
  firstOutput(ordinal: number): number;
}

export class SessionInputs {
  readonly #listings = new Map<string, Listing>();

  /** Tokens that the job sends. A pure function of the job, whatever was asked for before. */
  of({ name }: JobClass, sessions: Sessions, night: number, ordinal: number, draws: TurnDraws): number {
    let listing = this.#listings.get(name);
    if (listing?.night !== night) {
      listing = { night, sent: [], session: -1, turnsLeft: 0 };
      this.#listings.set(name, listing);
    }
    while (listing.sent.length <= ordinal) listNext(listing, sessions, draws);
    return listing.sent[ordinal]!;
  }
}

interface Listing {
  readonly night: number;
  readonly sent: number[];
  session: number;
  turnsLeft: number;
}

function listNext(listing: Listing, sessions: Sessions, draws: TurnDraws): void {
  const { sent } = listing;
  const ordinal = sent.length;
  const isFirst = listing.turnsLeft === 0;
  if (isFirst) {
    listing.session += 1;
    listing.turnsLeft = turnCount(sessions.length.quantile(draws.lengthUniform(listing.session)));
  }
  listing.turnsLeft -= 1;
  const before = isFirst ? undefined : { input: sent[ordinal - 1]!, output: draws.firstOutput(ordinal - 1) };
  sent.push(turnInput(draws.ownInput(ordinal), before, sessions));
}
