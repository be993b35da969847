// A played night as trace events, the JSON that the Perfetto viewer and Chrome's own read: one row for each
// lane, the checkpoints' way through the store, and the books as curves.
// The format: "Trace Event Format", Google, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.

import type { RowDelta } from '../ledger/ledger.ts';
import type { WorldEvent } from '../world/world-event.ts';

/** Groups of rows in the viewer. */
const GROUP = { night: 0, lanes: 1, store: 2, books: 3 } as const;

type Event<Type extends WorldEvent['type']> = Extract<WorldEvent, { readonly type: Type }>;

interface PoolCurve {
  period: number;
  balance: number;
  held: number;
  consumed: number;
}

/** Text in three parts, to be written one after the other: what `open` says, each event, what `close` says. */
export class ChromeTrace {
  readonly #night: number;
  readonly #lanes = new Set<number>();
  readonly #curves = new Map<string, PoolCurve>();

  /** @param night the one to show; events of earlier ones only say what the books were before it */
  constructor(night: number) {
    this.#night = night;
  }

  open(): string {
    const names = Object.entries(GROUP).map(([name, pid]) => named('process_name', name, { pid, tid: 0 }));
    return `{"displayTimeUnit":"ms","traceEvents":[\n${names.join(',\n')}`;
  }

  /** Empty where there is nothing to show of it. */
  event(event: WorldEvent): string {
    if (event.type === 'books') this.#move(event.delta);
    if (event.night !== this.#night) return '';
    return this.#lines(event)
      .map((line) => `,\n${line}`)
      .join('');
  }

  close(): string {
    return '\n]}\n';
  }

  #lines(event: WorldEvent): readonly string[] {
    switch (event.type) {
      case 'attempt':
        return this.#attempt(event);
      case 'books':
        return event.delta.map(({ pool }) => this.#curve(pool, event.atMs));
      case 'write-queued':
        return [checkpoint('b', event)];
      case 'write-started':
        return [checkpoint('n', event)];
      case 'written':
      case 'write-failed':
        return [checkpoint('e', event)];
      // What was granted is told by its attempt.
      case 'granted':
        return [];
      default:
        return [instant(event)];
    }
  }

  /** Told when it ends, drawn from its start. */
  #attempt(event: Event<'attempt'>): readonly string[] {
    const { lane, job, attempt, elapsedMs, atMs, outcome } = event;
    const place = { pid: GROUP.lanes, tid: lane + 1 };
    const drawn = {
      name: `${job} attempt ${attempt}`,
      cat: outcome,
      ph: 'X',
      ts: microseconds(atMs - elapsedMs),
      dur: microseconds(elapsedMs),
      ...place,
      args: factsOf(event),
    };
    if (this.#lanes.has(lane)) return [JSON.stringify(drawn)];
    this.#lanes.add(lane);
    return [named('thread_name', `lane ${lane + 1}`, place), JSON.stringify(drawn)];
  }

  #move(delta: readonly RowDelta[]): void {
    for (const { pool, period, balance, held, consumed } of delta) {
      let curve = this.#curves.get(pool);
      // A row of an earlier period may still move; the curve is that of the current one.
      if (curve === undefined || period > curve.period) {
        curve = { period, balance: 0, held: 0, consumed: 0 };
        this.#curves.set(pool, curve);
      }
      if (period < curve.period) continue;
      curve.balance += balance;
      curve.held += held;
      curve.consumed += consumed;
    }
  }

  #curve(pool: string, atMs: number): string {
    const { balance, held, consumed } = this.#curves.get(pool)!;
    return JSON.stringify({
      name: `pool ${pool}`,
      ph: 'C',
      ts: microseconds(atMs),
      pid: GROUP.books,
      tid: 0,
      args: { balance, held, consumed },
    });
  }
}

type WriteEvent = Event<'write-queued' | 'write-started' | 'written' | 'write-failed'>;

function checkpoint(ph: 'b' | 'n' | 'e', event: WriteEvent): string {
  const { job, status, atMs } = event;
  const facts = { name: `checkpoint ${status}`, cat: 'checkpoint', id: job, ph, ts: microseconds(atMs) };
  return JSON.stringify({ ...facts, pid: GROUP.store, tid: 0, args: { job, status } });
}

function instant(event: WorldEvent): string {
  const tid = 'lane' in event ? event.lane + 1 : 0;
  const pid = 'lane' in event ? GROUP.lanes : GROUP.night;
  const facts = { name: event.type, cat: event.type, ph: 'i', s: 't', ts: microseconds(event.atMs) };
  return JSON.stringify({ ...facts, pid, tid, args: factsOf(event) });
}

function named(what: string, name: string, place: { readonly pid: number; readonly tid: number }): string {
  return JSON.stringify({ name: what, ph: 'M', ...place, args: { name } });
}

function factsOf({ night: _night, atMs: _atMs, type: _type, ...facts }: WorldEvent): object {
  return facts;
}

function microseconds(ms: number): number {
  return Math.round(ms * 1000);
}
