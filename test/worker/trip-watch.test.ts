import { describe, expect, test } from 'vitest';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import type { Effect } from '../../src/worker/effects.ts';
import { JobQueue } from '../../src/worker/job-queue.ts';
import { TripMonitor } from '../../src/worker/trip-monitor.ts';
import type { Trip } from '../../src/worker/trip-settings.ts';
import { type TripReaction, TripWatch, tabledReaction } from '../../src/worker/trip-watch.ts';

type Reserve = Extract<Effect<string>, { readonly kind: 'reserve' }>;

/** Jobs `a0 … a9` and `b0 … b9` over a pool of 100 tokens; every condition trips at its first event. */
class Watched {
  readonly ledger = new MemoryLedger();
  readonly monitor = new TripMonitor({
    pool: 'free',
    thresholds: { leastEvents: 1 },
    classes: new Map([['a', { slackMs: 1_000 }]]),
  });
  readonly queue: JobQueue<string>;
  readonly told: string[] = [];
  readonly watch: TripWatch<string>;

  constructor(reaction: (trip: Trip) => TripReaction = () => 'none') {
    const ids = ['a', 'b'].flatMap((name) => Array.from({ length: 10 }, (_, i) => `${name}${i}`));
    this.queue = new JobQueue(ids.map((id) => ({ job: id, jobId: id, envelope: 1, class: id[0]! })));
    this.ledger.openPool({ pool: 'free', capacity: 100 });
    this.watch = new TripWatch({
      monitor: this.monitor,
      queue: this.queue,
      openedAtMs: 0,
      classes: ['a', 'b'],
      classOf: (jobId) => (jobId === 'stranger' ? undefined : jobId[0]),
      told: (trip) => {
        this.told.push(`${trip.level} ${trip.signal} ${trip.class ?? trip.pool}`);
        return reaction(trip);
      },
    });
  }

  /** Asks, and tells the watch of the answer. */
  reserve(job: string, amount: number, id = `${job}/1/1`): void {
    const request = { id, pool: 'free', job, amount, leaseMs: 1_000 };
    const effect: Reserve = { kind: 'reserve', request };
    this.watch.answered(effect, this.ledger.reserve({ ...request, nowMs: 0 as never }), 0);
  }

  settle(id: string, actual: number): void {
    this.watch.answered({ kind: 'settle', id, actual }, this.ledger.settle({ id, actual }), 0);
  }

  reading(signal: string): unknown {
    const { figure, events } = this.monitor.readings(0).find((one) => one.signal === signal)!;
    return { figure, events };
  }

  get standings(): readonly string[] {
    return [...this.queue.standings()].map(({ jobId, standing }) =>
      standing.state === 'deferred' ? `${jobId} ${standing.cause}` : `${jobId} ${standing.state}`,
    );
  }
}

describe('what the monitor hears', () => {
  test('a grant is an ask, a refusal for want of tokens or for its size is a refused one', () => {
    const watched = new Watched();
    watched.reserve('a0', 60);
    expect(watched.reading('refusal-rate')).toEqual({ figure: 0, events: 1 });
    watched.reserve('a1', 60);
    watched.reserve('a2', 101);
    expect(watched.reading('refusal-rate')).toEqual({ figure: 2 / 3, events: 3 });
  });

  test('a paused pool is in no rate', () => {
    const watched = new Watched();
    watched.ledger.pause({ pool: 'free' });
    watched.reserve('a0', 60);
    expect(watched.reading('refusal-rate')).toEqual({ figure: null, events: 0 });
  });

  test('an answer that is given again is heard once', () => {
    const watched = new Watched();
    watched.reserve('a0', 60);
    watched.reserve('a0', 60);
    watched.settle('a0/1/1', 45);
    watched.settle('a0/1/1', 45);
    expect(watched.reading('refusal-rate')).toEqual({ figure: 0, events: 1 });
    expect(watched.reading('unspent-ratio')).toEqual({ figure: 0.25, events: 1 });
  });

  test('a hold of a job that is none of tonight’s is nobody’s', () => {
    const watched = new Watched();
    watched.reserve('stranger', 10);
    watched.settle('stranger/1/1', 20);
    expect(watched.told).toEqual([]);
  });

  test('an overspend is told as an alert, and as a trip once it is no bad luck: 2 of 2 at 5 % are not', () => {
    const watched = new Watched();
    watched.reserve('a0', 10);
    watched.settle('a0/1/1', 11);
    expect(watched.told).toEqual(['alert overspend a']);
    watched.reserve('a1', 10);
    watched.settle('a1/1/1', 11);
    expect(watched.told).toEqual(['alert overspend a', 'trip overspend a']);
  });
});

describe('shedding', () => {
  test('defers what waits of the class, and what is put back later; who has a job goes on with it', () => {
    const watched = new Watched(tabledReaction);
    const [first, second] = [watched.queue.take(undefined), watched.queue.take(undefined)];
    watched.watch.look(501);
    expect(watched.told).toEqual(['trip queue-age a']);
    expect(watched.standings.slice(0, 4)).toEqual(['a0 claimed', 'a1 claimed', 'a2 shed', 'a3 shed']);
    expect(watched.queue.take(undefined)).toMatchObject({ kind: 'job', offer: { jobId: 'b0' } });
    if (first.kind !== 'job' || second.kind !== 'job') throw new Error('two jobs were there');
    watched.queue.leave(first.offer, { as: 'waiting' });
    watched.queue.checkpointed(second.offer, 'done', 'out-of-time');
    expect(watched.standings.slice(0, 2)).toEqual(['a0 shed', 'a1 done']);
    expect(watched.queue.waitsSince('a')).toBeUndefined();
  });

  test('of a trip of the pool’s takes every class', () => {
    const watched = new Watched(() => 'shed');
    watched.reserve('a0', 101);
    expect(watched.told).toEqual(['trip refusal-rate free']);
    expect(watched.queue.take(undefined)).toEqual({ kind: 'empty' });
  });

  test('is what the table says of an old queue alone', () => {
    const trip = {
      level: 'trip',
      class: 'a',
      pool: null,
      atMs: 0,
      figure: 1,
      threshold: 0,
      action: '',
    } as const;
    const reactions = (['refusal-rate', 'unspent-ratio', 'overspend', 'queue-age'] as const).map((signal) =>
      tabledReaction({ ...trip, signal }),
    );
    expect(reactions).toEqual(['none', 'none', 'none', 'shed']);
    expect(tabledReaction({ ...trip, level: 'alert', signal: 'queue-age' })).toBe('none');
  });
});
