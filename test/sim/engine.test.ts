import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '../../src/base/errors.ts';
import { Engine, type Process, type Sleeper } from '../../src/sim/engine.ts';

describe('the engine', () => {
  it('plays events by time, and equal times in the order of scheduling', () => {
    const engine = new Engine();
    const played: string[] = [];
    engine.schedule(2, () => played.push(`c at ${engine.now}`));
    engine.schedule(1, () => played.push(`a at ${engine.now}`));
    engine.scheduleAt(1, () => played.push(`b at ${engine.now}`));
    engine.run();
    expect(played).toEqual(['a at 1', 'b at 1', 'c at 2']);
  });

  it('what is scheduled with no delay is played at the same time, after what was due then already', () => {
    const engine = new Engine();
    const played: string[] = [];
    engine.schedule(1, () => {
      engine.schedule(0, () => played.push('child'));
      played.push('parent');
    });
    engine.schedule(1, () => played.push('sibling'));
    engine.run();
    expect(played).toEqual(['parent', 'sibling', 'child']);
    expect(engine.now).toBe(1);
  });

  it('for any delays, the clock never goes back and every event is played at its time', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e12, noNaN: true })), (delays) => {
        const engine = new Engine(17);
        const played: number[] = [];
        for (const delay of delays) engine.schedule(delay, () => played.push(engine.now));
        engine.run();
        expect(played).toEqual(delays.map((delay) => 17 + delay).sort((a, b) => a - b));
      }),
    );
  });

  it('a cancelled event is never played; cancelling twice, or after it was played, answers false', () => {
    const engine = new Engine();
    const played: string[] = [];
    const cancelled = engine.schedule(1, () => played.push('cancelled'));
    const kept = engine.schedule(1, () => played.push('kept'));
    expect(engine.cancel(cancelled)).toBe(true);
    expect(engine.cancel(cancelled)).toBe(false);
    expect(engine.pending).toBe(1);
    engine.run();
    expect(engine.cancel(kept)).toBe(false);
    expect(played).toEqual(['kept']);
  });

  it('a run until a time plays what is due by then, that time included, and leaves the clock there', () => {
    const engine = new Engine();
    const played: number[] = [];
    for (const at of [1, 2, 3]) engine.scheduleAt(at, () => played.push(at));
    engine.run(2);
    expect(played).toEqual([1, 2]);
    engine.run(2.5);
    expect(engine.now).toBe(2.5);
    expect(engine.nextAt).toBe(3);
    engine.run(1);
    expect(engine.now).toBe(2.5);
  });

  it.each([-1, -1e-9, Number.NaN, Number.POSITIVE_INFINITY])('a delay of %d is a bug', (delay) => {
    const engine = new Engine();
    expect(() => engine.schedule(delay, () => {})).toThrow(InvariantBroken);
    expect(() => engine.scheduleAt(delay, () => {})).toThrow(InvariantBroken);
    expect(engine.pending).toBe(0);
  });

  it('a process that yields a bad delay is a bug, named where the engine runs', () => {
    const engine = new Engine();
    engine.start(
      (function* (): Process {
        yield Number.NaN;
      })(),
    );
    expect(() => engine.run()).toThrow(InvariantBroken);
  });

  it('refuses to run until no time at all', () => {
    expect(() => new Engine().run(Number.NaN)).toThrow(InvariantBroken);
    expect(() => new Engine(Number.NaN)).toThrow(InvariantBroken);
  });

  it('an exception of a callback comes out of run, and the rest can still be played', () => {
    const engine = new Engine();
    const played: number[] = [];
    engine.schedule(1, () => {
      throw new Error('boom');
    });
    engine.schedule(2, () => played.push(engine.now));
    expect(() => engine.run()).toThrow('boom');
    expect(engine.now).toBe(1);
    engine.run();
    expect(played).toEqual([2]);
  });

  it('a process starts through the heap, sleeps by its delays, and is resumed with what it waited for', () => {
    const engine = new Engine();
    const log: unknown[] = [];
    let asleep: Sleeper | undefined;
    const letter = { onWait: (sleeper: Sleeper) => (asleep = sleeper) };
    function* reader(): Process {
      log.push(['started', engine.now]);
      log.push(['slept', yield 5, engine.now]);
      log.push(['read', yield letter, engine.now]);
      log.push(['slept', yield 0, engine.now]);
    }
    engine.start(reader());
    engine.schedule(7, () => {
      asleep!.wake('hello');
      log.push(['woken', engine.now]);
    });
    expect(log).toEqual([]);
    engine.run();
    expect(log).toEqual([
      ['started', 0],
      ['slept', undefined, 5],
      ['woken', 7],
      ['read', 'hello', 7],
      ['slept', undefined, 7],
    ]);
  });

  it('a wait that is over at once still goes through the heap, so that 100,000 in a row need no stack', () => {
    const engine = new Engine();
    let rounds = 0;
    let steps = 0;
    const ready = { onWait: (sleeper: Sleeper) => sleeper.wake() };
    engine.start(
      (function* (): Process {
        for (; rounds < 100_000; rounds++) yield ready;
      })(),
    );
    while (engine.step()) steps++;
    expect(rounds).toBe(100_000);
    expect(steps).toBe(100_001);
  });

  it('waking a process twice for one wait is a bug', () => {
    const engine = new Engine();
    const twice = {
      onWait: (sleeper: Sleeper) => {
        sleeper.wake();
        sleeper.wake();
      },
    };
    engine.start(
      (function* (): Process {
        yield twice;
      })(),
    );
    expect(() => engine.run()).toThrow('woken once per wait');
  });
});
