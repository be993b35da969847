// Workers, store, ledger and clocks, and what befalls them: how it is written, and what cannot be meant.

import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../src/base/errors.ts';
import { edit, files, NIGHTLY, problemsOf, read, SMALLEST } from './nightly.ts';

const withKeys = (keys: string) => `${SMALLEST}${keys}\n`;
const told = (keys: string) => problemsOf(withKeys(keys), files({})).map(describeProblem);

describe('what befalls a fleet', () => {
  test('is read with its units, each crash as long as the restart', () => {
    const { fleet } = read(
      withKeys(
        'nights: 2\nfleet: { workers: 2, renewals: false, crashes: { between: 12 h, at: [{ night: 2, from: 10 min, worker: 2 }] }, ' +
          'pauses: { at: [{ from: 1 min, lasts: 20 s }] }, zombies: { at: [{ from: 5 min }] } }',
      ),
    );
    expect(fleet).toMatchObject({ workers: 2, renewals: false });
    expect(fleet?.crashes).toMatchObject({
      at: [{ night: 2, fromMs: 600_000, lastsMs: 120_000, worker: 2 }],
      random: { betweenMs: 12 * 3_600_000 },
    });
    expect(fleet?.crashes?.random?.lasts.quantile(0.9)).toBe(120_000);
    expect(fleet?.pauses).toEqual({
      at: [{ night: 1, fromMs: 60_000, lastsMs: 20_000, worker: 1 }],
      random: undefined,
    });
    expect(fleet?.zombies?.at).toMatchObject([{ night: 1, fromMs: 300_000, worker: 1 }]);
  });

  test('can be taken away by a variant', () => {
    const keys =
      'fleet: { crashes: { between: 12 h } }\ncompare: [{ name: calm, set: { fleet.crashes: none } }]';
    const { fleet, compare } = read(withKeys(keys));
    expect(fleet?.crashes).toBeDefined();
    expect(compare[0]?.scenario.fleet?.crashes).toBeUndefined();
  });

  test('is told where it cannot be', () => {
    expect(told('fleet: { workers: 2, pauses: { at: [{ from: 1 min, lasts: 20 s, worker: 3 }] } }')).toEqual([
      'nightly.yaml:4:73: fleet.pauses.at.0.worker: there is no such worker (expected at most 2, got 3)',
    ]);
    expect(told('fleet: { crashes: { at: [{ night: 2, from: 1 min }] } }')).toEqual([
      'nightly.yaml:4:35: fleet.crashes.at.0.night: there is no such night (expected at most 1, got 2)',
    ]);
    expect(told('fleet: { crashes: { at: [{ from: 50 min }] } }')).toEqual([
      'nightly.yaml:4:34: fleet.crashes.at.0.from: it would begin after the kill (expected less than 50 min, got 50 min)',
    ]);
    expect(told('fleet: { crashes: { restart: 1 min } }')).toEqual([
      'nightly.yaml:4:19: fleet.crashes: it does not say when (expected at: [{ night: …, from: …, … }], or between: …)',
    ]);
    expect(told('fleet: { pauses: { between: 1 h } }')).toEqual([
      'nightly.yaml:4:18: fleet.pauses: the key "lasts" is missing (expected lasts: { p50: …, p95: … })',
    ]);
    expect(told('fleet: { crash: none }')).toEqual([
      'nightly.yaml:4:10: fleet has no key "crash" (expected workers, crashes, pauses, zombies, renewals). Did you mean "crashes"?',
    ]);
    expect(told('fleet: { crashes: never }')).toHaveLength(1);
  });
});

