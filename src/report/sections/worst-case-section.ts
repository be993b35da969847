// The worst case: how long it would take if everything that may be slow were slow, and what keeps a night
// from it.

import { BOUND_NAMES, capacityFinding } from '../charts/capacity.ts';
import type { Chart } from '../charts/chart.ts';
import { worstCaseFinding } from '../charts/worst-case.ts';
import { type Block, blocks, heading, paragraph, picture, table } from '../document.ts';
import type { ReportContext } from '../report-context.ts';

export function worstCaseSection(
  context: ReportContext,
  chart: Chart | undefined,
  capacity: Chart | undefined,
): readonly Block[] | undefined {
  if (chart === undefined) return undefined;
  const { summary, figures } = context;
  const { worstCase } = summary.plan;
  return blocks(
    heading(2, 'The worst case'),
    paragraph(
      `${worstCaseFinding(context)}.`,
      `If each of the ${figures.counted(worstCase.items, 'job')} used every attempt it may (up to ${figures.count(worstCase.attempts)}) and each attempt took the whole cap of ${figures.duration(worstCase.capMs)}, they would take ${figures.duration(worstCase.sequentialMs)} one after another, and at most ${figures.duration(worstCase.elapsedMs)} on ${figures.counted(worstCase.lanes, 'lane')} with the longest pauses between attempts.`,
      guard(context),
    ),
    picture(chart),
    table(
      [{ head: 'what', align: 'left' }, { head: 'time' }],
      [
        ['worst case, one call after another', figures.duration(worstCase.sequentialMs)],
        [`worst case on ${figures.counted(worstCase.lanes, 'lane')}`, figures.duration(worstCase.elapsedMs)],
        ['window', figures.duration(worstCase.windowMs)],
        ['reserve, kept for the last writes', figures.duration(worstCase.reserveMs)],
        ['left for calls', figures.duration(summary.findings.usableMs)],
        [summary.scenario.nights === 1 ? 'as played' : 'as played, slowest night', playedText(context)],
      ],
    ),
    capacityBlocks(context, capacity),
  );
}

function guard({ summary }: ReportContext): string {
  if (summary.plan.worstCase.fits) return '';
  return summary.scenario.policy.timeouts === 'clamp'
    ? 'The clamp is what keeps a bad night from running on: it grants no call more time than is left, and puts off what does not fit.'
    : 'Nothing keeps a bad night from running on: timeouts are fixed, and the kill ends whatever is under way.';
}

function playedText({ summary, figures }: ReportContext): string {
  const { facts } = summary.verdict;
  return facts.killedNights > 0 ? 'killed' : figures.duration(facts.slowestFinishedMs);
}

/** What an average night could carry; the worst one is no measure for that. */
function capacityBlocks(context: ReportContext, chart: Chart | undefined): readonly Block[] | undefined {
  if (chart === undefined) return undefined;
  const { summary, figures } = context;
  const { bounds, binding } = summary.findings.capacity;
  const rows = bounds.map(({ name, jobsPerNight }) => [
    BOUND_NAMES[name],
    figures.whole(jobsPerNight),
    name === binding ? '← the first limit' : '',
  ]);
  return blocks(
    heading(3, 'What an average night can carry'),
    paragraph(
      `${capacityFinding(context)}.`,
      'Each part is looked at alone, as if the others had no end; the smallest number is the one to enlarge first.',
    ),
    picture(chart),
    table([{ head: 'by', align: 'left' }, { head: 'jobs a night' }, { head: 'note', align: 'left' }], rows),
  );
}
