// The trace that viewers read, held to the format: what each kind of event needs, and what the night was.

import { expect, test } from 'vitest';
import { ChromeTrace } from '../../src/report/chrome-trace.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { play } from '../../src/world/play.ts';
import { jobClass, pool, scenario } from '../world/scenario-fixture.ts';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly id?: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Two lanes, calls of 10 s and writes of 0.1 s, four jobs a night. */
const played = scenario({
  nights: 2,
  lanes: 2,
  pool: pool(),
  jobs: [jobClass({ count: 4 })],
  store: { ...scenario().store, write: constant(100) },
});

function traceOf(night: number): readonly TraceEvent[] {
  const trace = new ChromeTrace(night);
  let text = trace.open();
  play(played, {
    observe: (event) => {
      text += trace.event(event);
    },
  });
  const { traceEvents, displayTimeUnit } = JSON.parse(text + trace.close()) as {
    traceEvents: TraceEvent[];
    displayTimeUnit: string;
  };
  expect(displayTimeUnit).toBe('ms');
  return traceEvents;
}

const of = (events: readonly TraceEvent[], ph: string) => events.filter((event) => event.ph === ph);

test('each attempt is drawn on its lane from its start to its end, in microseconds', () => {
  const drawn = of(traceOf(2), 'X');
  expect(drawn.map(({ name, tid, ts, dur }) => [name, tid, ts, dur])).toEqual([
    ['plain:2:0 attempt 1', 1, 0, 10_000_000],
    ['plain:2:1 attempt 1', 2, 0, 10_000_000],
    ['plain:2:2 attempt 1', 1, 10_100_000, 10_000_000],
    ['plain:2:3 attempt 1', 2, 10_200_000, 10_000_000],
  ]);
  expect(drawn[0]!.args).toMatchObject({ outcome: 'ok', tokens: 1_100, billed: 1_100, grantedMs: 120_000 });
});

test('lanes, the store and the books have names', () => {
  const names = of(traceOf(1), 'M').map(({ name, args }) => [name, args.name]);
  expect(names).toEqual([
    ...['night', 'lanes', 'store', 'books'].map((group) => ['process_name', group]),
    ['thread_name', 'lane 1'],
    ['thread_name', 'lane 2'],
  ]);
});

test('a checkpoint begins as it is queued and ends as it is durable', () => {
  const events = traceOf(1);
  const way = (id: string) => events.filter((event) => event.id === id).map(({ ph, ts }) => [ph, ts]);
  expect(way('plain:1:0')).toEqual([
    ['b', 10_000_000],
    ['n', 10_000_000],
    ['e', 10_100_000],
  ]);
  // It waits for the one writer.
  expect(way('plain:1:1')).toEqual([
    ['b', 10_000_000],
    ['n', 10_100_000],
    ['e', 10_200_000],
  ]);
});

test('the books are curves that start where the night before left them', () => {
  const curve = of(traceOf(2), 'C').map(({ args }) => args);
  expect(curve[0]).toEqual({ balance: 1_000_000, held: 0, consumed: 0 });
  expect(curve.at(-1)).toEqual({ balance: 1_000_000 - 4_400, held: 0, consumed: 4_400 });
  for (const { balance, held, consumed } of curve as Record<string, number>[]) {
    expect(balance! + held! + consumed!).toBe(1_000_000);
  }
});

test('everything else is told at its moment, each event with a time and a place', () => {
  const events = traceOf(1);
  expect(of(events, 'i').filter(({ name }) => name === 'outcome')).toHaveLength(4);
  for (const event of events) {
    expect(event).toMatchObject({ pid: expect.any(Number), tid: expect.any(Number) });
    if (event.ph !== 'M') expect(Number.isInteger(event.ts)).toBe(true);
  }
});
