// The lanes of one process that wait for tokens, in line. When the books move, only the first of them is let
// go to ask; the next follows when that one's call is out, or it has ended. Were all woken at once, each
// would ask for a job of its own and be refused, again and again: lanes × settles refusals for nothing.

/** One lane's wait. */
export interface InLine {
  /** The lane, by its process. */
  readonly lane: object;
  /** The version of the books at which it was refused. */
  readonly version: number;
  /** Its turn has come; it has left the line by then. */
  readonly letGo: () => void;
}

export class TokenLine<Waiter extends InLine = InLine> {
  /** By the versions at which they were refused, since the books only move on. */
  readonly #waiting = new Set<Waiter>();
  #version = Number.NEGATIVE_INFINITY;
  /** The lane that was let go, until its call is out, it has ended, or come back to wait. */
  #asking: object | undefined;

  get size(): number {
    return this.#waiting.size;
  }

  /** The latest version heard of. */
  get version(): number {
    return this.#version;
  }

  /**
   * The lane waits at the version that the books have now. Where it was the one let go, it has been refused
   * at this very version: whoever is still in line would be too, and sleeps on.
   */
  join(place: Waiter): void {
    if (this.#asking === place.lane) this.#asking = undefined;
    this.#version = Math.max(this.#version, place.version);
    this.#waiting.add(place);
  }

  /** Its wait ended otherwise. */
  leave(place: Waiter): void {
    this.#waiting.delete(place);
  }

  /** In line, the first of them first. */
  everybody(): readonly Waiter[] {
    return [...this.#waiting];
  }

  /** Everybody who waits; nobody does afterwards, and nobody's turn it is. */
  clear(): readonly Waiter[] {
    const everybody = [...this.#waiting];
    this.#waiting.clear();
    this.#asking = undefined;
    return everybody;
  }

  /** The books have come to this version: what was refused at an earlier one may be granted now. */
  moved(version: number): void {
    if (version <= this.#version) return;
    this.#version = version;
    if (this.#asking === undefined) this.#letNextGo();
  }

  /** The lane's call goes out, so there may be tokens for another; or it has ended. */
  passedOn(lane: object): void {
    if (this.#asking !== lane) return;
    this.#asking = undefined;
    this.#letNextGo();
  }

  #letNextGo(): void {
    const [next] = this.#waiting;
    // Refused at the version that the books still have, it would be again.
    if (next === undefined || next.version >= this.#version) return;
    this.#waiting.delete(next);
    this.#asking = next.lane;
    next.letGo();
  }
}
