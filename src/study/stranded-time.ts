// Tokens that nobody can use, over the time of a run: in holds whose worker is gone, and in holds whose lease
// has ended and that nobody has closed; with an alarm where jobs are refused while much of the pool is held by
// nobody: it only looks used up.

import type { Scenario } from '../scenario/scenario.ts';
import { play } from '../world/play.ts';
import type { WorldEvent } from '../world/world-event.ts';

/** Above this share of the pool a refusal is no longer the fault of those who work. */
export const PHANTOM_SHARE = 0.2;
const MINUTE_MS = 60_000;

export interface StrandedStep {
  /** From 1. */
  readonly night: number;
  /** From that night's opening. */
  readonly atMs: number;
  /** In holds whose worker is gone, from then on until the next step or the night's end. */
  readonly tokens: number;
  /** In holds whose lease has ended, whoever holds them; as long. */
  readonly expiredTokens: number;
}

/** A stretch of one night in which more than 20 % of the pool was stranded and jobs were refused for tokens. */
export interface PhantomExhaustion {
  readonly night: number;
  /** Of the first and of the last refusal. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly refusals: number;
  /** At the most. */
  readonly strandedTokens: number;
  /** Of the pool. */
  readonly strandedShare: number;
}

export interface StrandedTime {
  readonly steps: readonly StrandedStep[];
  /** Tokens × the minutes that they were stranded, while windows were open. */
  readonly tokenMinutes: number;
  readonly phantoms: readonly PhantomExhaustion[];
  /** In all phantoms. */
  readonly phantomRefusals: number;
}

/** Of one replication of a scenario, without its variants. */
export function strandedTime(scenario: Scenario, replication: number): StrandedTime {
  const watch = new StrandedWatch(scenario.pool?.capacity ?? Number.POSITIVE_INFINITY);
  play({ ...scenario, compare: [] }, { replication, observe: (event) => watch.hear(event) });
  return watch.result();
}

/** Listens to a played run. */
export class StrandedWatch {
  readonly #capacity: number;
  readonly #steps: StrandedStep[] = [];
  readonly #phantoms: PhantomExhaustion[] = [];
  #tokens = 0;
  #expiredTokens = 0;
  #sinceMs = 0;
  #tokenMs = 0;
  #phantom: PhantomExhaustion | undefined;

  /** @param capacity of the pool */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  hear(event: WorldEvent): void {
    switch (event.type) {
      case 'opened':
        this.#sinceMs = 0;
        this.#step(event, { tokens: 0, expiredTokens: 0 });
        break;
      case 'stranded':
        this.#step(event, { tokens: event.tokens, expiredTokens: this.#expiredTokens });
        break;
      case 'expired-unreclaimed':
        this.#step(event, { tokens: this.#tokens, expiredTokens: event.tokens });
        break;
      case 'reserved':
        if (event.outcome === 'insufficient') this.#refused(event);
        break;
      case 'finished':
      case 'killed':
        this.#count(event.atMs);
        this.#endPhantom();
        break;
      default:
    }
  }

  result(): StrandedTime {
    return {
      steps: this.#steps,
      tokenMinutes: this.#tokenMs / MINUTE_MS,
      phantoms: this.#phantoms,
      phantomRefusals: this.#phantoms.reduce((sum, { refusals }) => sum + refusals, 0),
    };
  }

  #step(
    { night, atMs }: WorldEvent,
    { tokens, expiredTokens }: Pick<StrandedStep, 'tokens' | 'expiredTokens'>,
  ): void {
    this.#count(atMs);
    if (tokens / this.#capacity <= PHANTOM_SHARE) this.#endPhantom();
    if (tokens === this.#tokens && expiredTokens === this.#expiredTokens) return;
    this.#tokens = tokens;
    this.#expiredTokens = expiredTokens;
    const last = this.#steps.at(-1);
    // Who closes a hold that has expired moves both figures at once.
    if (last?.night === night && last.atMs === atMs) this.#steps.pop();
    this.#steps.push({ night, atMs, tokens, expiredTokens });
  }

  #count(nowMs: number): void {
    this.#tokenMs += this.#tokens * (nowMs - this.#sinceMs);
    this.#sinceMs = nowMs;
  }

  #refused({ night, atMs }: WorldEvent): void {
    const strandedShare = this.#tokens / this.#capacity;
    if (strandedShare <= PHANTOM_SHARE) return;
    const { fromMs = atMs, refusals = 0, strandedTokens = 0 } = this.#phantom ?? {};
    this.#phantom = {
      night,
      fromMs,
      toMs: atMs,
      refusals: refusals + 1,
      strandedTokens: Math.max(strandedTokens, this.#tokens),
      strandedShare: Math.max(this.#phantom?.strandedShare ?? 0, strandedShare),
    };
  }

  #endPhantom(): void {
    if (this.#phantom !== undefined) this.#phantoms.push(this.#phantom);
    this.#phantom = undefined;
  }
}
