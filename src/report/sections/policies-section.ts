// The same nights under other settings: same jobs, same tokens, same latency, so every difference comes
// from the settings.

import type { Chart } from '../charts/chart.ts';
import { policiesFinding } from '../charts/policies.ts';
import { type Block, blocks, bullets, heading, paragraph, picture, table } from '../document.ts';
import type { PolicyRow } from '../findings.ts';
import { shortName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';

const MOST_NIGHTS = 8;

export function policiesSection(
  context: ReportContext,
  chart: Chart | undefined,
): readonly Block[] | undefined {
  const { summary, figures } = context;
  const { policies } = summary.findings;
  if (policies.length === 0) return undefined;
  const [own, ...variants] = policies;
  if (own === undefined) return undefined;
  return blocks(
    heading(2, 'Policies compared'),
    paragraph(
      `${policiesFinding(context)}.`,
      'The same jobs met the same weather, with some settings changed; so each difference comes from the settings alone.',
    ),
    picture(chart),
    bullets(variants.map((row) => `${policySentence(row, context)}${nightsText(row, context)}`)),
    table(
      [
        { head: 'variant', align: 'left' },
        { head: 'what differs', align: 'left' },
        { head: 'done' },
        { head: 'cut off or lost' },
        { head: 'left' },
        { head: 'slowest night' },
        ...(own.consumed === null ? [] : [{ head: 'tokens used' }]),
      ],
      policies.map((row) => [
        row.name === null ? 'this scenario' : shortName(row.name),
        row.differences.join(', '),
        row.name === null
          ? figures.count(row.done)
          : `${figures.count(row.done)} (${figures.difference(row.doneDifference)})`,
        figures.count(row.cutOff),
        figures.count(row.pending),
        row.slowestFinishedMs === null ? 'killed' : figures.duration(row.slowestFinishedMs),
        ...(own.consumed === null ? [] : [figures.tokens(row.consumed)]),
      ]),
    ),
    touchesAdmission(policies)
      ? paragraph(
          'How to read admission: envelopes make sure that every job let in can be paid to its end. They do not decide who is let in first; where one class drains the pool before the others have their turn, order and shares cure it, not envelopes.',
        )
      : undefined,
  );
}

export function policySentence(row: PolicyRow, { figures }: ReportContext): string {
  const name = shortName(row.name ?? '');
  const done =
    row.doneDifference === 0
      ? 'as many jobs done'
      : row.doneDifference > 0
        ? `${figures.counted(row.doneDifference, 'more job', 'more jobs')} done`
        : `${figures.counted(-row.doneDifference, 'fewer job', 'fewer jobs')} done`;
  const cut =
    row.cutOffDifference === 0
      ? row.cutOff === 0
        ? 'nothing cut off or lost either way'
        : `as many calls and answers cut off or lost (${figures.count(row.cutOff)})`
      : row.cutOffDifference > 0
        ? `${figures.counted(row.cutOffDifference, 'more call or answer', 'more calls or answers')} cut off or lost`
        : `${figures.counted(-row.cutOffDifference, 'fewer call or answer', 'fewer calls or answers')} cut off or lost`;
  return `${name}: ${done}, ${cut}.`;
}

/** The pairs of nights, where they are few enough to be read. */
function nightsText({ nightDifferences }: PolicyRow, { figures }: ReportContext): string {
  if (nightDifferences.length < 2 || nightDifferences.length > MOST_NIGHTS) return '';
  if (nightDifferences.every((jobs) => jobs === 0)) return '';
  return ` More or fewer done, night by night: ${nightDifferences.map((jobs) => figures.difference(jobs)).join(', ')}.`;
}

function touchesAdmission(policies: readonly PolicyRow[]): boolean {
  return policies.some(({ differences }) =>
    differences.some(
      (difference) => difference.startsWith('policy.admission') || difference.startsWith('order'),
    ),
  );
}
