// The edge: what happens in the last minutes, when there is less time left than a call may take.

import type { Chart } from '../charts/chart.ts';
import { grantedFinding } from '../charts/granted-timeouts.ts';
import { lastMinutesFinding } from '../charts/last-minutes.ts';
import { type Block, blocks, heading, paragraph, picture, table } from '../document.ts';
import type { ReportContext } from '../report-context.ts';

export function edgeSection(
  context: ReportContext,
  granted: Chart | undefined,
  lastMinutes: Chart | undefined,
): readonly Block[] | undefined {
  if (granted === undefined) return undefined;
  const { summary, figures } = context;
  const { grants } = summary.series;
  const { capMs, floorMs, reserveMs, policy } = summary.scenario;
  const rule =
    policy.timeouts === 'clamp'
      ? `A call is granted ${figures.duration(capMs)} while there is time (the cap), then what is left before the reserve, the ${figures.duration(reserveMs)} that are kept for the last writes. Once that is less than ${figures.duration(floorMs)} (the floor), it is granted nothing: its lane is declined, and stops.`
      : `Every call is granted the whole cap of ${figures.duration(capMs)}, however little time is left; the reserve, ${figures.duration(reserveMs)} that should be kept for the last writes, is not looked at.`;
  return blocks(
    heading(2, 'The edge'),
    paragraph(lastMinutesText(context, lastMinutes), rule),
    picture(lastMinutes),
    paragraph(`${grantedFinding(context)}.`, writesText(context)),
    picture(granted),
    table(
      [
        {
          head: summary.scenario.nights === 1 ? 'over the night' : 'all nights together',
          align: 'left',
        },
        { head: 'figure' },
      ],
      [
        ['calls granted the whole cap', figures.count(grants.full)],
        ['calls granted less', figures.count(grants.shrunk)],
        ['shortest grant', figures.duration(grants.shortestMs)],
        ['lanes declined', figures.count(grants.declined)],
        ['calls that could run into the reserve', figures.count(grants.intoReserve)],
        ['calls that could outlive the kill', figures.count(grants.pastKill)],
      ],
    ),
  );
}

/** Where no night came near its end there is no picture of it, and that is the news. */
function lastMinutesText(context: ReportContext, chart: Chart | undefined): string {
  const { summary, figures } = context;
  if (chart !== undefined) return `${lastMinutesFinding(context)}.`;
  const margin = summary.series.edge?.writeMarginMs ?? null;
  if (margin === null) return '';
  const none = summary.scenario.nights === 1 ? 'The night did not come' : 'No night came';
  return `${none} near its end: the last checkpoint was written ${figures.duration(margin)} before the kill.`;
}

function writesText({ summary, figures }: ReportContext): string {
  const { writes } = summary.series;
  if (writes.peak === 0) return '';
  const queue = `At most ${figures.counted(writes.peak, 'checkpoint')} waited or ${writes.peak === 1 ? 'was' : 'were'} being written at once, ${figures.duration(writes.peakAtMs)} into night ${figures.count(writes.peakNight)}; the slowest took ${figures.duration(writes.longestMs)}.`;
  if (writes.unwritten === 0) return `${queue} None was left unwritten at the end.`;
  return `${queue} The kill found ${figures.count(writes.unwritten)} unwritten.`;
}
