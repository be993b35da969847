import { expect, test } from 'vitest';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { replayNight } from '../../src/study/replay-night.ts';
import { play } from '../../src/world/play.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { pool, scenario } from '../world/scenario-fixture.ts';

const base = scenario();
const three = scenario({
  nights: 3,
  lanes: 3,
  pool: pool({ capacity: 25_000, quota: 25_000, refill: 'never' }),
  provider: {
    ...base.provider,
    latency: { kind: 'direct', call: exponential({ mean: 40_000 }) },
    hangs: 0.1,
    errors: 0.1,
  },
});

test('a night played again, with those before it, has the figures that it had', () => {
  for (const replication of [0, 5]) {
    const { nights } = play(three, { replication });
    for (const night of [1, 2, 3]) {
      expect(replayNight(three, { replication, night })).toEqual(nights[night - 1]);
    }
  }
});

test('replications are nights of their own', () => {
  expect(replayNight(three, { replication: 1, night: 1 })).not.toEqual(
    replayNight(three, { replication: 0, night: 1 }),
  );
});

test('every event up to its end is told, and none after it', () => {
  const all: WorldEvent[] = [];
  play(three, { replication: 2, observe: (event) => all.push(event) });
  const told: WorldEvent[] = [];
  replayNight(three, { replication: 2, night: 2, observe: (event) => told.push(event) });
  expect(told).toEqual(all.filter(({ night }) => night <= 2));
  expect(told.filter(({ night }) => night === 2).length).toBeGreaterThan(20);
});