describe('a crash rate', () => {
  test('that leaves no time to work is told so, with what takes it', () => {
    expect(told('fleet: { crashes: { between: 2 min } }')).toEqual([
      'nightly.yaml:4:30: fleet.crashes.between: no time is left to work: a worker takes longer to come back than it stays (expected more than 2 min, got 2 min)',
    ]);
    expect(
      told('budget: { floor: 90 s, cap: 90 s }\nfleet: { crashes: { between: 1 min, restart: 1 s } }'),
    ).toEqual([
      'nightly.yaml:5:30: fleet.crashes.between: no time is left to work: a worker crashes before a call is worth starting (expected more than 1 min 30 s, got 1 min)',
    ]);
  });

  test('of nothing is no rate', () => {
    expect(told('fleet: { crashes: { between: 0 s } }')[0]).toContain('this is too little');
  });
});

describe('a grace', () => {
  test('longer than the reserve comes while calls are still granted', () => {
    const text = edit(NIGHTLY, 'lasts: 50 min', 'lasts: 50 min, grace: 46 s');
    expect(problemsOf(text).map(describeProblem)).toEqual([
      'nightly.yaml:4:33: window.grace: the termination signal comes before the reserve, while calls are still granted (expected at most 45 s, got 46 s)',
    ]);
  });

  test('as long as the reserve is one', () => {
    expect(read(edit(NIGHTLY, 'lasts: 50 min', 'lasts: 50 min, grace: 45 s')).window.graceMs).toBe(45_000);
  });
});

describe('what befalls store and ledger', () => {
  test('is read with its units', () => {
    const { store, ledger } = read(
      withKeys(
        'store: { contention: 5%, outages: { at: [{ from: 1 min, lasts: 2 min }] }, full: { at: [{ from: 3 min, lasts: 1 min }] } }\n' +
          'ledger: { latency: 20 ms, contention: 200%, outages: { between: 1 h, lasts: 3 s } }',
      ),
    );
    expect(store).toMatchObject({ contention: 0.05, outages: { at: [{ night: 1, fromMs: 60_000 }] } });
    expect(store.full).toEqual({ at: [{ night: 1, fromMs: 180_000, lastsMs: 60_000 }], random: undefined });
    expect(ledger).toMatchObject({ contention: 2, outages: { at: [], random: { betweenMs: 3_600_000 } } });
    expect(ledger?.latency.quantile(0.5)).toBe(20);
  });

  test('is no longer than the run', () => {
    expect(told('ledger: { outages: { at: [{ from: 1 min, lasts: 2 h }] } }')).toEqual([
      'nightly.yaml:4:49: ledger.outages.at.0.lasts: it is longer than the whole run (expected at most 50 min, got 2 h)',
    ]);
  });
});

describe('what befalls a clock', () => {
  test('is read with its units, backwards too', () => {
    const { clock } = read(
      withKeys(
        'clock: { suspension: ignore, steps: [{ at: 1 min, by: -1 h }, { at: 2 min, by: 30 s }], suspensions: [{ at: 20 min, lasts: 5 min }] }',
      ),
    );
    expect(clock).toEqual({
      suspension: 'ignore',
      steps: [
        { night: 1, atMs: 60_000, byMs: -3_600_000, worker: undefined },
        { night: 1, atMs: 120_000, byMs: 30_000, worker: undefined },
      ],
      suspensions: [{ night: 1, atMs: 1_200_000, lastsMs: 300_000, worker: undefined }],
    });
  });

  test('is told where it cannot be', () => {
    expect(told('clock: { steps: [{ at: 1 min, by: 0 s }] }')[0]).toContain(
      'clock.steps.0.by: this is too little',
    );
    expect(told('clock: { steps: [{ at: 1 min, by: -5 }] }')[0]).toContain('clock.steps.0.by');
    expect(told('clock: { steps: [{ at: 51 min, by: 1 h }] }')[0]).toContain(
      'clock.steps.0.at: it would begin',
    );
    expect(told('clock: { suspensions: [{ at: 1 min, lasts: 2 h }] }')[0]).toContain(
      'longer than the whole run',
    );
    expect(told('clock: { suspensions: [{ night: 2, at: 1 min, lasts: 2 s }] }')[0]).toContain(
      'no such night',
    );
    expect(told('clock: { steps: [{ at: 1 min, by: 1 h, worker: 2 }] }')[0]).toContain('no such worker');
  });
});
