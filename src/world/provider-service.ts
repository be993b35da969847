// The provider as it is tonight: which calls it lets in, how much slower it is for those that are under way
// already, and its outages. What becomes of a call that it takes on is decided as the call begins.

import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { Draws, SampledJob } from './draws.ts';
import type { Period } from './incident-times.ts';
import { type PlayedCall, Provider } from './provider.ts';
import { RateLimiter } from './rate-limiter.ts';

/** When something is wrong with the provider tonight, each in order of their beginnings. */
export interface ProviderIncidents {
  readonly outages: readonly Period[];
  readonly slow: readonly Period[];
}

export interface ServiceSetup {
  readonly engine: Engine;
  readonly settings: Scenario['provider'];
  readonly draws: Draws;
  /** From 1. */
  readonly night: number;
  readonly incidents: ProviderIncidents;
  /** Of others who call beside the batch; absent: nobody does. */
  readonly beside?: Draws | undefined;
}

export interface CallOrder {
  readonly job: SampledJob;
  /** Counts on over nights, from 1. */
  readonly attempt: number;
  /** Which of the calls that a client makes for that attempt, from 1. */
  readonly call: number;
  /** After which the call is given up; may be +∞ where `firstWithinMs` is not. */
  readonly grantedMs: number;
  /** After which it is given up if the first token has not come. */
  readonly firstWithinMs: number;
}

/** A call on its way. */
export interface ServedCall {
  readonly played: PlayedCall;
  readonly startedMs: number;
  readonly job: SampledJob;
  /** A refused one is over as it begins, and counts nowhere. */
  readonly isLetIn: boolean;
}

export class ProviderService {
  readonly #setup: ServiceSetup;
  readonly #provider: Provider;
  readonly #beside: Provider;
  readonly #limiter: RateLimiter | undefined;
  #underWay = 0;

  constructor(setup: ServiceSetup) {
    const { engine, settings, draws, beside = draws } = setup;
    this.#setup = setup;
    this.#provider = new Provider(settings, draws);
    this.#beside = new Provider(settings, beside);
    this.#limiter = settings.limits && new RateLimiter(settings.limits, engine.now);
  }

  begin(order: CallOrder): ServedCall {
    return this.#begin(order, this.#provider);
  }

  /** A call of somebody else. */
  beginBeside(order: CallOrder): ServedCall {
    return this.#begin(order, this.#beside);
  }

  #begin(order: CallOrder, provider: Provider): ServedCall {
    const { job, attempt, call, grantedMs, firstWithinMs } = order;
    const startedMs = this.#setup.engine.now;
    const outageInMs = this.#outageInMs();
    // Nobody counts what comes in while nobody is there.
    const isDown = outageInMs <= 0;
    const admittance = isDown ? undefined : this.#limiter?.ask(limited(job), startedMs);
    if (admittance?.isLetIn === false) {
      return { played: refused(admittance.retryAfterMs), startedMs, job, isLetIn: false };
    }
    if (!isDown) this.#underWay += 1;
    const { draws, night } = this.#setup;
    const weatherPull = draws.weather?.latencyPull(job.jobClass, night, startedMs) ?? 0;
    const circumstances = { call, firstWithinMs, slowness: this.#slowness(), weatherPull, outageInMs };
    const played = provider.call(job, attempt, grantedMs, circumstances);
    return { played, startedMs, job, isLetIn: !isDown };
  }

  /** Its answer has come, or it has been given up. */
  end({ played, startedMs, job, isLetIn }: ServedCall): void {
    if (!isLetIn) return;
    const { now } = this.#setup.engine;
    this.#underWay -= 1;
    this.#limiter?.ended(limited(job), played.outputBy(now - startedMs), now);
  }

  #outageInMs(): number {
    const { engine, incidents } = this.#setup;
    let inMs = Number.POSITIVE_INFINITY;
    for (const { fromMs, toMs } of incidents.outages) {
      if (toMs <= engine.now) continue;
      inMs = Math.min(inMs, fromMs - engine.now);
    }
    return inMs;
  }

  #slowness(): number {
    const { engine, settings, incidents } = this.#setup;
    const { slowdown, slow } = settings;
    const isSlow = incidents.slow.some(({ fromMs, toMs }) => fromMs <= engine.now && engine.now < toMs);
    const beyond = slowdown === undefined ? 0 : Math.max(0, this.#underWay - slowdown.from);
    return (isSlow ? (slow?.factor ?? 1) : 1) * power(slowdown?.factor ?? 1, beyond);
  }
}

function limited({ inputTokens, jobClass }: SampledJob) {
  return { inputTokens, declaredTokens: jobClass.declaredOutput ?? 0 };
}

/** At once, and for nothing. */
function refused(retryAfterMs: number | undefined): PlayedCall {
  const nothing = () => 0;
  return {
    elapsedMs: 0,
    outcome: 'rate-limited',
    usage: undefined,
    retryAfterMs,
    billed: 0,
    billedIfCut: nothing,
    outputBy: nothing,
  };
}

/** By squaring, so that it comes out the same everywhere. @param exponent whole, from 0 */
function power(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}
