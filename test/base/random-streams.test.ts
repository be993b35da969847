import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomRoot, RandomStream } from '../../src/base/random-streams.ts';

const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const key = fc.tuple(uint32, uint32, uint32, uint32);

describe('keyed random streams', () => {
  it('for any set of keys, a value depends on its key and not on the order of asking', () => {
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 20 }), (keys) => {
        const one = new RandomRoot('seed').stream(3, 'class:code');
        const other = new RandomRoot('seed').stream(3, 'class:code');
        const forwards = keys.map((parts) => one.uniform(...parts));
        const backwards = [...keys].reverse().map((parts) => other.uniform(...parts));
        expect(backwards.reverse()).toEqual(forwards);
      }),
    );
  });

  it('for any key, the uniform lies above 0 and below 1', () => {
    fc.assert(
      fc.property(uint32, uint32, key, (key0, key1, parts) => {
        const u = new RandomStream(key0, key1).uniform(...parts);
        expect(u > 0 && u < 1).toBe(true);
      }),
    );
  });

  it('for any key, another purpose, ordinal, label, replication or seed gives another value', () => {
    fc.assert(
      fc.property(key, fc.string(), ([purpose, a, b, c], label) => {
        const value = (
          seed: string,
          replication: number,
          name: string,
          ...parts: Parameters<RandomStream['uniform']>
        ): number => new RandomRoot(seed).stream(replication, name).uniform(...parts);
        const values = [
          value('s', 0, label, purpose, a, b, c),
          value('s', 0, label, (purpose + 1) >>> 0, a, b, c),
          value('s', 0, label, purpose, (a + 1) >>> 0, b, c),
          value('s', 0, label, purpose, a, (b + 1) >>> 0, c),
          value('s', 0, label, purpose, a, b, (c + 1) >>> 0),
          value('s', 0, `${label}x`, purpose, a, b, c),
          value('s', 0, `${label}\0`, purpose, a, b, c),
          value('s', 1, label, purpose, a, b, c),
          value('t', 0, label, purpose, a, b, c),
        ];
        expect(new Set(values).size).toBe(values.length);
      }),
    );
  });

  it('an ordinal left out is 0', () => {
    const stream = new RandomRoot('seed').stream(0, 'x');
    expect(stream.uniform(1, 2)).toBe(stream.uniform(1, 2, 0, 0));
  });

  it.each([-1, 0.5, 2 ** 32, Number.NaN])('a key part of %d is a bug', (bad) => {
    const stream = new RandomRoot('seed').stream(0, 'x');
    expect(() => stream.uniform(bad, 0)).toThrow('random key');
    expect(() => stream.uniform(0, bad)).toThrow('random key');
    expect(() => stream.uniform(0, 0, bad)).toThrow('random key');
    expect(() => stream.uniform(0, 0, 0, bad)).toThrow('random key');
    expect(() => new RandomRoot('seed').stream(bad, 'x')).toThrow('replication');
  });

  it('the values of a seed stay what they were', () => {
    const stream = new RandomRoot('2026-11').stream(0, 'class:summarize');
    expect([stream.uniform(0, 0), stream.uniform(0, 1), stream.uniform(1, 0, 2, 3)]).toEqual(FROZEN);
  });

  it('100,000 values along a counter fill 100 cells evenly', () => {
    const stream = new RandomRoot('cells').stream(0, 'x');
    const cells = new Array<number>(100).fill(0);
    for (let i = 0; i < 100_000; i++) cells[Math.floor(stream.uniform(0, i) * 100)]! += 1;
    const chiSquare = cells.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // The 0.01 % and 99.99 % quantiles of chi-square with 99 degrees of freedom.
    expect(chiSquare).toBeGreaterThan(54.5);
    expect(chiSquare).toBeLessThan(159);
  });
});

const FROZEN = [0.7800473147533058, 0.40955163193930966, 0.7027359697443988];
