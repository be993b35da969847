import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../src/world/token-bucket.ts';

const MINUTE = 60_000;

describe('a bucket of sixty a minute', () => {
  it('enforced by the minute, lets sixty through at once and then one a second', () => {
    const bucket = new TokenBucket({ perMinute: 60, enforced: 'minute' }, 0);
    for (let ask = 0; ask < 60; ask += 1) {
      expect(bucket.waitMs(1, 0)).toBe(0);
      bucket.take(1, 0);
    }
    expect(bucket.waitMs(1, 0)).toBe(1_000);
    expect(bucket.waitMs(1, 400)).toBe(600);
    expect(bucket.waitMs(1, 1_000)).toBe(0);
    expect(bucket.waitMs(30, 1_000)).toBe(29_000);
  });

  it('enforced by the second, lets one through at a time', () => {
    const bucket = new TokenBucket({ perMinute: 60, enforced: 'second' }, 0);
    bucket.take(1, 0);
    expect(bucket.waitMs(1, 0)).toBe(1_000);
    // Idle for an hour, and still it holds no more than one.
    expect(bucket.waitMs(1, 60 * MINUTE)).toBe(0);
    bucket.take(1, 60 * MINUTE);
    expect(bucket.waitMs(1, 60 * MINUTE)).toBe(1_000);
  });
});

describe('a bucket', () => {
  it('lets what is larger than itself pass when it is full, and is in debt then', () => {
    // 600 a minute by the second: 10 at a time. 100 leave 90 of debt, and 100 ms for each.
    const bucket = new TokenBucket({ perMinute: 600, enforced: 'second' }, 0);
    expect(bucket.waitMs(100, 0)).toBe(0);
    bucket.take(100, 0);
    expect(bucket.waitMs(5, 0)).toBe(9_500);
    expect(bucket.waitMs(100, 0)).toBe(10_000);
  });

  it('of less than one request a second lets one pass when it is full', () => {
    const bucket = new TokenBucket({ perMinute: 30, enforced: 'second' }, 0);
    bucket.take(1, 0);
    expect(bucket.waitMs(1, 0)).toBe(2_000);
  });

  it('never holds more than its size, whatever comes back', () => {
    const bucket = new TokenBucket({ perMinute: 60, enforced: 'minute' }, 0);
    bucket.take(-1_000, 0);
    bucket.take(60, 0);
    expect(bucket.waitMs(1, 0)).toBe(1_000);
  });

  const asks = fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 20_000 }), amount: fc.integer({ min: 1, max: 300 }) }),
    { minLength: 1, maxLength: 60 },
  );
  const options = fc.record({
    perMinute: fc.integer({ min: 1, max: 1_000 }),
    enforced: fc.constantFrom('minute' as const, 'second' as const),
  });

  it('for any asks, lets no more through over any span than its rate and what it holds', () => {
    fc.assert(
      fc.property(options, asks, ({ perMinute, enforced }, all) => {
        const bucket = new TokenBucket({ perMinute, enforced }, 0);
        const passed: { atMs: number; amount: number }[] = [];
        let nowMs = 0;
        for (const { afterMs, amount } of all) {
          nowMs += afterMs;
          if (bucket.waitMs(amount, nowMs) > 0) continue;
          bucket.take(amount, nowMs);
          passed.push({ atMs: nowMs, amount });
        }
        const size = enforced === 'minute' ? perMinute : perMinute / 60;
        for (const [first, { atMs: fromMs }] of passed.entries()) {
          let sum = 0;
          let largest = size;
          for (const { atMs, amount } of passed.slice(first)) {
            sum += amount;
            largest = Math.max(largest, amount);
            expect(sum).toBeLessThanOrEqual(
              largest + ((atMs - fromMs) * perMinute) / MINUTE + 1e-6 * largest,
            );
          }
        }
      }),
    );
  });

  it('for any state, lets an ask through exactly when it said, if nobody else comes', () => {
    fc.assert(
      fc.property(options, asks, fc.integer({ min: 1, max: 300 }), ({ perMinute, enforced }, all, amount) => {
        const bucket = new TokenBucket({ perMinute, enforced }, 0);
        for (const one of all) bucket.take(one.amount, 0);
        const waitMs = bucket.waitMs(amount, 0);
        fc.pre(waitMs > 2);
        expect(bucket.waitMs(amount, waitMs * (1 - 1e-6))).toBeGreaterThan(0);
        expect(bucket.waitMs(amount, waitMs)).toBe(0);
      }),
    );
  });
});
