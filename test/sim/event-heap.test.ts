import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventHeap, HeapEvent } from '../../src/sim/event-heap.ts';

class Named extends HeapEvent {
  readonly name: number;

  constructor(name: number) {
    super();
    this.name = name;
  }
}

const step = fc.oneof(
  // Few different times, so that ties are common.
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('push' as const), time: fc.integer({ min: 0, max: 9 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pop' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat({ max: 200 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('again' as const), which: fc.nat({ max: 200 }) }) },
);

describe('the event heap', () => {
  it('for any pushes, pops and removals, answers as a list sorted by (time, order of pushing) does', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const heap = new EventHeap<Named>();
        const all: Named[] = [];
        let pending: { time: number; order: number; event: Named }[] = [];
        steps.forEach((move, order) => {
          pending.sort((a, b) => a.time - b.time || a.order - b.order);
          const pick = 'which' in move ? all[move.which % Math.max(1, all.length)] : undefined;
          if (move.do === 'push') {
            const event = new Named(order);
            all.push(event);
            heap.push(move.time, event);
            pending.push({ time: move.time, order, event });
          } else if (move.do === 'pop') {
            expect(heap.earliest).toBe(pending[0]?.time ?? Number.POSITIVE_INFINITY);
            expect(heap.pop()).toBe(pending.shift()?.event);
          } else if (pick !== undefined) {
            const isPending = pending.some(({ event }) => event === pick);
            if (move.do === 'remove') {
              expect(heap.remove(pick)).toBe(isPending);
              pending = pending.filter(({ event }) => event !== pick);
            } else if (!isPending) {
              heap.push(5, pick);
              pending.push({ time: 5, order, event: pick });
            }
          }
          expect(heap.size).toBe(pending.length);
        });
        pending.sort((a, b) => a.time - b.time || a.order - b.order);
        for (const { event } of pending) expect(heap.pop()).toBe(event);
        expect(heap.pop()).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('for any pending events, those left after any one is removed come out in order', () => {
    const times = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(times, (pending) => {
        for (let removed = 0; removed < pending.length; removed++) {
          const heap = new EventHeap<Named>();
          const events = pending.map((_, i) => new Named(i));
          for (const [i, event] of events.entries()) heap.push(pending[i]!, event);
          heap.remove(events[removed]!);
          const popped: number[] = [];
          while (heap.size > 0) popped.push(pending[heap.pop()!.name]!);
          expect(popped).toEqual(pending.toSpliced(removed, 1).sort((a, b) => a - b));
        }
      }),
    );
  });

  it('a removed event leaves at once: setting and cancelling a million timers keeps one in the heap', () => {
    const heap = new EventHeap<HeapEvent>();
    const event = new HeapEvent();
    let most = 0;
    for (let i = 0; i < 1_000_000; i++) {
      heap.push(1e9 - i, event);
      most = Math.max(most, heap.size);
      heap.remove(event);
    }
    expect(most).toBe(1);
    expect(heap.size).toBe(0);
  });
});
