// Stranded tokens: what dead workers keep from the living, over time, and what a lease's length has to do
// with it.

import type { Chart } from '../charts/chart.ts';
import { leasesFinding } from '../charts/leases.ts';
import { strandedFinding } from '../charts/stranded.ts';
import { type Block, blocks, heading, listing, paragraph, picture, table } from '../document.ts';
import type { ReportContext } from '../report-context.ts';
import { plimsollCommand } from '../shell.ts';

export function strandedSection(
  context: ReportContext,
  stranded: Chart | undefined,
  leases: Chart | undefined,
): readonly Block[] | undefined {
  if (stranded === undefined && leases === undefined) return undefined;
  return blocks(
    heading(2, 'Stranded tokens'),
    stranded === undefined
      ? undefined
      : paragraph(
          `${strandedFinding(context)}.`,
          'A worker that dies leaves its holds behind: nobody else can have those tokens before their leases have ended and somebody has reclaimed them. A ledger sees only the second half of that, the holds that have expired.',
          alarmText(context),
        ),
    picture(stranded),
    leases === undefined
      ? undefined
      : paragraph(
          `${leasesFinding(context)}.`,
          'A short lease gives back soon what dead workers hold. But it also runs out under workers that only stand still: their jobs are given away, done twice, and paid for twice.',
        ),
    picture(leases),
    leases === undefined ? undefined : leasesTable(context),
    leases === undefined ? undefined : moreLengths(context),
  );
}

function alarmText({ summary }: ReportContext): string {
  return (summary.series.stranded?.phantomRefusals ?? 0) > 0
    ? 'The pool only looks used up: shorten the leases before you pay for a larger one.'
    : '';
}

function moreLengths({ summary }: ReportContext): readonly Block[] | undefined {
  if (summary.studies?.asked !== null) return undefined;
  return [
    paragraph('These are few lengths, each played once. More of both:'),
    listing('sh', [plimsollCommand('leases', summary.rerun)]),
  ];
}

function leasesTable({ summary, figures }: ReportContext): Block | undefined {
  const leases = summary.studies?.leases ?? null;
  if (leases === null) return undefined;
  return table(
    [
      { head: 'lease', align: 'left' },
      { head: 'done' },
      { head: 'done twice' },
      { head: 'token-minutes stranded' },
      { head: 'turned away above the alarm' },
    ],
    leases.lengths.map((one) => [
      `${figures.duration(one.leaseMs)}${one.leaseMs === leases.ownMs ? ' (as it is)' : ''}`,
      figures.count(one.done),
      figures.count(one.duplicatedJobs),
      figures.tokens(one.strandedTokenMinutes),
      figures.count(one.phantomRefusals),
    ]),
  );
}
