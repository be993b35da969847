// Every arrival process against theory: gaps by chi-square on the process's own clock, counts by the index of
// dispersion, hours and days by what their share should be. Seeds are fixed; limits are 99.9 % quantiles.

import { describe, expect, test } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { ArrivalSchedule } from '../../src/world/arrival-schedule.ts';
import { chiSquareUpperTail } from './chi-square.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** One class in a window that is open day and night; 2026-06-01 is a Monday. */
function scenarioOf(arrive: string, { nights = 60, more = '' } = {}): Scenario {
  const text = `
nights: ${nights}
window: { opens: "00:00", lasts: 24 h, zone: Europe/Berlin, from: 2026-06-01 }
jobs: [{ class: a, arrive: ${arrive}, input: 1, output: 1${more} }]
provider: { latency: 1 s }
`;
  return readScenario({ name: 'arrivals.yaml', text }, { readText: () => '' });
}

/** In milliseconds since the first opening, over all nights. */
function arrivalsOf(scenario: Scenario, replication = 0): readonly number[] {
  const root = new RandomRoot('arrivals');
  const schedule = new ArrivalSchedule(scenario, (name) => root.stream(replication, name));
  const [{ name } = { name: '' }] = scenario.jobs;
  return Array.from({ length: scenario.nights }, (_, i) => i + 1).flatMap((night) => {
    const opensMs = scenario.calendar?.nights[night - 1]?.opensMs ?? 0;
    return (schedule.inNight(name, night) ?? []).map((atMs) => opensMs + atMs);
  });
}

function countsPer(binMs: number, times: readonly number[], bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const atMs of times) {
    const bin = Math.floor(atMs / binMs);
    if (bin >= 0 && bin < bins) counts[bin]! += 1;
  }
  return counts;
}

/** Variance ÷ mean. */
function dispersion(counts: readonly number[]): number {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const squares = counts.reduce((sum, count) => sum + (count - mean) * (count - mean), 0);
  return squares / (counts.length - 1) / mean;
}

/** How often chance alone is so far from what was expected of the counts. */
function chiSquare(counts: readonly number[], expected: readonly number[], degrees = counts.length): number {
  const statistic = counts.reduce((sum, count, i) => {
    const off = count - expected[i]!;
    return sum + (off * off) / expected[i]!;
  }, 0);
  return chiSquareUpperTail(statistic, degrees);
}

/** The gaps of a steady process, as probabilities, in twenty equal bins. */
function gapBins(scenario: Scenario, times: readonly number[]): number[] {
  const arrivals = scenario.jobs[0]?.arrivals;
  if (arrivals?.kind !== 'process') throw new Error('no process');
  const gaps = times.slice(1).map((atMs, i) => atMs - times[i]!);
  return countsPer(
    1 / 20,
    gaps.map((gapMs) => arrivals.gaps.cdf(gapMs)),
    20,
  );
}

const CASES = [
  // The index of dispersion of a renewal process is the squared coefficient of variation of its gaps, in the
  // long run (D. R. Cox, Renewal Theory, 1962, 4.5).
  { name: 'Poisson', arrive: '{ poisson: 60 per hour }', index: 1 },
  { name: 'gamma gaps of shape 0.4', arrive: '{ gaps: { gamma: { shape: 0.4, mean: 1 min } } }', index: 2.5 },
  { name: 'gamma gaps of shape 4', arrive: '{ gaps: { gamma: { shape: 4, mean: 1 min } } }', index: 0.25 },
  // Γ(1 + 2/k) / Γ(1 + 1/k)² − 1 = 4! / 2!² − 1
  {
    name: 'Weibull gaps of shape 0.5',
    arrive: '{ gaps: { weibull: { shape: 0.5, scale: 30 s } } }',
    index: 5,
  },
] as const;

describe.each(CASES)('$name', ({ arrive, index }) => {
  const scenario = scenarioOf(arrive);
  const times = arrivalsOf(scenario);

  test('has the gaps that were asked for', () => {
    const bins = gapBins(scenario, times);
    const expected = bins.map(() => (times.length - 1) / 20);
    expect(times.length).toBeGreaterThan(80_000);
    // They sum to what is expected of them in all.
    expect(chiSquare(bins, expected, 19)).toBeGreaterThan(1e-3);
  });

  test('brings as many as its mean says', () => {
    const sd = Math.sqrt(index * times.length);
    expect(Math.abs(times.length - 60 * 24 * 60)).toBeLessThan(4 * sd + 60);
  });

  test('has the index of dispersion of theory', () => {
    // Over 360 bins of four hours; the relative standard error of a variance is √(2 / 359).
    const found = dispersion(countsPer(4 * HOUR_MS, times, 360));
    expect(Math.abs(found / index - 1)).toBeLessThan(3.3 * Math.sqrt(2 / 359));
  });
});

