// Windows on the calendar: nights on which clocks change, holidays, and the midnights at which pools are full.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zoneNames } from '../../src/scenario/zone.ts';
import { edit, files, read, SMALLEST } from './nightly.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function nightsOf(window: string, nights = 3) {
  const text = edit(SMALLEST, '{ lasts: 50 min }', window);
  const { calendar } = read(`nights: ${nights}\n${text}`);
  if (calendar === undefined) throw new Error('no calendar');
  return calendar;
}
const datesOf = (window: string, nights?: number) => nightsOf(window, nights).nights.map(({ date }) => date);
const hoursOf = (window: string, nights?: number) =>
  nightsOf(window, nights).nights.map(({ lastsMs }) => lastsMs / HOUR_MS);

describe('a window from half past one to half past three', () => {
  const window = (zone: string, from: string) =>
    `{ opens: "01:30", closes: "03:30", zone: ${zone}, from: ${from} }`;

  test('lasts one hour on the night on which clocks are set forward', () => {
    expect(nightsOf(window('Europe/Berlin', '2026-03-28')).nights).toEqual([
      {
        date: '2026-03-28',
        opens: '2026-03-28T01:30+01:00',
        closes: '2026-03-28T03:30+01:00',
        opensMs: 0,
        lastsMs: 2 * HOUR_MS,
      },
      {
        date: '2026-03-29',
        opens: '2026-03-29T01:30+01:00',
        closes: '2026-03-29T03:30+02:00',
        opensMs: DAY_MS,
        lastsMs: HOUR_MS,
      },
      {
        date: '2026-03-30',
        opens: '2026-03-30T01:30+02:00',
        closes: '2026-03-30T03:30+02:00',
        opensMs: 2 * DAY_MS - HOUR_MS,
        lastsMs: 2 * HOUR_MS,
      },
    ]);
  });

  test('lasts three hours on the night on which they are set back', () => {
    expect(hoursOf(window('Europe/Berlin', '2026-10-24'))).toEqual([2, 3, 2]);
    expect(nightsOf(window('Europe/Berlin', '2026-10-24')).nights[1]).toMatchObject({
      opens: '2026-10-25T01:30+02:00',
      closes: '2026-10-25T03:30+01:00',
    });
  });

  test('lasts two hours every night of the year in UTC, and where clocks change on other days', () => {
    expect(new Set(hoursOf(window('UTC', '2026-01-01'), 365))).toEqual(new Set([2]));
    expect(hoursOf(window('America/New_York', '2026-03-28'))).toEqual([2, 2, 2]);
    expect(hoursOf(window('America/New_York', '2026-03-07'))).toEqual([2, 1, 2]);
  });

  test('lasts as long as it says where it says how long, and ends at another time of day', () => {
    const { nights } = nightsOf('{ opens: "01:30", lasts: 2 h, zone: Europe/Berlin, from: 2026-03-29 }', 1);
    expect(nights[0]).toMatchObject({ lastsMs: 2 * HOUR_MS, closes: '2026-03-29T04:30+02:00' });
  });
});

describe('an opening that clocks are set forward over', () => {
  const window = '{ opens: "02:30", closes: "04:00", zone: Europe/Berlin, from: 2026-03-28';

  test('does not happen, and is told as such', () => {
    expect(datesOf(`${window} }`)).toEqual(['2026-03-28', '2026-03-30', '2026-03-31']);
    expect(nightsOf(`${window} }`).daysOff).toEqual([{ date: '2026-03-29', because: 'clock-change' }]);
  });

  test('happens as they change, where once is said', () => {
    expect(nightsOf(`${window}, clockChange: once }`).nights[1]).toMatchObject({
      date: '2026-03-29',
      opens: '2026-03-29T03:00+02:00',
      closes: '2026-03-29T04:00+02:00',
    });
  });

  test('does not happen at all where its kill is passed over too', () => {
    const gone = '{ opens: "02:10", closes: "02:50", zone: Europe/Berlin, from: 2026-03-28';
    for (const change of ['literal', 'once']) {
      expect(datesOf(`${gone}, clockChange: ${change} }`)).toEqual([
        '2026-03-28',
        '2026-03-30',
        '2026-03-31',
      ]);
    }
  });
});

describe('an opening that clocks are set back over', () => {
  const window = '{ opens: "02:10", closes: "02:50", zone: Europe/Berlin, from: 2026-10-24';

  test('happens twice, an hour apart', () => {
    const { nights } = nightsOf(`${window} }`, 4);
    expect(nights.map(({ opens }) => opens)).toEqual([
      '2026-10-24T02:10+02:00',
      '2026-10-25T02:10+02:00',
      '2026-10-25T02:10+01:00',
      '2026-10-26T02:10+01:00',
    ]);
    expect(new Set(nights.map(({ lastsMs }) => lastsMs))).toEqual(new Set([40 * 60_000]));
  });

  test('happens once, the first time, where that is said', () => {
    expect(nightsOf(`${window}, clockChange: once }`).nights.map(({ opens }) => opens)).toEqual([
      '2026-10-24T02:10+02:00',
      '2026-10-25T02:10+02:00',
      '2026-10-26T02:10+01:00',
    ]);
  });

  test('happens once where the first night is still on', () => {
    const long = '{ opens: "02:30", closes: "03:30", zone: Europe/Berlin, from: 2026-10-25 }';
    expect(nightsOf(long, 2).nights).toMatchObject([
      { date: '2026-10-25', lastsMs: 2 * HOUR_MS },
      { date: '2026-10-26', lastsMs: HOUR_MS },
    ]);
  });
});

