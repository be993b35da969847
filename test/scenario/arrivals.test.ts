// How arrivals and calendars are read: what each shape means, and what is said where one cannot be meant.

import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../src/base/errors.ts';
import { readLocatedScenario } from '../../src/scenario/read-scenario.ts';
import type { JobClass } from '../../src/scenario/scenario.ts';
import { files, problemsOf, read } from './nightly.ts';

const CALENDAR = '{ opens: "01:30", closes: "03:30", zone: Europe/Berlin, from: 2026-03-27 }';

interface Written {
  readonly window?: string;
  readonly job?: string;
  readonly pool?: string;
}

const textOf = ({ window = CALENDAR, job = 'count: 10', pool = 'none' }: Written) => `nights: 2
window: ${window}
pool: ${pool}
jobs:
  - { class: a, input: 1, output: 1, ${job} }
provider: { latency: 1 s }
`;
const TRACES = files({
  'ordered.csv': 'at,n\n2026-01-01 00:00:00.5,1\n2026-01-01T00:00:02Z,2\n2026-01-01 01:00:03+01:00,3\n',
  'muddled.csv':
    'at,n\n2026-01-01 00:00:10,1\n2026-01-01 00:00:00,2\n2026-01-01 00:00:10,3\n2026-01-01 00:00:05,4\n',
  'wrong.csv': 'at,n\n2026-01-01 00:00:10,1\n2026-02-30 00:00:00,2\nnow,3\n',
  'seconds.csv': 'at\n10.5\n12\n',
});
const classOf = (written: Written): JobClass => read(textOf(written), TRACES).jobs[0]!;
const told = (written: Written) => problemsOf(textOf(written), TRACES).map(describeProblem);

describe('a class whose jobs come by themselves', () => {
  test('has as many as come on average in a night and the day before it', () => {
    expect(classOf({ job: 'arrive: { poisson: 100 per hour }' }).count).toBe(2400);
    expect(classOf({ job: 'arrive: { gaps: { weibull: { shape: 1, scale: 1 min } } }' }).count).toBe(1440);
  });

  test('may come in any unit of rate', () => {
    const rates = ['2 per second', '120 per minute', '7200 per hour', '172_800 per day'];
    const counts = rates.map((rate) => classOf({ job: `arrive: { poisson: ${rate} }` }).count);
    expect(new Set(counts)).toEqual(new Set([172_800]));
  });

  test('needs no calendar where it knows no hours and days', () => {
    const { count } = classOf({ window: '{ lasts: 1 h }', job: 'arrive: { poisson: 100 per hour }' });
    expect(count).toBe(2400);
  });

  test('comes at the moments of a trace, from its first row on', () => {
    const { arrivals, count, arrive } = classOf({ job: 'arrive: { file: ordered.csv, column: at }' });
    expect(arrivals).toEqual({ kind: 'moments', atMs: [0, 1500, 2500] });
    expect({ count, arrive }).toEqual({ count: 3, arrive: 'first-night' });
    const seconds = classOf({ job: 'arrive: { file: seconds.csv, column: at, unit: s }' });
    expect(seconds.arrivals).toEqual({ kind: 'moments', atMs: [0, 1500] });
  });
});

describe('a class whose jobs come at an opening', () => {
  test('brings each night what its day brings', () => {
    const job = 'count: 100, volume: { weekdays: { sat: 40% }, monthEnd: { days: 4, factor: 300% } }';
    // A Friday, and the fourth day from the end of its month, which is a Saturday.
    expect(classOf({ job }).volume).toEqual([1, 0.4 * 3]);
    const holidays = CALENDAR.replace(' }', ', holidays: [2026-03-28], onHolidays: open }');
    const off = classOf({ window: holidays, job: 'count: 100, volume: { holidays: 0% }' });
    expect(off.volume).toEqual([1, 0]);
  });
});

describe('a trace that is out of order', () => {
  test('is sorted, with a warning that counts its rows', () => {
    const text = textOf({ job: 'arrive: { file: muddled.csv, column: at }' });
    const { scenario, warnings } = readLocatedScenario({ name: 'nightly.yaml', text }, TRACES);
    expect(scenario.jobs[0]?.arrivals).toEqual({ kind: 'moments', atMs: [0, 5000, 10_000, 10_000] });
    expect(warnings.map(describeProblem)).toEqual([
      'nightly.yaml:5:75: jobs.a.arrive.column: of the 4 rows of column "at", 2 stand behind a later one and were sorted, and 1 has the same moment as another',
    ]);
  });

  test('and one that is in order warns of nothing', () => {
    const text = textOf({ job: 'arrive: { file: ordered.csv, column: at }' });
    expect(readLocatedScenario({ name: 'nightly.yaml', text }, TRACES).warnings).toEqual([]);
  });
});

