import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import { SlowProcess } from '../../src/sim/slow-process.ts';

const LASTS = 1_000;
const process = (label: string, lasts = LASTS) =>
  new SlowProcess(new RandomRoot('slow').stream(0, label), 1, lasts);

const many = Array.from({ length: 2_000 }, (_, i) => process(`${i}`));

/** Over many processes, so that all products are independent. */
function products(at: number, distance: number): { mean: number; error: number } {
  const all = many.map((one) => one.at(at) * one.at(at + distance));
  const mean = all.reduce((sum, product) => sum + product, 0) / all.length;
  const variance = all.reduce((sum, product) => sum + (product - mean) * (product - mean), 0) / all.length;
  return { mean, error: Math.sqrt(variance / all.length) };
}

describe('a slow process', () => {
  it('has variance 1 at every position: on the lattice, between, and where two stretches meet', () => {
    for (const at of [0, 31.25, 62.5, 15_990, 16_000, 16_010, 1e9]) {
      const { mean, error } = products(at, 0);
      expect(Math.abs(mean - 1), `at ${at}`).toBeLessThan(4 * error);
    }
  });

  it('varies no less between two points of its lattice than on them', () => {
    const one = process('long');
    const count = 50_000;
    for (const offset of [0, LASTS / 32]) {
      let squares = 0;
      for (let i = 0; i < count; i += 1) squares += one.at(offset + 2 * i * LASTS) ** 2 / count;
      expect(Math.abs(squares - 1), `${offset} on from it`).toBeLessThan(4 * Math.sqrt(2 / count));
    }
  });

  it('forgets exponentially, within a stretch and across two', () => {
    for (const at of [0, 4_020, 15_000, 15_700]) {
      for (const distance of [62.5, 250, 1_000, 2_000, 4_000]) {
        const { mean, error } = products(at, distance);
        const difference = Math.abs(mean - Math.exp(-distance / LASTS));
        expect(difference, `${distance} on from ${at}`).toBeLessThan(0.03 + 4 * error);
      }
    }
  });

  it('says the same of a position whenever it is asked, and in whatever order', () => {
    const positions = Array.from({ length: 500 }, (_, i) => (i * 7_919_777) % 2_000_003);
    const forwards = process('order');
    const backwards = process('order');
    const first = positions.map((position) => forwards.at(position));
    const second = [...positions].reverse().map((position) => backwards.at(position));
    expect(second.reverse()).toEqual(first);
    expect(positions.map((position) => forwards.at(position))).toEqual(first);
  });

  it('has no jumps, not even where one stretch follows on another', () => {
    const one = process('smooth');
    for (const joint of [16_000, 32_000, 48_000]) {
      expect(Math.abs(one.at(joint) - one.at(joint - 1e-6))).toBeLessThan(1e-5);
    }
  });

  it('is another one under another label or purpose', () => {
    const stream = new RandomRoot('slow').stream(0, 'a');
    const levels = [process('a'), process('b'), new SlowProcess(stream, 2, LASTS)].map((one) => one.at(5));
    expect(new Set(levels).size).toBe(3);
  });

  it('stretches with its time constant', () => {
    expect(process('scale', 10).at(57)).toBe(process('scale', 1_000).at(5_700));
  });
});
