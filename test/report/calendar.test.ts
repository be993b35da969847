// The strip of nights: only where there is a calendar, with the unusual nights in its title.

import { describe, expect, test } from 'vitest';
import { calendarFacts } from '../../src/report/calendar-days.ts';
import { calendarChart, calendarFinding } from '../../src/report/charts/calendar.ts';
import { plainFigures } from '../../src/report/figures.ts';
import type { ReportContext } from '../../src/report/report-context.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { play } from '../../src/world/play.ts';

function contextOf(window: string, nights: number): ReportContext {
  const text = `
nights: ${nights}
window: ${window}
jobs: [{ class: a, count: 3, input: 1, output: 1 }]
provider: { latency: 1 s }
`;
  const scenario = readScenario({ name: 'night.yaml', text }, { readText: () => '' });
  const summary = { calendar: calendarFacts(scenario), run: play(scenario) };
  // The chart looks at nothing else.
  return { summary, figures: plainFigures } as unknown as ReportContext;
}
const IN_BERLIN = '{ opens: "01:30", closes: "03:30", zone: Europe/Berlin';

describe('the strip of nights', () => {
  test.each([
    [`${IN_BERLIN}, from: 2026-03-28 }`, 3, 'On 2026-03-29 the window lasts 1 h instead of 2 h'],
    [`${IN_BERLIN}, from: 2026-06-01 }`, 3, 'Every window lasts 2 h'],
    [`${IN_BERLIN}, from: 2026-03-28 }`, 220, 'Clocks make 1 window shorter than 2 h and 1 longer'],
    [
      `${IN_BERLIN}, from: 2026-12-24, holidays: [2026-12-25, 2026-12-26] }`,
      3,
      'Every window lasts 2 h; it does not open on 2 holidays',
    ],
    [
      '{ opens: "02:30", lasts: 1 h, zone: Europe/Berlin, from: 2026-03-28 }',
      3,
      'Every window lasts 1 h; it does not open on 1 day whose clocks leave it out',
    ],
  ])('of %s says what is unusual about it', (window, nights, finding) => {
    expect(calendarFinding(contextOf(window, nights))).toBe(finding);
  });

  test('has a row for every day, and of many days those around the unusual ones', () => {
    const few = calendarChart(contextOf(`${IN_BERLIN}, from: 2026-12-24, holidays: [2026-12-25] }`, 3));
    expect(few?.description).toBe(
      'Nights by date: 2026-12-24 01:30 to 03:30; 2026-12-25 a holiday: closed; 2026-12-26 01:30 to 03:30; 2026-12-27 01:30 to 03:30.',
    );
    const many = calendarChart(contextOf(`${IN_BERLIN}, from: 2026-03-01 }`, 300));
    expect(many?.description).toBe(
      'Nights by date: 2026-03-28 01:30 to 03:30; 2026-03-29 01:30 to 03:30, 1 h; 2026-03-30 01:30 to 03:30; 2026-10-24 01:30 to 03:30; 2026-10-25 01:30 to 03:30, 3 h; 2026-10-26 01:30 to 03:30.',
    );
    expect(JSON.stringify(many?.spec)).toMatch(/Only days\W+around the unusual ones are shown/);
  });

  test('is not there where there is no calendar', () => {
    expect(calendarChart(contextOf('{ lasts: 1 h }', 2))).toBeUndefined();
  });
});
