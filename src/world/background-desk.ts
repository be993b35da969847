// Makes the calls of others in a played night: at their moments, under the provider's limits, whatever the
// batch is doing. What they were refused, and what is left of the quota for them, is what it costs them.

import type { Engine } from '../sim/engine.ts';
import type { NightTraffic } from './background-traffic.ts';
import type { ProviderService } from './provider-service.ts';
import type { BackgroundResult } from './run-result.ts';

export class BackgroundDesk {
  readonly #engine: Engine;
  readonly #service: ProviderService;
  readonly #traffic: NightTraffic;
  #calls = 0;
  #refused = 0;
  #tokens = 0;

  constructor(engine: Engine, service: ProviderService, traffic: NightTraffic) {
    this.#engine = engine;
    this.#service = service;
    this.#traffic = traffic;
  }

  /** Once, as the night opens. */
  open(): void {
    this.#next();
  }

  /** Once the night is over. What would have been called after that is nobody's but theirs. */
  figures(): Omit<BackgroundResult, 'quotaLeft'> {
    const { atMs, call, draws } = this.#traffic;
    let tokensAfter = 0;
    for (let ordinal = this.#calls; ordinal < atMs.length; ordinal += 1) {
      const job = call(ordinal);
      tokensAfter += job.inputTokens + draws.outputTokens(job, 1);
    }
    return { calls: this.#calls, refused: this.#refused, tokens: this.#tokens, tokensAfter };
  }

  /** Of many calls only the next one is on the heap. */
  #next(): void {
    const atMs = this.#traffic.atMs[this.#calls];
    if (atMs !== undefined) this.#engine.scheduleAt(Math.max(atMs, this.#engine.now), () => this.#call());
  }

  #call(): void {
    const { timeoutMs } = this.#traffic;
    const job = this.#traffic.call(this.#calls);
    this.#calls += 1;
    this.#next();
    const order = { job, attempt: 1, call: 1, grantedMs: timeoutMs, firstWithinMs: timeoutMs };
    const served = this.#service.beginBeside(order);
    const { outcome, elapsedMs, billed } = served.played;
    if (outcome === 'rate-limited') {
      this.#refused += 1;
      return;
    }
    // What is under way at the night's end goes on to its own.
    this.#tokens += billed;
    this.#engine.schedule(elapsedMs, () => this.#service.end(served));
  }
}
