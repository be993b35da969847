// What the engine costs, as ratios within one run: machines differ, ratios hardly do.

import { RandomRoot } from '../src/base/random-streams.ts';
import { Engine, type Process } from '../src/sim/engine.ts';
import { EventHeap, HeapEvent } from '../src/sim/event-heap.ts';
import { Station } from '../test/theory/station.ts';
import type { BenchLine } from './bench-line.ts';
import { secondsOf } from './seconds-of.ts';

const CUSTOMERS = 300_000;
const LOAD = 0.8;

export function engineBench(): BenchLine[] {
  return [...queueLines(), ...timerLines(), ...holdLines()];
}

/** The same customers, once as generators on the engine, once as plain events in a loop over the bare heap. */
function queueLines(): BenchLine[] {
  const gaps = exponentials('gaps', 1 / LOAD);
  const services = exponentials('services', 1);
  const asProcesses = secondsOf(() => playProcesses(gaps, services));
  const bare = secondsOf(() => playBare(gaps, services));
  return [
    { name: 'M/M/1, every customer a process', figure: `${millions(asProcesses)} customers/s` },
    { name: 'M/M/1, bare loop over the same heap', figure: `${millions(bare)} customers/s` },
    { name: 'M/M/1, processes beside bare', figure: (bare / asProcesses).toFixed(2) },
  ];
}

function playProcesses(gaps: Float64Array, services: Float64Array): number {
  const engine = new Engine();
  const station = new Station(1);
  let totalWait = 0;
  function* customer(ordinal: number): Process {
    const next = ordinal + 1;
    if (next < CUSTOMERS) engine.start(customer(next), gaps[next]!);
    const arrivedAt = engine.now;
    if (!station.tryEnter()) yield station;
    totalWait += engine.now - arrivedAt;
    yield services[ordinal]!;
    station.leave();
  }
  engine.start(customer(0), gaps[0]!);
  engine.run();
  return totalWait;
}

class Customer extends HeapEvent {
  readonly ordinal: number;
  arrivedAt = -1;

  constructor(ordinal: number) {
    super();
    this.ordinal = ordinal;
  }
}

function playBare(gaps: Float64Array, services: Float64Array): number {
  const heap = new EventHeap<Customer>();
  const line: Customer[] = [];
  let head = 0;
  let idle = true;
  let totalWait = 0;
  heap.push(gaps[0]!, new Customer(0));
  for (;;) {
    const now = heap.earliest;
    const customer = heap.pop();
    if (customer === undefined) return totalWait;
    if (customer.arrivedAt < 0) {
      const next = customer.ordinal + 1;
      if (next < CUSTOMERS) heap.push(now + gaps[next]!, new Customer(next));
      customer.arrivedAt = now;
      if (idle) heap.push(now + services[customer.ordinal]!, customer);
      else line.push(customer);
      idle = false;
    } else {
      const next = line[head];
      if (next === undefined) {
        idle = true;
      } else {
        head += 1;
        if (head === 1024) {
          line.splice(0, head);
          head = 0;
        }
        totalWait += now - next.arrivedAt;
        heap.push(now + services[next.ordinal]!, next);
      }
    }
  }
}

/** A timer is set for every step and cancelled at the next, as a deadline that is met: its length must not matter. */
function timerLines(): BenchLine[] {
  const lengths = [10, 1_000, 100_000];
  const times = lengths.map((length) => secondsOf(() => playTimers(length)));
  return lengths.map((length, i) => ({
    name: `timer of ${length.toLocaleString('en')} steps set and cancelled`,
    figure: `${(times[i]! / times[0]!).toFixed(2)} × the shortest`,
  }));
}

function playTimers(length: number): number {
  const engine = new Engine();
  let met = 0;
  function* worker(): Process {
    for (let i = 0; i < 20_000; i++) {
      const timer = engine.schedule(length, () => {
        throw new Error('a cancelled timer rang');
      });
      yield 1;
      if (engine.cancel(timer)) met += 1;
    }
  }
  for (let lane = 0; lane < 10; lane++) engine.start(worker());
  engine.run();
  return met;
}

/** Every event schedules one more (Vaucher & Duval 1975): the cost of one event against the number pending. */
function holdLines(): BenchLine[] {
  const sizes = [10, 1_000, 100_000];
  const delays = exponentials('hold', 1);
  const times = sizes.map((size) => secondsOf(() => playHold(size, delays)));
  return sizes.map((size, i) => ({
    name: `hold model, ${size.toLocaleString('en')} pending`,
    figure: `${(times[i]! / times[0]!).toFixed(2)} × the smallest, ${millions(times[i]!)} events/s`,
  }));
}

function playHold(size: number, delays: Float64Array): number {
  const engine = new Engine();
  let played = 0;
  const next = (): void => {
    played += 1;
    engine.schedule(delays[played % CUSTOMERS]!, next);
  };
  for (let i = 0; i < size; i++) engine.schedule(delays[i]!, next);
  while (played < CUSTOMERS) engine.step();
  return played;
}

function exponentials(label: string, mean: number): Float64Array {
  const stream = new RandomRoot('bench').stream(0, label);
  return Float64Array.from({ length: CUSTOMERS }, (_, i) => -mean * Math.log(stream.uniform(0, i)));
}

function millions(seconds: number): string {
  return `${(CUSTOMERS / seconds / 1e6).toFixed(2)} M`;
}
