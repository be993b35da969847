// Listens to a scenario being played and keeps what the report draws. Events stream by by the million, so
// everything is aggregated on the spot: memory grows with the jobs of one night, not with the nights.

import type { RowDelta } from '../ledger/ledger.ts';
import type { NightPlan } from '../plan/night-plan.ts';
import type { Calendar } from '../scenario/calendar.ts';
import type { Scenario, ScenarioPool } from '../scenario/scenario.ts';
import { SignalPeaks } from '../study/signal-peaks.ts';
import type { WorldEvent } from '../world/world-event.ts';
import { CallTally } from './call-tally.ts';
import { EdgeTally } from './edge-tally.ts';
import { FleetTally } from './fleet-tally.ts';
import { GrantTally } from './grant-tally.ts';
import { incidentsOf } from './incidents.ts';
import { LossTally } from './loss-tally.ts';
import type { ClassSeries, NightSeries } from './night-series.ts';
import { PoolTally } from './pool-tally.ts';
import { SignalTally } from './signal-tally.ts';
import { StrandedTally } from './stranded-tally.ts';
import { TokenTally } from './token-tally.ts';
import { WaitTally } from './wait-tally.ts';
import { WriteTally } from './write-tally.ts';

const NOTHING = { capacity: 0, balance: 0, held: 0, consumed: 0, refunded: 0, overspent: 0, shortfall: 0 };

/** Fed every event of one run of one scenario, in order; then asked once, at the end, for its series. */
export class NightRecorder {
  readonly #grants: GrantTally;
  readonly #edge: EdgeTally;
  readonly #pool: PoolTally | undefined;
  readonly #writes = new WriteTally();
  readonly #calls: CallTally;
  readonly #losses: LossTally;
  readonly #waits: WaitTally;
  readonly #fleet = new FleetTally();
  readonly #signals: SignalTally;
  readonly #peaks: SignalPeaks;
  readonly #stranded: StrandedTally | undefined;
  readonly #tokens: ReadonlyMap<string, TokenTally>;
  readonly #admitted = new Map<string, number>();
  /** Tonight's jobs only: tokens of their attempts, and who was let in. */
  readonly #tokensOfJob = new Map<string, number>();
  readonly #letIn = new Set<string>();
  /** Under a shared counter there are no books; what it debits is in the attempts. */
  readonly #counter: ScenarioPool | undefined;
  readonly #calendar: Calendar | undefined;
  readonly #windowMs: number;

