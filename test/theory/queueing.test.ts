// The engine against queueing theory: every customer a generator process, every figure beside the closed
// form (Erlang, Pollaczek–Khinchine) and never beside a number that was itself simulated.

import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import type { Distribution } from '../../src/sim/distribution.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { p50p95 } from '../../src/sim/distributions/log-normal.ts';
import { Engine, type Process } from '../../src/sim/engine.ts';
import oracle from './queueing.json' with { type: 'json' };
import { Station } from './station.ts';

type Case = (typeof oracle.cases)[number];

/** The figures that a case may state, as one replication estimates them. */
interface Estimates {
  probabilityOfWaiting: number;
  meanWait: number;
  meanSojourn: number;
  meanInQueue: number;
  utilisation: number;
  blocking: number;
}

const FIGURES = [
  'probabilityOfWaiting',
  'meanWait',
  'meanSojourn',
  'meanInQueue',
  'utilisation',
  'blocking',
] as const;

const REPLICATIONS = 30;
const ROOT = new RandomRoot('queueing theory');

describe.each(oracle.cases)('$model with arrivals at $arrivalRate', (queue) => {
  const { replications, customers } = effort(queue);
  const title = `${describeServers(queue)}: within 4 standard errors of theory, each at most 1.5 % of it`;

  it(`${title} (${replications} replications of ${customers} customers)`, () => {
    const runs = Array.from({ length: replications }, (_, replication) =>
      play(queue, customers, replication),
    );
    let compared = 0;
    for (const figure of FIGURES) {
      const theory = figure in queue ? queue[figure as keyof Case] : undefined;
      if (typeof theory !== 'number') continue;
      compared += 1;
      const { mean, standardError } = acrossReplications(runs.map((run) => run[figure]));
      expect(standardError / theory, `relative standard error of ${figure}`).toBeLessThan(0.015);
      expect(Math.abs(mean - theory) / standardError, `standard errors off ${figure}`).toBeLessThan(4);
    }
    expect(compared).toBeGreaterThan(0);
  });
});

/** Long queues forget slowly, so that a heavily loaded station needs more customers for the same error. */
function effort(queue: Case): { replications: number; customers: number } {
  const heavy = (queue.utilisation ?? 0) > 0.85;
  return { replications: REPLICATIONS, customers: heavy ? 300_000 : 100_000 };
}

function describeServers(queue: Case): string {
  const count = queue.servers ?? 1;
  return count === 1 ? '1 server' : `${count} servers`;
}

function serviceOf(queue: Case): Distribution {
  if (queue.model === 'M/G/1') return p50p95(queue.service!.lognormal);
  if (queue.model === 'M/D/1') return constant(1 / queue.serviceRate!);
  return exponential({ mean: 1 / queue.serviceRate! });
}

const GAP = 0;
const SERVICE = 1;

/** One replication; its first 10 % of customers are the warm-up and not counted. */
function play(queue: Case, customers: number, replication: number): Estimates {
  const engine = new Engine();
  const servers = queue.servers ?? 1;
  const station = new Station(servers);
  const loses = queue.model === 'M/M/c/c';
  const gaps = exponential({ mean: 1 / queue.arrivalRate });
  const services = serviceOf(queue);
  const stream = ROOT.stream(replication, JSON.stringify(queue));
  const warmUp = customers / 10;
  let counting = false;
  let countedSince = 0;
  let [waited, blocked, wait, sojourn] = [0, 0, 0, 0];
  // Areas under the number in line and the number in service, for the time averages.
  let [inLine, inService, areaInLine, areaInService, changedAt] = [0, 0, 0, 0, 0];

  function count(line: number, service: number): void {
    if (counting) {
      areaInLine += inLine * (engine.now - changedAt);
      areaInService += inService * (engine.now - changedAt);
    }
    changedAt = engine.now;
    inLine += line;
    inService += service;
  }

  function* customer(ordinal: number): Process {
    const arrivedAt = engine.now;
    const counted = ordinal >= warmUp;
    if (station.tryEnter()) {
      count(0, 1);
    } else if (loses) {
      if (counted) blocked += 1;
      return;
    } else {
      count(1, 0);
      yield station;
      count(-1, 1);
      if (counted) waited += 1;
    }
    if (counted) wait += engine.now - arrivedAt;
    yield services.quantile(stream.uniform(SERVICE, ordinal));
    count(0, -1);
    station.leave();
    if (counted) sojourn += engine.now - arrivedAt;
  }

  function* arrivals(): Process {
    for (let ordinal = 0; ordinal < customers; ordinal++) {
      yield gaps.quantile(stream.uniform(GAP, ordinal));
      if (ordinal === warmUp) {
        count(0, 0);
        counting = true;
        countedSince = engine.now;
      }
      engine.start(customer(ordinal));
    }
    // The time averages end with the arrivals; what follows only empties the station.
    count(0, 0);
    counting = false;
    lasted = engine.now - countedSince;
  }

  let lasted = 0;
  engine.start(arrivals());
  engine.run();
  const counted = customers - warmUp;
  return {
    probabilityOfWaiting: waited / counted,
    meanWait: wait / counted,
    meanSojourn: sojourn / counted,
    meanInQueue: areaInLine / lasted,
    utilisation: areaInService / lasted / servers,
    blocking: blocked / counted,
  };
}

function acrossReplications(values: readonly number[]): { mean: number; standardError: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(squares / (values.length - 1) / values.length) };
}
