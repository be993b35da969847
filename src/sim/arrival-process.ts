// Moments at which something arrives, one after another: gaps drawn by ordinal, on a clock that runs as fast
// as the intensity says. Poisson where the gaps are exponential; in bursts where they vary more than that.

import type { Distribution } from './distribution.ts';
import type { Intensity } from './intensity.ts';

export interface ArrivalSource {
  /** Between two arrivals, while the intensity is 1; the first follows its beginning by one. From 0. */
  readonly gaps: Distribution;
  readonly intensity: Intensity;
  /** Of this source alone: above 0, below 1. */
  uniform(ordinal: number): number;
}

/**
 * A renewal process under a change of time: the arrivals are where the integral of the intensity reaches the
 * sums of the gaps. With exponential gaps that is a Poisson process of this intensity, exactly (E. Çinlar,
 * Introduction to Stochastic Processes, 1975, 4.7); one uniform makes one arrival, and each moves
 * monotonically with it.
 */
export class ArrivalProcess {
  readonly #source: ArrivalSource;
  #ordinal = 0;
  /** The gaps so far. */
  #sum = 0;
  #nextMs: number | undefined;

  constructor(source: ArrivalSource) {
    this.#source = source;
    this.#nextMs = this.#draw();
  }

  /** Those that have not been told, up to and with this moment; in order. */
  until(endMs: number): readonly number[] {
    const told: number[] = [];
    while (this.#nextMs !== undefined && this.#nextMs <= endMs) {
      told.push(this.#nextMs);
      this.#nextMs = this.#draw();
    }
    return told;
  }

  #draw(): number | undefined {
    const { gaps, intensity, uniform } = this.#source;
    this.#sum += Math.max(0, gaps.quantile(uniform(this.#ordinal)));
    this.#ordinal += 1;
    return intensity.whenCame(this.#sum);
  }
}