describe('a window over midnight', () => {
  test('closes on the day after its date', () => {
    const { nights } = nightsOf(
      '{ opens: "23:30", closes: "02:30", zone: Europe/Berlin, from: 2026-03-28 }',
      1,
    );
    // The kill is passed over: it comes with the change.
    expect(nights[0]).toMatchObject({ date: '2026-03-28', closes: '2026-03-29T03:00+02:00' });
    expect(nights[0]?.lastsMs).toBe(2.5 * HOUR_MS);
  });

  test('may be open all day, also on one of 23 hours', () => {
    const all = '{ opens: "12:00", closes: "12:00", zone: Europe/Berlin, from: 2026-03-27 }';
    expect(hoursOf(all)).toEqual([24, 23, 24]);
  });
});

describe('holidays', () => {
  const window = '{ opens: "01:30", lasts: 1 h, from: 2026-12-24, holidays: [2026-12-25, 2026-12-26]';

  test('are days without an opening', () => {
    const { nights, daysOff } = nightsOf(`${window} }`, 2);
    expect(nights.map(({ date }) => date)).toEqual(['2026-12-24', '2026-12-27']);
    expect(nights[1]?.opensMs).toBe(3 * DAY_MS);
    expect(daysOff).toEqual([
      { date: '2026-12-25', because: 'holiday' },
      { date: '2026-12-26', because: 'holiday' },
    ]);
  });

  test('are nights like others where the window opens on them', () => {
    expect(datesOf(`${window}, onHolidays: open }`, 2)).toEqual(['2026-12-24', '2026-12-25']);
  });
});

describe('a pool that is refilled by the calendar', () => {
  const text = (refill: string, window: string, nights: number) =>
    edit(`nights: ${nights}\npool: { tokens: 1M, ${refill} }\n${SMALLEST}`, '{ lasts: 50 min }', window);
  const refillsOf = (refill: string, window: string, nights: number) =>
    read(text(refill, window, nights)).pool?.refillsAtMs;

  test('is full at midnight in the zone of the window, on days of 23 hours too', () => {
    const window = '{ opens: "01:30", lasts: 1 h, zone: Europe/Berlin, from: 2026-03-28 }';
    expect(refillsOf('refill: day', window, 3)).toEqual([
      -1.5 * HOUR_MS,
      22.5 * HOUR_MS,
      // 23 hours later.
      45.5 * HOUR_MS,
    ]);
  });

  test('is full at midnight in the zone of whoever gives the tokens, where that is said', () => {
    const window = '{ opens: "01:30", lasts: 1 h, zone: Europe/Berlin, from: 2026-03-30 }';
    // At 23:30 UTC of the day before.
    expect(refillsOf('refill: day, zone: UTC', window, 1)).toEqual([-23.5 * HOUR_MS, 0.5 * HOUR_MS]);
  });

  test('is full as each month begins', () => {
    const window = '{ opens: "23:00", lasts: 2 h, from: 2026-01-30 }';
    expect(refillsOf('refill: month', window, 33)).toEqual([
      -23 * HOUR_MS,
      // 1 February and 1 March.
      DAY_MS + HOUR_MS,
      29 * DAY_MS + HOUR_MS,
    ]);
  });
});

test('for any zone and any window, nights follow each other without overlap, each with its length', () => {
  const names = zoneNames();
  const time = fc
    .record({ hour: fc.nat(23), minute: fc.nat(59) })
    .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  const date = fc
    .record({ year: fc.integer({ min: 2000, max: 2040 }), month: fc.integer({ min: 1, max: 12 }) })
    .map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}-20`);
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      time,
      time,
      date,
      fc.constantFrom('literal', 'once'),
      (zone, opens, closes, from, change) => {
        const window = `{ opens: "${opens}", closes: "${closes}", zone: ${zone}, from: ${from}, clockChange: ${change} }`;
        const text = edit(SMALLEST, '{ lasts: 50 min }', window);
        const { calendar } = read(`nights: 40\nbudget: { reserve: 0 s }\n${text}`, files({}));
        let closedMs = calendar?.closedBeforeMs ?? Number.NaN;
        expect(closedMs).toBeLessThanOrEqual(0);
        for (const night of calendar?.nights ?? []) {
          expect(night.opensMs).toBeGreaterThanOrEqual(closedMs);
          expect(night.lastsMs).toBeGreaterThan(0);
          expect(night.lastsMs).toBeLessThanOrEqual(26 * HOUR_MS);
          // The text is the moment.
          const opensMs = Date.parse(night.opens) - (calendar?.startsAtMs ?? 0);
          expect(opensMs).toBe(night.opensMs);
          closedMs = night.opensMs + night.lastsMs;
        }
        expect(calendar?.nights.length).toBe(40);
      },
    ),
    { numRuns: 60 },
  );
});