  /** @param plan of that scenario: its classes' envelopes are what usage is measured against */
  constructor(scenario: Scenario, plan: NightPlan) {
    const envelopes = new Map(plan.classes.map(({ name, envelope }) => [name, envelope]));
    this.#grants = new GrantTally(scenario.window.lastsMs, scenario.budget);
    const { lanes, window, budget } = scenario;
    this.#edge = new EdgeTally(window.lastsMs, lanes);
    const incidents = incidentsOf(scenario);
    this.#calls = new CallTally(
      window.lastsMs,
      incidents.map(({ outage }) => outage),
    );
    this.#losses = new LossTally(lanes);
    this.#waits = new WaitTally({
      workers: scenario.fleet?.workers ?? 1,
      lanesEach: lanes,
      usableMs: window.lastsMs - budget.reserveMs,
      incidents,
    });
    this.#pool =
      scenario.pool === undefined ? undefined : new PoolTally(scenario.window.lastsMs, scenario.pool);
    this.#peaks = new SignalPeaks(scenario.trips.leastEvents);
    this.#signals = new SignalTally(scenario.window.lastsMs, scenario.trips.leastEvents);
    this.#stranded =
      scenario.pool === undefined
        ? undefined
        : new StrandedTally(scenario.window.lastsMs, scenario.pool.capacity);
    this.#calendar = scenario.calendar;
    this.#windowMs = scenario.window.lastsMs;
    this.#counter = scenario.policy.admission === 'shared-counter' ? scenario.pool : undefined;
    this.#tokens = new Map(
      scenario.jobs.map(({ name }) => [name, new TokenTally(envelopes.get(name) ?? null)] as const),
    );
  }

  record(told: WorldEvent): void {
    const event = this.#aligned(told);
    this.#stranded?.hear(event);
    this.#calls.hear(event);
    this.#losses.hear(event);
    this.#waits.hear(event);
    this.#fleet.hear(event);
    switch (event.type) {
      case 'opened':
        this.#tokensOfJob.clear();
        this.#letIn.clear();
        this.#writes.opened();
        this.#edge.opened(event.night);
        this.#pool?.opened(event.night);
        this.#signals.opened(event.night);
        this.#fillCounter(event.night);
        return;
      case 'granted':
        this.#grants.granted(event.atMs, event.timeoutMs);
        this.#edge.granted(event);
        if (event.night === 1) this.#letIn.add(event.job);
        return;
      case 'declined':
        this.#grants.declined(event.atMs);
        return;
      case 'reserved':
        this.#pool?.reserved(event.atMs, event.outcome, event.returnable);
        return;
      case 'books':
        this.#pool?.moved(event.atMs, event.delta);
        return;
      case 'attempt':
        this.#edge.answered(event);
        this.#tokensOfJob.set(event.job, (this.#tokensOfJob.get(event.job) ?? 0) + event.tokens);
        this.#moveCounter(event.night, event.atMs, { balance: -event.billed, consumed: event.billed });
        return;
      case 'write-queued':
        this.#writes.queued(event.job, event.night, event.atMs);
        this.#edge.queued(event);
        return;
      case 'written':
        this.#writes.written(event.job, event.atMs);
        this.#edge.written(event);
        return;
      case 'write-failed':
        this.#writes.dropped(event.job);
        this.#edge.refused(event);
        return;
      case 'crashed':
        for (const job of this.#edge.crashed(event)) this.#writes.dropped(job);
        return;
      case 'restarted':
        this.#edge.restarted(event);
        return;
      case 'outcome':
        this.#closed(event.job, event.class);
        if (this.#counter !== undefined && event.outcome === 'refused') {
          this.#pool?.reserved(event.atMs, 'insufficient', false);
        }
        return;
      case 'finished':
      case 'killed':
        this.#edge.ended(event);
        return;
      case 'signal':
        this.#peaks.hear(event);
        this.#signals.sampled(event);
        return;
      case 'tripped':
        this.#peaks.hear(event);
        this.#signals.tripped();
        return;
      case 'write-started':
      case 'lane-ended':
        return;
    }
  }

  /** On a night that is shorter or longer than others times are told from its kill, which is what matters to them. */
  #aligned(event: WorldEvent): WorldEvent {
    if (this.#calendar === undefined) return event;
    const { lastsMs } = this.#calendar.nights[event.night - 1] ?? {};
    if (lastsMs === undefined || lastsMs === this.#windowMs) return event;
    return { ...event, atMs: Math.max(0, event.atMs + this.#windowMs - lastsMs) };
  }

  series(): NightSeries {
    const classes = [...this.#tokens].map(
      ([name, tally]): ClassSeries => ({
        name,
        admittedFirstNight: this.#pool === undefined ? null : (this.#admitted.get(name) ?? 0),
        usage: tally.series(),
      }),
    );
    return {
      grants: this.#grants.series(),
      calls: this.#calls.series(),
      losses: this.#losses.series(),
      waits: this.#waits.series(),
      fleet: this.#fleet.series(),
      pool: this.#pool?.series() ?? null,
      classes,
      writes: this.#writes.series(),
      edge: this.#edge.series(),
      signals: this.#signals.series(),
      signalPeaks: this.#peaks.peaks(),
      stranded: this.#stranded?.series() ?? null,
    };
  }

  #closed(job: string, className: string): void {
    const tokens = this.#tokensOfJob.get(job);
    if (tokens !== undefined) this.#tokens.get(className)?.add(tokens);
    if (this.#letIn.has(job)) this.#admitted.set(className, (this.#admitted.get(className) ?? 0) + 1);
    this.#tokensOfJob.delete(job);
    this.#letIn.delete(job);
  }

  #fillCounter(night: number): void {
    if (this.#counter === undefined || (this.#counter.refill === 'never' && night > 1)) return;
    const { capacity } = this.#counter;
    this.#moveCounter(night, 0, { capacity, balance: capacity });
  }

  #moveCounter(night: number, atMs: number, moved: Partial<RowDelta>): void {
    if (this.#counter === undefined) return;
    const { name: pool, refill } = this.#counter;
    const period = refill === 'night' ? night : 0;
    this.#pool?.moved(atMs, [{ ...NOTHING, pool, period, ...moved }]);
  }
}
