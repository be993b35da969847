// Since when the jobs of a class have waited that can be taken. Those that are there from the start are
// counted; of those that come later the earliest is known at any time.

import { MinTree } from './min-tree.ts';

/** The jobs of one class. */
interface Line {
  fromTheStart: number;
  readonly arrivals: number[];
  /** When each of those that come later came, while it waits; +∞ while it does not. */
  later: MinTree;
}

const FROM_THE_START = -1;

export class WaitingJobs {
  readonly #lines = new Map<string, Line>();
  /** By place in the queue. */
  readonly #lineOf: readonly Line[];
  /** Its number among those of its class that come later. */
  readonly #laterOf: Int32Array;

  /** Those that are there from the start wait already. */
  constructor(jobs: readonly { readonly class?: string; readonly arrivesAtMs?: number | undefined }[]) {
    this.#laterOf = new Int32Array(jobs.length);
    this.#lineOf = jobs.map(({ class: ofClass = '', arrivesAtMs }, place) => {
      const line = this.#line(ofClass);
      if (arrivesAtMs === undefined) {
        line.fromTheStart += 1;
        this.#laterOf[place] = FROM_THE_START;
      } else {
        this.#laterOf[place] = line.arrivals.push(arrivesAtMs) - 1;
      }
      return line;
    });
    for (const line of this.#lines.values()) {
      line.later = new MinTree(line.arrivals.map(() => Number.POSITIVE_INFINITY));
    }
  }

  add(place: number): void {
    const line = this.#lineOf[place]!;
    const later = this.#laterOf[place]!;
    if (later === FROM_THE_START) line.fromTheStart += 1;
    else line.later.set(later, line.arrivals[later]!);
  }

  remove(place: number): void {
    const line = this.#lineOf[place]!;
    const later = this.#laterOf[place]!;
    if (later === FROM_THE_START) line.fromTheStart -= 1;
    else line.later.set(later, Number.POSITIVE_INFINITY);
  }

  /** −∞ where one was there from the start; undefined where none waits. */
  oldest(ofClass: string): number | undefined {
    const line = this.#lines.get(ofClass);
    if (line === undefined) return undefined;
    if (line.fromTheStart > 0) return Number.NEGATIVE_INFINITY;
    const { least } = line.later;
    return least < Number.POSITIVE_INFINITY ? least : undefined;
  }

  #line(ofClass: string): Line {
    let line = this.#lines.get(ofClass);
    if (line === undefined) {
      line = { fromTheStart: 0, arrivals: [], later: NOBODY };
      this.#lines.set(ofClass, line);
    }
    return line;
  }
}

const NOBODY = new MinTree([]);
