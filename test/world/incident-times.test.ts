import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { Draws } from '../../src/world/draws.ts';
import { IncidentTimes } from '../../src/world/incident-times.ts';
import { Troubles } from '../../src/world/troubles.ts';
import { fleet, scenario } from './fleet-fixture.ts';

const window = { lastsMs: 3_000_000, everyMs: 86_400_000 };
const stream = new RandomRoot('incidents').stream(0, 'test');
const random = (betweenMs: number, lastsMs: number) => ({ betweenMs, lasts: constant(lastsMs) });

function ofNights(times: IncidentTimes, nights: number) {
  return Array.from({ length: nights }, (_, i) => times.inNight(i + 1));
}

describe('incidents', () => {
  test('at fixed times are told in their nights, and where they reach into the next ones', () => {
    const at = [
      { night: 2, fromMs: 60_000, lastsMs: 5_000 },
      { night: 1, fromMs: 2_900_000, lastsMs: 84_000_000 },
    ];
    const times = new IncidentTimes({ incidents: { at, random: undefined }, stream, window });
    expect(ofNights(times, 3)).toEqual([
      [{ fromMs: 2_900_000, toMs: 86_900_000 }],
      [
        { fromMs: 0, toMs: 500_000 },
        { fromMs: 60_000, toMs: 65_000 },
      ],
      [],
    ]);
  });

  test('for any rate, never overlap, come in order, and are within their night', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60_000, max: 1e9 }),
        fc.integer({ min: 1, max: 1e8 }),
        (betweenMs, lastsMs) => {
          const incidents = { at: [], random: random(betweenMs, lastsMs) };
          for (const told of ofNights(new IncidentTimes({ incidents, stream, window }), 5)) {
            told.forEach(({ fromMs, toMs }, i) => {
              expect(fromMs).toBeGreaterThanOrEqual(told[i - 1]?.toMs ?? 0);
              expect(fromMs).toBeLessThan(window.lastsMs);
              expect(toMs).toBeGreaterThan(fromMs);
            });
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test('at random take up the share of the time that between and lasts make it', () => {
    const incidents = { at: [], random: random(600_000, 200_000) };
    let downMs = 0;
    for (const told of ofNights(new IncidentTimes({ incidents, stream, window }), 2_000)) {
      for (const { fromMs, toMs } of told) downMs += Math.min(toMs, window.lastsMs) - fromMs;
    }
    expect(downMs / (2_000 * window.lastsMs)).toBeCloseTo(0.25, 1);
  });
});

describe('the troubles of a fleet', () => {
  const troubles = (workers: number) => {
    const crashes = { at: [], random: random(3_600_000, 120_000) };
    const one = scenario({ nights: 10, fleet: fleet({ workers, crashes, pauses: crashes }) });
    const all = new Troubles(one, new Draws(new RandomRoot('seed'), 0, one));
    return Array.from({ length: 10 }, (_, i) => all.inNight(i + 1).workers);
  };

  test('are each worker’s own: one more worker changes nothing for the others', () => {
    const two = troubles(2);
    const three = troubles(3);
    expect(three.map(([first, second]) => [first, second])).toEqual(two);
    expect(two.some(([first]) => first!.crashes.length > 0)).toBe(true);
    expect(two.map(([first]) => first)).not.toEqual(two.map(([, second]) => second));
    expect(two.map(([first]) => first!.crashes)).not.toEqual(two.map(([first]) => first!.pauses));
  });

  test('strike only the worker that is named', () => {
    const at = [{ night: 1, fromMs: 5_000, lastsMs: 1_000, worker: 2 }];
    const one = scenario({ fleet: fleet({ workers: 2, crashes: { at, random: undefined } }) });
    const { workers } = new Troubles(one, new Draws(new RandomRoot('seed'), 0, one)).inNight(1);
    expect(workers.map(({ crashes }) => crashes.length)).toEqual([0, 1]);
  });
});
