// The nights at a glance: what became of the jobs, night by night.

import type { NightResult } from '../../world/run-result.ts';
import type { Chart } from '../charts/chart.ts';
import { OUTCOMES, outcomesFinding } from '../charts/outcomes.ts';
import { type Block, blocks, type Column, heading, paragraph, picture, table } from '../document.ts';
import type { ReportContext } from '../report-context.ts';

/** More nights are shown by their first and last ones; all of them are in `summary.json`. */
const MOST_NIGHTS = 16;
const ENDS = 6;

export function nightsSection(
  context: ReportContext,
  chart: Chart | undefined,
): readonly Block[] | undefined {
  const { nights } = context.summary.run;
  if (nights.length === 0 || chart === undefined) return undefined;
  return blocks(
    heading(2, nights.length === 1 ? 'The night at a glance' : 'The nights at a glance'),
    paragraph(`${outcomesFinding(context)}.`, meaning(context)),
    picture(chart),
    nightsTable(context),
    nights.length > MOST_NIGHTS ? paragraph('The nights between are in summary.json.') : undefined,
  );
}

const MEANINGS: Readonly<Record<string, string>> = {
  deferred: 'Deferred jobs were not finished in time and wait for the next night; that is no failure.',
  refused: 'Refused jobs found too few tokens in the pool; they wait as well.',
  inadmissible: 'Inadmissible jobs reserve more than the whole pool holds.',
  failed: 'Failed jobs had an answer that no further attempt would mend.',
  'cut off':
    'Cut off means that the kill came in the middle of a call: its tokens are spent, its answer is not there.',
  'answer lost': 'A lost answer was there and was not written before the kill.',
};

/** Only the words that this run needs. */
function meaning({ summary }: ReportContext): string {
  return OUTCOMES.filter(({ of }) => of(summary.run.total) > 0)
    .map(({ label }) => MEANINGS[label])
    .filter((text) => text !== undefined)
    .join(' ');
}

function nightsTable({ summary, figures }: ReportContext): Block {
  const { nights } = summary.run;
  const shown = OUTCOMES.filter(({ outcome, of }) => outcome === 'done' || of(summary.run.total) > 0);
  const columns: Column[] = [
    { head: 'night', align: 'left' },
    { head: 'jobs' },
    ...shown.map(({ label }) => ({ head: label })),
    { head: 'wait for the next' },
    { head: 'ended after' },
  ];
  const row = (night: NightResult, index: number): string[] => [
    figures.count(night.night),
    figures.count(night.jobs),
    ...shown.map(({ of }) => figures.count(of(night))),
    figures.count(summary.findings.backlog[index]),
    night.finishedMs === null ? 'killed' : figures.duration(night.finishedMs),
  ];
  const rows = nights.map(row);
  if (nights.length <= MOST_NIGHTS) return table(columns, rows);
  const gap = columns.map(() => '…');
  return table(columns, [...rows.slice(0, ENDS), gap, ...rows.slice(-ENDS)]);
}
