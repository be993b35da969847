// Refused jobs: how many of those that came, of which classes, and what would have admitted them.

import type { Chart } from '../charts/chart.ts';
import { changeLines, refusalsFinding } from '../charts/refusals.ts';
import { type Block, blocks, heading, listing, paragraph, picture } from '../document.ts';
import type { ReportContext } from '../report-context.ts';
import { plimsollCommand } from '../shell.ts';

const ALL_KINDS = 4;

export function refusalsSection(
  context: ReportContext,
  chart: Chart | undefined,
): readonly Block[] | undefined {
  if (chart === undefined) return undefined;
  const lines = changeLines(context);
  return blocks(
    heading(2, 'Refused jobs'),
    paragraph(
      `${refusalsFinding(context)}.`,
      meaning(context),
      lines.length === 0 ? '' : readingText(context),
    ),
    picture(chart),
    moreChanges(context, lines.length),
  );
}

function meaning({ summary }: ReportContext): string {
  return summary.scenario.policy.admission === 'envelope'
    ? 'A refused job costs nothing and waits for another night; it is the pool, or who drains it, that wants a look.'
    : 'Behind a shared counter the first of a night is refused in mid-flight and takes with it what was left; whoever comes after it is not even tried.';
}

function readingText({ summary, figures }: ReportContext): string {
  const step = summary.studies?.refusals?.tokenStep;
  const tokens =
    summary.studies?.refusals?.changes?.tokens == null
      ? ''
      : ` The pool grows in steps of ${figures.count(step)} tokens, and one step less was played too: somebody is refused then.`;
  const lanes =
    summary.studies?.refusals?.changes?.lanes == null
      ? ''
      : ' Fewer lanes refuse nobody because they reach fewer.';
  return `Each change was made by itself, and all nights were played with it.${tokens} Read the jobs done beside it: as it is, ${figures.count(summary.run.total.done)}.${lanes}`;
}

/** Those that were not looked for take longer than a plain report may. */
function moreChanges({ summary }: ReportContext, found: number): readonly Block[] | undefined {
  if (found === ALL_KINDS || summary.studies?.refusals?.changes == null) return undefined;
  return [
    paragraph(
      found === 0
        ? 'What would have admitted them takes longer to find than this report may; ask for it:'
        : 'The other changes take longer to find than this report may; ask for them:',
    ),
    listing('sh', [plimsollCommand('refusals', summary.rerun)]),
  ];
}