describe('a Poisson process', () => {
  test('spread over the day brings each hour its share, and stays Poisson within it', () => {
    const profile = '{ "00:00": 1, "08:00": 6, "18:00": 2 }';
    const times = arrivalsOf(scenarioOf(`{ poisson: 1200 per day, profile: ${profile} }`));
    const byHour = new Array<number>(24).fill(0);
    for (const atMs of times) byHour[Math.floor((((atMs % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS)]! += 1;
    const weights = byHour.map((_, hour) => (hour < 8 ? 1 : hour < 18 ? 6 : 2));
    const sum = weights.reduce((one, other) => one + other, 0);
    const expected = weights.map((weight) => (weight / sum) * 1200 * 60);
    expect(chiSquare(byHour, expected)).toBeGreaterThan(1e-3);
    const daytime = countsPer(HOUR_MS, times, 60 * 24).filter((_, bin) => bin % 24 >= 8 && bin % 24 < 18);
    expect(Math.abs(dispersion(daytime) - 1)).toBeLessThan(3.3 * Math.sqrt(2 / 599));
  });

  test('brings each day of the week, the ends of months and holidays what their factors say', () => {
    const more = ', volume: { weekdays: { sat: 40%, sun: 0% }, monthEnd: { days: 2, factor: 300% } }';
    const times = arrivalsOf(scenarioOf('{ poisson: 1000 per day }', { more }));
    const byDay = countsPer(DAY_MS, times, 60);
    const expected = byDay.map((_, day) => {
      const ofWeekday = day % 7 === 5 ? 0.4 : day % 7 === 6 ? 0 : 1;
      // June has 30 days, and the 60 days end on 30 July.
      const ofMonth = day === 28 || day === 29 || day === 59 ? 3 : 1;
      return 1000 * ofWeekday * ofMonth;
    });
    const sundays = byDay.filter((_, day) => expected[day] === 0);
    expect(sundays.every((count) => count === 0)).toBe(true);
    const open = expected.flatMap((value, day) => (value === 0 ? [] : [day]));
    expect(
      chiSquare(
        open.map((day) => byDay[day]!),
        open.map((day) => expected[day]!),
      ),
    ).toBeGreaterThan(1e-3);
  });
});

describe('arrivals', () => {
  test('of one seed are the same, and of another replication others', () => {
    const scenario = scenarioOf('{ poisson: 60 per hour }', { nights: 2 });
    expect(arrivalsOf(scenario)).toEqual(arrivalsOf(scenario));
    expect(arrivalsOf(scenario, 1)).not.toEqual(arrivalsOf(scenario));
  });

  test('move monotonically with a rate: twice the rate, each in half the time', () => {
    const [slow, fast] = ['60 per hour', '120 per hour'].map((rate) =>
      arrivalsOf(scenarioOf(`{ poisson: ${rate} }`, { nights: 2 })),
    );
    for (const [ordinal, atMs] of slow!.slice(0, 1000).entries()) {
      // All begin as the night before would have ended: at the first opening.
      expect(fast![ordinal]!).toBeCloseTo(atMs / 2, 6);
    }
  });

  test('do not depend on the nights in which they are seen', () => {
    const whole = arrivalsOf(scenarioOf('{ poisson: 60 per hour }', { nights: 3 }));
    const text = (opens: string) => `
nights: 3
window: { opens: "${opens}", lasts: 1 h, zone: Europe/Berlin, from: 2026-06-01 }
jobs: [{ class: a, arrive: { poisson: 60 per hour }, input: 1, output: 1 }]
provider: { latency: 1 s }
`;
    const seen = arrivalsOf(readScenario({ name: 'a.yaml', text: text('00:00') }, { readText: () => '' }));
    const since = -23 * HOUR_MS;
    // Those of the day before the first night are seen as well; both begin with the same gaps.
    expect(seen[0]! - since).toBeCloseTo(whole[0]!, 6);
    expect(seen[500]! - since).toBeCloseTo(whole[500]!, 6);
  });
});
