// Over replications, which trip condition trips first, and when.

import { describe, expect, test } from 'vitest';
import type { TripStudy } from '../../src/study/report-studies.ts';
import { rendered } from './rendered.ts';
import { FIRST_TRIPS, withStudies } from './toy-findings.ts';
import { toyInput } from './toy-nights.ts';

const CLASS = { name: 'a', count: 60, envelope: 14_000, tokens: [2_000, 9_000] } as const;
const input = toyInput({ nights: 3, capacity: 5_000_000, classes: [CLASS] });
const reportOf = (trips: TripStudy | null) => rendered(withStudies(input, { trips }));

const NEVER = { replications: 0, first: 0, night: null, atMs: null };
const CALM: TripStudy = {
  ...FIRST_TRIPS,
  tripped: 0,
  signals: { ...FIRST_TRIPS.signals, 'refusal-rate': NEVER, overspend: NEVER },
};

describe('over replications', () => {
  test('the condition that is first most often is named, with how often and when', async () => {
    const { finding, text } = await reportOf(FIRST_TRIPS);
    expect(finding('first-trips')).toBe(
      'The refusal rate trips first in 16 of 20 replications, typically 12 min 11 s after the opening',
    );
    expect(text).toContain('no accident of this run');
  });

  test('where nothing trips it is said, and the times have no place in the picture', async () => {
    // What never trips is shown where this run watched it, as it does in a scenario's own nights.
    const series = {
      ...input.series,
      signals: {
        night: 1,
        lines: [
          {
            signal: 'overspend',
            figure: 0,
            threshold: 0.1,
            class: 'a',
            pool: null,
            share: 0,
            points: [],
          } as const,
        ],
      },
    };
    const { finding, rows } = await rendered(withStudies({ ...input, series }, { trips: CALM }));
    expect(finding('first-trips')).toBe('No condition trips in any of 20 replications');
    const labels = rows('first-trips').map(({ label }) => label);
    expect(labels).toContain('never trips');
    expect(labels).not.toContain('kill');
    const trips = await reportOf(FIRST_TRIPS);
    expect(trips.rows('first-trips').map(({ label }) => label)).toContain('kill');
  });

  test('each signal says in how many it trips, in how many first, and by when in half of them', async () => {
    const labels = (await reportOf(FIRST_TRIPS)).rows('first-trips').map(({ label }) => label);
    expect(labels).toContain('trips in 18, first in 16');
    expect(labels).toContain('half within 12 min 11 s, nights 1 to 3');
    expect(labels).toContain('half within 1 min 1 s, night 1');
  });

  test('a peak above its threshold is a cross, and one at it is none', async () => {
    const at = { share: 1, replications: 1 };
    const peaks = { ...FIRST_TRIPS.peaks, overspend: [at, { share: 1.05, replications: 2 }] };
    const { rows } = await reportOf({ ...FIRST_TRIPS, peaks });
    const circles = rows('first-trips').filter((row) => 'above' in row && row.row === 1);
    expect(circles.map(({ above, count }) => [above, count])).toEqual([
      [false, 1],
      [true, 2],
    ]);
  });

  test('where too few could be played the report says how to play more', async () => {
    const line = { signal: 'overspend', figure: 0, threshold: 0.1, class: 'a', pool: null } as const;
    const series = {
      ...input.series,
      signals: { night: 1, lines: [{ ...line, share: 0, points: [] }] },
    };
    const { names, text } = await rendered(withStudies({ ...input, series }, {}));
    expect(names).not.toContain('charts/first-trips.svg');
    expect(text).toContain('plimsoll report toy.yaml --replications 20');
  });
});
