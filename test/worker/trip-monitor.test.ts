import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type TripEvent, TripMonitor, type TripMonitorOptions } from '../../src/worker/trip-monitor.ts';
import type { Trip, TripReading, TripSignal } from '../../src/worker/trip-settings.ts';

const MINUTE = 60_000;

/** Feeds a monitor, and keeps what it says. */
class Fed {
  readonly said: Trip[] = [];
  readonly #monitor: TripMonitor;
  #jobs = 0;

  constructor(options: TripMonitorOptions = {}) {
    this.#monitor = new TripMonitor({ pool: 'free', ...options });
  }

  hear(event: TripEvent, atMs: number): this {
    this.said.push(...this.#monitor.hear(event, atMs));
    return this;
  }

  /** So many jobs ask, none of which asked before. */
  asks(count: number, isRefused: boolean, atMs = 0): this {
    for (let i = 0; i < count; i += 1) {
      this.#jobs += 1;
      this.hear({ type: 'asked', job: `job-${this.#jobs}`, isRefused }, atMs);
    }
    return this;
  }

  settles(count: number, held: number, actual: number, atMs = 0): this {
    for (let i = 0; i < count; i += 1) this.hear({ type: 'settled', class: 'a', held, actual }, atMs);
    return this;
  }

  get trips(): readonly TripSignal[] {
    return this.said.filter(({ level }) => level === 'trip').map(({ signal }) => signal);
  }

  reading(signal: TripSignal, atMs: number): TripReading | undefined {
    return this.#monitor.readings(atMs).find((one) => one.signal === signal);
  }
}

describe('the refusal rate', () => {
  test('is still well at 1 refused of 20, which is 5 %, and trips at 2 of 20', () => {
    expect(new Fed().asks(19, false).asks(1, true).trips).toEqual([]);
    const fed = new Fed().asks(18, false).asks(2, true, 7);
    expect(fed.said).toEqual([
      {
        level: 'trip',
        signal: 'refusal-rate',
        class: null,
        pool: 'free',
        atMs: 7,
        figure: 0.1,
        threshold: 0.05,
        action: 'shrink envelopes or lower concurrency',
      },
    ]);
  });

  test('says nothing before 20 jobs have asked, whatever became of them', () => {
    expect(new Fed().asks(19, true).trips).toEqual([]);
    expect(new Fed().asks(20, true).trips).toEqual(['refusal-rate']);
  });

  test('counts a job once from its first refusal on, however often it asks again', () => {
    const fed = new Fed().asks(19, false);
    for (let i = 0; i < 50; i += 1) fed.hear({ type: 'asked', job: 'stubborn', isRefused: true }, i);
    expect(fed.reading('refusal-rate', 50)).toMatchObject({ events: 20, figure: 0.05, isTripped: false });
    fed.hear({ type: 'asked', job: 'stubborn', isRefused: false }, 60);
    expect(fed.reading('refusal-rate', 60)).toMatchObject({ events: 20 });
  });

  test('forgets what is ten minutes old, to the millisecond', () => {
    const fed = new Fed().asks(20, true, 0).asks(1, false, 10 * MINUTE - 1);
    expect(fed.reading('refusal-rate', 10 * MINUTE - 1)).toMatchObject({ events: 21, figure: 20 / 21 });
    expect(fed.reading('refusal-rate', 10 * MINUTE)).toMatchObject({ events: 1, figure: 0 });
    expect(fed.reading('refusal-rate', 30 * MINUTE)).toMatchObject({ events: 0, figure: null });
  });

  test('is told once, also where it goes on or comes again', () => {
    const fed = new Fed()
      .asks(30, true, 0)
      .asks(30, false, 20 * MINUTE)
      .asks(30, true, 40 * MINUTE);
    expect(fed.trips).toEqual(['refusal-rate']);
  });
});

describe('the unspent envelope ratio', () => {
  test('is still well at 40 % and trips above', () => {
    expect(new Fed().settles(20, 100, 60).trips).toEqual([]);
    expect(new Fed().settles(19, 100, 60).settles(1, 100, 59).trips).toEqual(['unspent-ratio']);
  });

  test('weighs tokens, not jobs, and takes an overspend for nothing unspent', () => {
    // 20 small ones half unspent, one large one used up beyond its envelope: 1,000 of 102,000.
    const fed = new Fed()
      .settles(20, 100, 50)
      .hear({ type: 'settled', class: 'a', held: 100_000, actual: 150_000 }, 1);
    expect(fed.reading('unspent-ratio', 1)).toMatchObject({ figure: 1_000 / 102_000 });
  });

  test('may be ten points above what the class leaves by construction, where that is more than 40 %', () => {
    const classes = new Map([['a', { unspentRatio: 0.75 }]]);
    expect(new Fed({ classes }).settles(20, 100, 15).trips).toEqual([]);
    expect(new Fed({ classes }).settles(19, 100, 15).settles(1, 100, 14).trips).toEqual(['unspent-ratio']);
    // 12 % by construction: 22 % would be ten points above, but 40 % is higher.
    const tight = new Map([['a', { unspentRatio: 0.12 }]]);
    expect(new Fed({ classes: tight }).settles(20, 100, 60).trips).toEqual([]);
  });
});

describe('overspend', () => {
  test('alerts its class at the first one, once, long before it trips', () => {
    const fed = new Fed().settles(1, 100, 101, 5).settles(1, 100, 101, 6);
    expect(fed.said).toMatchObject([
      { level: 'alert', signal: 'overspend', class: 'a', pool: null, atMs: 5, figure: 1, threshold: 0 },
    ]);
  });

  test('trips at 4 of 20 under p95, and not at 3: 1.6 % and 7.5 % of bad luck', () => {
    expect(new Fed().settles(17, 100, 90).settles(3, 100, 101).trips).toEqual([]);
    expect(new Fed().settles(16, 100, 90).settles(4, 100, 101).trips).toEqual(['overspend']);
  });

  test('does not count the usage of the whole envelope as an overspend', () => {
    expect(new Fed().settles(20, 100, 100).said).toEqual([]);
  });

  test('is measured against the quantile of the class, with the confidence that was asked for', () => {
    const p80 = new Map([['a', { quantile: 0.8 }]]);
    // P(X ≥ 7 | 20, 0.2) = 8.7 %, P(X ≥ 8 | 20, 0.2) = 3.2 %.
    expect(new Fed({ classes: p80 }).settles(13, 100, 90).settles(7, 100, 101).trips).toEqual([]);
    expect(new Fed({ classes: p80 }).settles(12, 100, 90).settles(8, 100, 101).trips).toEqual(['overspend']);
    const sure = { overspendConfidence: 0.99 };
    expect(new Fed({ thresholds: sure }).settles(16, 100, 90).settles(4, 100, 101).trips).toEqual([]);
    const p100 = new Map([['a', { quantile: 1 }]]);
    expect(new Fed({ classes: p100 }).settles(19, 100, 90).settles(1, 100, 101).trips).toEqual(['overspend']);
  });

  test('of one class is none of another', () => {
    const fed = new Fed().settles(20, 100, 101);
    for (let i = 0; i < 20; i += 1) fed.hear({ type: 'settled', class: 'b', held: 100, actual: 90 }, 1);
    expect(fed.said.map(({ class: name }) => name)).toEqual(['a', 'a']);
  });
});

describe('the age of the queue', () => {
  const classes = new Map([['a', { slackMs: 60 * MINUTE }]]);
  const waits = { type: 'waiting', class: 'a', sinceMs: 0 } as const;

  test('is still well at half of the slack, and trips a moment later, without twenty of anything', () => {
    const fed = new Fed({ classes }).hear(waits, 30 * MINUTE);
    expect(fed.trips).toEqual([]);
    fed.hear(waits, 30 * MINUTE + 1);
    expect(fed.said).toMatchObject([{ signal: 'queue-age', class: 'a', threshold: 0.5 }]);
  });

  test('is none where nobody waits, and where no slack was declared', () => {
    const idle = new Fed({ classes }).hear({ ...waits, sinceMs: undefined }, 59 * MINUTE);
    expect(idle.reading('queue-age', 59 * MINUTE)).toMatchObject({ events: 0, figure: null });
    const undeclared = new Fed({ classes: new Map([['a', {}]]) }).hear(waits, 1e9);
    expect([idle.trips, undeclared.trips]).toEqual([[], []]);
    expect(undeclared.reading('queue-age', 1e9)).toBeUndefined();
  });

  test('grows while nothing is heard', () => {
    const fed = new Fed({ classes }).hear(waits, 0);
    expect(fed.reading('queue-age', 45 * MINUTE)).toMatchObject({ events: 1, figure: 0.75, isTripped: true });
  });
});

describe('the readings', () => {
  test('have the pool first and then every class, known ones before anything has happened', () => {
    const monitor = new TripMonitor({
      pool: 'free',
      classes: new Map([
        ['a', { slackMs: 1 }],
        ['b', {}],
      ]),
    });
    const names = monitor.readings(0).map(({ signal, class: name }) => `${signal} ${name ?? 'free'}`);
    expect(names).toEqual([
      'refusal-rate free',
      'unspent-ratio a',
      'overspend a',
      'queue-age a',
      'unspent-ratio b',
      'overspend b',
    ]);
  });

  test('are of ages alone where there is no pool', () => {
    const monitor = new TripMonitor({
      classes: new Map([
        ['a', { slackMs: 1 }],
        ['b', {}],
      ]),
    });
    expect(monitor.readings(0).map(({ signal }) => signal)).toEqual(['queue-age']);
  });
});

describe('for any sequence of events', () => {
  interface Timed {
    readonly event: TripEvent;
    readonly atMs: number;
  }

  const event: fc.Arbitrary<TripEvent> = fc.oneof(
    fc.record({
      type: fc.constant('asked' as const),
      job: fc.integer({ min: 0, max: 30 }).map(String),
      isRefused: fc.boolean(),
    }),
    fc.record({
      type: fc.constant('settled' as const),
      class: fc.constantFrom('a', 'b'),
      held: fc.integer({ min: 0, max: 50 }),
      actual: fc.integer({ min: 0, max: 60 }),
    }),
  );
  const sequence: fc.Arbitrary<readonly Timed[]> = fc
    .array(fc.record({ event, afterMs: fc.integer({ min: 0, max: 4 }) }), { minLength: 150, maxLength: 300 })
    .map((steps) => {
      let atMs = 0;
      return steps.map((step) => {
        atMs += step.afterMs;
        return { event: step.event, atMs };
      });
    });

  test('the sliding counts are those of a recount from the beginning', () => {
    const windows = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(sequence, windows, (timed, windowMs) => {
        const monitor = new TripMonitor({ pool: 'free', thresholds: { windowMs } });
        const counts = timed.map((_, position) => isCounted(timed, position));
        for (const [position, { event: told, atMs }] of timed.entries()) {
          monitor.hear(told, atMs);
          const inside = timed
            .slice(0, position + 1)
            .filter((_, before) => counts[before])
            .filter((one) => one.atMs > atMs - windowMs)
            .map((one) => one.event);
          for (const reading of monitor.readings(atMs)) {
            expect([reading.signal, reading.events, reading.figure]).toEqual([
              reading.signal,
              ...recounted(reading, inside),
            ]);
          }
        }
      }),
      // Long ones are the point, and shrinking those takes minutes.
      { numRuns: 40, endOnFailure: true },
    );
  });

  /** A job's asks after its first refusal are not. */
  function isCounted(timed: readonly Timed[], position: number): boolean {
    const asked = timed[position]!.event;
    if (asked.type !== 'asked') return true;
    return !timed
      .slice(0, position)
      .some(({ event: one }) => one.type === 'asked' && one.job === asked.job && one.isRefused);
  }

  function recounted({ signal, class: name }: TripReading, inside: readonly TripEvent[]) {
    if (signal === 'refusal-rate') {
      const asks = inside.filter((one) => one.type === 'asked');
      return [asks.length, share(asks.filter(({ isRefused }) => isRefused).length, asks.length)];
    }
    const settles = inside.filter((one) => one.type === 'settled').filter((one) => one.class === name);
    const sum = (of: (one: (typeof settles)[number]) => number) =>
      settles.reduce((total, one) => total + of(one), 0);
    const figure =
      signal === 'overspend'
        ? share(settles.filter(({ held, actual }) => actual > held).length, settles.length)
        : share(
            sum(({ held, actual }) => Math.max(0, held - actual)),
            sum(({ held }) => held),
          );
    return [settles.length, figure];
  }

  function share(part: number, whole: number): number | null {
    return whole === 0 ? null : part / whole;
  }
});
