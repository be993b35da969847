// The nights at a glance: what became of the jobs, night by night.

import type { NightResult, Outcome } from '../../world/run-result.ts';
import type { Chart } from '../charts/chart.ts';
import { OUTCOMES, outcomesFinding } from '../charts/outcomes.ts';
import { type Block, blocks, type Column, heading, paragraph, picture, table } from '../document.ts';
import type { DeferralCause } from '../findings.ts';
import type { ReportContext } from '../report-context.ts';
import type { LossSeries } from '../trouble-series.ts';

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

/** Why a job was put off, after the number of jobs. */
const CAUSES: Readonly<Record<DeferralCause, string>> = {
  'out-of-time': 'had too little time left',
  'not-reached': 'were not reached',
  'attempts-used-up': 'had used up their attempts',
  'hold-lost': 'lost the tokens that were held for them',
  'not-extended': 'found no tokens for a further attempt',
  'claimed-elsewhere': 'were in the hands of another worker',
  'ledger-unavailable': 'met a token ledger that did not answer',
  'checkpoint-failed': 'could not be written down',
  shed: 'were let go as a trip condition stopped admission',
};

/** Only the words that this run needs. */
function meaning(context: ReportContext): string {
  const { summary } = context;
  return OUTCOMES.filter(({ of }) => of(summary.run.total) > 0)
    .map(({ outcome }) => meaningOf(outcome, context))
    .filter((text) => text !== undefined)
    .join(' ');
}

function meaningOf(outcome: Outcome, { summary, figures }: ReportContext): string | undefined {
  switch (outcome) {
    case 'done':
      return undefined;
    case 'deferred': {
      const causes = summary.findings.deferrals.map(
        ({ cause, jobs }) => `${figures.count(jobs)} ${CAUSES[cause]}`,
      );
      return `Deferred jobs wait for the next night, which is no failure: ${causes.join(', ')}.`;
    }
    case 'refused':
      return 'Refused jobs found too few tokens in the pool; they wait as well.';
    case 'inadmissible':
      return 'Inadmissible jobs reserve more than the whole pool holds.';
    case 'failed':
      return 'Failed jobs had an answer that no further attempt would mend.';
    case 'unknown':
      return `Cut off means that ${cutBy(summary.series.losses.calls)} in the middle of a call: its tokens are spent, its answer is not there.`;
    case 'lostWrite':
      return `A lost answer was there, and ${lostBy(summary.series.losses.answers)}.`;
  }
}

function cutBy({ crash, kill }: LossSeries['calls']): string {
  if (crash === 0) return 'the kill came';
  return kill === 0 ? 'a worker crashed' : 'the kill came, or a worker crashed,';
}

function lostBy({ crash, store, kill }: LossSeries['answers']): string {
  return [
    kill > 0 ? 'was not written before the kill' : '',
    crash > 0 ? 'was gone with its worker before it was written' : '',
    store > 0 ? 'was not taken by the store' : '',
  ]
    .filter((part) => part !== '')
    .join(', or ');
}

function nightsTable({ summary, figures }: ReportContext): Block {
  const { nights } = summary.run;
  const shown = OUTCOMES.filter(({ outcome, of }) => outcome === 'done' || of(summary.run.total) > 0);
  const columns: Column[] = [
    { head: 'night', align: 'left' },
    { head: 'jobs' },
    ...shown.map(({ label }) => ({ head: label })),
    { head: 'wait for the next night' },
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
