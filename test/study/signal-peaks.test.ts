// How close a signal comes to its threshold, from events told by hand.

import { expect, test } from 'vitest';
import { SignalPeaks } from '../../src/study/signal-peaks.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';

type Told = Partial<Extract<WorldEvent, { readonly type: 'signal' }>>;

function heard(...events: readonly (Told | Partial<WorldEvent>)[]) {
  const peaks = new SignalPeaks(20);
  const sampled = { type: 'signal', signal: 'refusal-rate', figure: 0.02, threshold: 0.1, events: 20 };
  for (const event of events) peaks.hear({ night: 1, atMs: 0, ...sampled, ...event } as WorldEvent);
  return peaks.peaks();
}

test('the highest share counts, over all nights and classes', () => {
  expect(heard({ figure: 0.02 }, { figure: 0.07, night: 2 }, { figure: 0.3, threshold: 0.4 })).toEqual({
    'refusal-rate': 0.3 / 0.4,
    'unspent-ratio': null,
    overspend: null,
    'queue-age': null,
  });
});

test('a rate of too few events says nothing, but an age does, and so does a trip between two samples', () => {
  expect(heard({ events: 19 })['refusal-rate']).toBeNull();
  expect(heard({ events: 1, signal: 'queue-age' })['queue-age']).toBe(0.02 / 0.1);
  const trip = { type: 'tripped', signal: 'overspend', figure: 0.3, threshold: 0.2 } as const;
  expect(heard({ signal: 'overspend', figure: 0.1, threshold: 0.2 }, trip).overspend).toBeCloseTo(1.5);
});

test('a threshold of 0 is no measure, and no figure is none', () => {
  expect(heard({ threshold: 0 }, { figure: null })['refusal-rate']).toBeNull();
});
