// The weather of the scenario: what its draws have in common, and what that does to sums. Only where it has any.

import type { SharedBy } from '../../scenario/scenario.ts';
import type { Chart } from '../charts/chart.ts';
import { weatherFinding } from '../charts/weather.ts';
import { type Block, blocks, bullets, heading, paragraph, picture } from '../document.ts';
import type { ReportContext } from '../report-context.ts';

const SHARED: Readonly<Record<SharedBy, string>> = {
  night: 'and is another one each night',
  class: 'and each class has its own',
  provider: 'and all of them have the same',
};

export function weatherSection(
  context: ReportContext,
  chart: Chart | undefined,
): readonly Block[] | undefined {
  const { summary } = context;
  if (summary.weather === null) return undefined;
  return blocks(
    heading(2, 'Weather'),
    paragraph(
      'What draws have in common does not average out. Every quantile is as the scenario states it, over many nights; within one, a slow or a long spell lasts for a while.',
    ),
    bullets(kinds(context)),
    chart === undefined
      ? undefined
      : paragraph(
          `${weatherFinding(context)}.`,
          'A pool or a window that is sized by averages has to bear the longest spell, not the average one.',
        ),
    picture(chart),
  );
}

function kinds({ summary, figures }: ReportContext): readonly string[] {
  const { latency, output, store } = summary.weather ?? {};
  return [
    latency === undefined
      ? []
      : `Latency: ${figures.percent(latency.strength)} of what makes a call slow is shared by calls of about the same time; it lasts ${figures.duration(latency.lastsMs)}, ${SHARED[latency.shared]}.`,
    output === undefined
      ? []
      : `Outputs: ${figures.percent(output.strength)} of what makes an output long is shared by jobs that are listed near each other; it lasts ${figures.counted(output.lastsJobs, 'job')}, ${SHARED[output.shared]}.`,
    store === undefined
      ? []
      : `Store: ${figures.percent(store.strength)} of what makes a checkpoint slow is shared by those of about the same time; it lasts ${figures.duration(store.lastsMs)}.`,
  ].flat();
}
