// The report, whole: results in, names and bytes out. The same input gives the same bytes; nothing is
// written here, and nothing is asked of the machine.

import { admittedChart } from './charts/admitted.ts';
import type { Chart } from './charts/chart.ts';
import { envelopesChart } from './charts/envelopes.ts';
import { grantedTimeoutsChart } from './charts/granted-timeouts.ts';
import { outcomesChart } from './charts/outcomes.ts';
import { poolChart } from './charts/pool-over-time.ts';
import { worstCaseChart } from './charts/worst-case.ts';
import { type Figures, plainFigures } from './figures.ts';
import { jsonText } from './json-text.ts';
import { blocks } from './markdown.ts';
import { distinctNames, shortName } from './names.ts';
import type { ReportContext } from './report-context.ts';
import type { ReportFile, ReportInput } from './report-input.ts';
import { adviceSection } from './sections/advice-section.ts';
import { edgeSection } from './sections/edge-section.ts';
import { envelopesSection } from './sections/envelopes-section.ts';
import { methodSection } from './sections/method-section.ts';
import { nightsSection } from './sections/nights-section.ts';
import { policiesSection } from './sections/policies-section.ts';
import { tokensSection } from './sections/tokens-section.ts';
import { verdictSection } from './sections/verdict-section.ts';
import { worstCaseSection } from './sections/worst-case-section.ts';
import { summarize } from './summary.ts';
import { drawCharts } from './svg.ts';

/**
 * `report.md`, `summary.json`, and for each chart `charts/<name>.vl.json` and `charts/<name>.svg`. Charts
 * and sections whose data does not exist (no pool, no jobs) are absent.
 *
 * @param figures how numbers are printed; by default as they are read
 */
export async function renderReport(
  input: ReportInput,
  figures: Figures = plainFigures,
): Promise<readonly ReportFile[]> {
  const context = contextOf(input, figures);
  const charts = chartsOf(context);
  const drawn = Object.values(charts).filter((chart) => chart !== undefined);
  const pictures = await drawCharts(drawn);
  return [
    { name: 'report.md', text: markdownOf(context, charts) },
    { name: 'summary.json', text: jsonText(context.summary) },
    ...drawn.flatMap((chart, index) => [
      { name: `charts/${chart.name}.vl.json`, text: jsonText(chart.spec) },
      { name: `charts/${chart.name}.svg`, text: pictures[index] ?? '' },
    ]),
  ];
}

function contextOf(input: ReportInput, figures: Figures): ReportContext {
  const names = distinctNames(input.scenario.jobs.map(({ name }) => name));
  return {
    summary: summarize(input),
    series: input.series,
    figures,
    className: (name) => names.get(name) ?? shortName(name),
  };
}

type ChartName = 'outcomes' | 'worstCase' | 'envelopes' | 'admitted' | 'granted' | 'pool';
type Charts = Readonly<Record<ChartName, Chart | undefined>>;

function chartsOf(context: ReportContext): Charts {
  return {
    outcomes: outcomesChart(context),
    worstCase: worstCaseChart(context),
    envelopes: envelopesChart(context),
    admitted: admittedChart(context),
    granted: grantedTimeoutsChart(context),
    pool: poolChart(context),
  };
}

function markdownOf(context: ReportContext, charts: Charts): string {
  const text = blocks(
    verdictSection(context),
    adviceSection(context),
    nightsSection(context, charts.outcomes),
    worstCaseSection(context, charts.worstCase),
    envelopesSection(context, charts.envelopes, charts.admitted),
    edgeSection(context, charts.granted),
    tokensSection(context, charts.pool),
    policiesSection(context),
    methodSection(context),
  );
  return `${text}\n`;
}