describe('what cannot be meant is told with its place', () => {
  test.each<[Written, string]>([
    [
      { window: CALENDAR.replace('Berlin', 'Berln') },
      'nightly.yaml:2:50: window.zone: there is no time zone "Europe/Berln" (expected a name of the IANA time zone database, such as Europe/Berlin or UTC, got "Europe/Berln"). Did you mean "Europe/Berlin"?',
    ],
    [
      { pool: '{ tokens: 1M, refill: day, zone: Amerca/New_York }' },
      'nightly.yaml:3:40: pool.zone: there is no time zone "Amerca/New_York" (expected a name of the IANA time zone database, such as Europe/Berlin or UTC, got "Amerca/New_York"). Did you mean "America/New_York"?',
    ],
    [
      { window: CALENDAR.replace('Europe/Berlin', 'berlin') },
      'nightly.yaml:2:50: window.zone: there is no time zone "berlin" (expected a name of the IANA time zone database, such as Europe/Berlin or UTC, got "berlin"). Did you mean "Europe/Berlin"?',
    ],
    [
      { window: '{ opens: "25:00", lasts: 1 h, from: 2026-03-27 }' },
      'nightly.yaml:2:18: window.opens: this is no time of day (expected a time from 00:00 to 23:59, such as 01:30, got "25:00")',
    ],
    [
      { window: '{ opens: "01:30", lasts: 1 h, from: 2026-02-30 }' },
      'nightly.yaml:2:45: window.from: there is no such day (expected a date from 1970 to 2099, such as 2026-03-29, got "2026-02-30")',
    ],
    [
      { window: '{ opens: "01:30", lasts: 1 h }' },
      'nightly.yaml:2:9: window: the key "from" is missing (expected from: 2026-03-27)',
    ],
    [
      { window: '{ every: 24 h }' },
      'nightly.yaml:2:9: window: the key "lasts" is missing (expected lasts: 50 min)',
    ],
    [
      { window: '{ lasts: 1 h, zone: UTC }' },
      'nightly.yaml:2:29: window.zone: this says nothing without a time of day at which the window opens (expected opens: "01:30" beside it)',
    ],
    [
      { window: CALENDAR.replace(' }', ', lasts: 2 h }') },
      'nightly.yaml:2:90: window.lasts: it says both "lasts" and "closes" (expected one of the two, got both)',
    ],
    [
      { window: CALENDAR.replace(' }', ', every: 24 h }') },
      'nightly.yaml:2:90: window.every: it says both "every" and "opens" (expected opens alone: it opens each day, got both)',
    ],
    [
      {
        window:
          '{ opens: "01:30", closes: "03:00", zone: Europe/Berlin, from: 2026-03-28 }\nbudget: { reserve: 45 min }',
      },
      'nightly.yaml:3:20: budget.reserve: the reserve leaves nothing of the night of 2026-03-29 (expected less than 30 min, got 45 min)',
    ],
    [
      { pool: '{ tokens: 1M, refill: day }', window: '{ lasts: 1 h }' },
      'nightly.yaml:3:29: pool.refill: without a calendar no day is known (expected window: { opens: "01:30", zone: …, from: … })',
    ],
    [
      { pool: '{ tokens: 1M, zone: UTC }' },
      'nightly.yaml:3:27: pool.zone: no midnight matters to this pool (expected refill: day or refill: month beside it)',
    ],
    [
      { job: 'slack: 1 h' },
      'nightly.yaml:5:5: jobs.a: the key "count" is missing (expected count: 1200, or arrive: { … })',
    ],
    [
      { job: 'count: 5, arrive: { poisson: 1 per hour }' },
      'nightly.yaml:5:45: jobs.a.count: how many come is said by "arrive" (expected one of the two, got both)',
    ],
    [
      { job: 'arrive: { poisson: 0 per hour }' },
      'nightly.yaml:5:57: jobs.a.arrive.poisson: at this rate nobody ever comes (expected a rate above 0 per second, minute, hour or day, such as 120 per hour, got "0 per hour")',
    ],
    [
      { job: 'arrive: { poisson: 3 per huor }' },
      'nightly.yaml:5:57: jobs.a.arrive.poisson: there is no unit of time "huor" here (expected second, minute, hour, day, got "3 per huor"). Did you mean "hour"?',
    ],
    [
      { job: 'arrive: { poisson: 120 }' },
      'nightly.yaml:5:57: jobs.a.arrive.poisson: this is no rate (expected a rate above 0 per second, minute, hour or day, such as 120 per hour, got "120")',
    ],
    [
      { job: 'arrive: { poison: 120 per hour }' },
      'nightly.yaml:5:48: arrivals have no key "poison" (expected poisson, gaps, profile, file, column, unit). Did you mean "poisson"?',
    ],
    [
      { job: 'count: 1, arrive: every-nigth' },
      'nightly.yaml:5:56: jobs.a.arrive: there is no such choice (expected every-night or first-night, got "every-nigth"). Did you mean "every-night"?',
    ],
    [
      { job: 'arrive: { poisson: 1 per hour, profile: { "08:00": 0, "18:00": 0 } }' },
      'nightly.yaml:5:78: jobs.a.arrive.profile: the weights of the day sum to nothing (expected at least one weight above 0)',
    ],
    [
      { job: 'arrive: { poisson: 1 per hour, profile: {} }' },
      'nightly.yaml:5:78: jobs.a.arrive.profile: the weights of the day sum to nothing (expected at least one weight above 0)',
    ],
    [
      { job: 'arrive: { poisson: 1 per hour, profile: { "8am": 1 } }' },
      'nightly.yaml:5:80: this is no time of day (expected a time from 00:00 to 23:59, such as 01:30, got "8am")',
    ],
    [
      { job: 'arrive: { gaps: 0 s }' },
      'nightly.yaml:5:54: jobs.a.arrive.gaps: without a gap between them all jobs of all time come at once (expected gaps with a mean above 0 s, got 0 s)',
    ],
    [
      { job: 'arrive: { gaps: 1 ms }' },
      'nightly.yaml:5:46: jobs.a.arrive: so many jobs cannot be played (expected at most 10,000,000 in all nights, got about 1.7e+8)',
    ],
    [
      {
        job: 'count: 1, volume: { weekdays: { mon: 0%, tue: 0%, wed: 0%, thu: 0%, fri: 0%, sat: 0%, sun: 0% } }',
      },
      'nightly.yaml:5:68: jobs.a.volume.weekdays: the days of the week sum to nothing (expected at least one above 0%)',
    ],
    [
      { job: 'count: 1, volume: { weekdays: { mond: 0% } }' },
      'nightly.yaml:5:70: jobs.a.volume.weekdays has no key "mond" (expected mon, tue, wed, thu, fri, sat, sun). Did you mean "mon"?',
    ],
    [
      { job: 'count: 1, volume: { holidays: 0% }' },
      'nightly.yaml:5:68: jobs.a.volume.holidays: there are no holidays (expected window.holidays: [2026-12-25, …])',
    ],
    [
      { job: 'count: 1, arrive: first-night, volume: { weekdays: { sun: 0% } }' },
      'nightly.yaml:5:77: jobs.a.volume: days make no difference to what comes only once (expected a class that comes every night)',
    ],
    [
      { window: '{ lasts: 1 h }', job: 'count: 1, volume: { weekdays: { sun: 0% } }' },
      'nightly.yaml:5:56: jobs.a.volume: without a calendar no day is known (expected window: { opens: "01:30", zone: …, from: … })',
    ],
    [
      { window: '{ lasts: 1 h }', job: 'arrive: { poisson: 1 per hour, profile: { "08:00": 1 } }' },
      'nightly.yaml:5:78: jobs.a.arrive.profile: without a calendar no time of day is known (expected window: { opens: "01:30", zone: …, from: … })',
    ],
    [
      { job: 'arrive: { file: wrong.csv, column: at }' },
      'wrong.csv:3: column "at" has no moment here, and 1 more like it (expected a date with a time, such as 2026-11-30 01:30:15.5; for numbers give the unit beside the column, got "2026-02-30 00:00:00")',
    ],
    [
      { job: 'arrive: { file: ordered.csv, column: att }' },
      'nightly.yaml:5:75: ordered.csv has no column "att" (expected at, n). Did you mean "at"?',
    ],
  ])('%j', (written, message) => {
    expect(told(written)).toEqual([message]);
  });
});
