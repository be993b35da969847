// The nights on the calendar: which are shorter or longer than the others, and which days have none. Only
// where the scenario has a calendar.

import { calendarFinding } from '../charts/calendar.ts';
import type { Chart } from '../charts/chart.ts';
import { type Block, blocks, heading, paragraph, picture } from '../document.ts';
import type { ReportContext } from '../report-context.ts';

export function calendarSection(
  context: ReportContext,
  chart: Chart | undefined,
): readonly Block[] | undefined {
  const { calendar } = context.summary;
  if (calendar === undefined || chart === undefined) return undefined;
  const changes = calendar.shorter + calendar.longer + calendar.leftOut > 0;
  return blocks(
    heading(2, 'The nights on the calendar'),
    paragraph(
      `${calendarFinding(context)}.`,
      changes
        ? `The scheduler goes by the clock in ${calendar.zone}; on the days on which that clock is set, the hours between two times on it are not what they seem. A window in UTC, or one that is given by its length, stays as long as it is.`
        : `The scheduler goes by the clock in ${calendar.zone}.`,
    ),
    picture(chart),
  );
}
