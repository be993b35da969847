// Envelopes and the jobs they admit: what is held back for one job of each class, whether that was enough,
// and how many fit into the pool.

import { admittedFinding } from '../charts/admitted.ts';
import type { Chart } from '../charts/chart.ts';
import { envelopesFinding } from '../charts/envelopes.ts';
import { type Block, blocks, heading, paragraph, picture, table } from '../document.ts';
import type { ReportContext } from '../report-context.ts';

const MOST_CLASSES = 25;

export function envelopesSection(
  context: ReportContext,
  envelopes: Chart | undefined,
  admitted: Chart | undefined,
): readonly Block[] | undefined {
  const { summary } = context;
  if (summary.scenario.pool === null || summary.plan.classes.length === 0) return undefined;
  return blocks(
    heading(2, 'Envelopes and admitted jobs'),
    paragraph(
      'An envelope is the number of tokens held back for one job before it starts, for all its attempts together; what it does not use comes back when it ends.',
      summary.scenario.policy.admission === 'shared-counter'
        ? 'In this scenario nothing is held back (a shared counter admits); the envelopes are what would be.'
        : '',
      envelopes === undefined ? '' : `${envelopesFinding(context)}.`,
    ),
    picture(envelopes),
    envelopeTable(context),
    admitted === undefined ? undefined : paragraph(`${admittedFinding(context)}.`),
    picture(admitted),
    admitted === undefined ? undefined : admittedTable(context),
    summary.plan.classes.length > MOST_CLASSES
      ? paragraph('The other classes are in summary.json.')
      : undefined,
  );
}

function envelopeTable({ summary, figures, className }: ReportContext): Block {
  const rows = summary.plan.classes.slice(0, MOST_CLASSES).map((planned) => {
    const usage = summary.series.classes.find(({ name }) => name === planned.name)?.usage;
    const found = summary.findings.classes.find(({ name }) => name === planned.name);
    return [
      className(planned.name),
      figures.count(planned.attempts),
      figures.tokens(planned.p95InputTokens),
      figures.tokens(planned.p95OutputTokens),
      figures.tokens(planned.envelope),
      figures.tokens(usage?.p50),
      figures.tokens(usage?.p95),
      figures.percent(found?.beyondShare),
      `${figures.percent(found?.unspentRatio)} (${figures.percent(planned.expectedUnspentRatio)})`,
    ];
  });
  return table(
    [
      { head: 'class', align: 'left' },
      { head: 'attempts' },
      { head: 'p95 input' },
      { head: 'p95 output' },
      { head: 'envelope' },
      { head: 'used: half of jobs up to' },
      { head: '19 in 20 up to' },
      { head: 'jobs beyond' },
      { head: 'came back unused (expected)' },
    ],
    rows,
  );
}

function admittedTable({ summary, figures, className }: ReportContext): Block {
  const rows = summary.plan.classes.slice(0, MOST_CLASSES).map((planned) => {
    const series = summary.series.classes.find(({ name }) => name === planned.name);
    return [
      className(planned.name),
      figures.count(planned.count),
      figures.count(planned.admitted),
      figures.count(planned.maxInFlight),
      figures.count(series?.admittedFirstNight),
      figures.count(summary.run.classes[planned.name]?.done),
    ];
  });
  const { mix } = summary.plan;
  return table(
    [
      { head: 'class', align: 'left' },
      { head: 'jobs a night' },
      { head: 'fit at once, class alone' },
      { head: 'under way at most' },
      { head: 'let in on night 1' },
      { head: 'done in all' },
    ],
    [
      ...rows,
      [
        'all, in queue order',
        figures.count(mix?.jobs),
        figures.count(mix?.admitted),
        '',
        figures.count(summary.findings.admittedFirstNight),
        figures.count(summary.run.total.done),
      ],
    ],
  );
}
