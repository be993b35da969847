// The report, whole: results in, names and bytes out. The same input gives the same bytes; nothing is
// written here, and nothing is asked of the machine.

import { admittedChart } from './charts/admitted.ts';
import { calendarChart } from './charts/calendar.ts';
import { callsChart } from './charts/calls.ts';
import { capacityChart } from './charts/capacity.ts';
import type { Chart } from './charts/chart.ts';
import { driftChart } from './charts/drift.ts';
import { envelopesChart } from './charts/envelopes.ts';
import { firstTripsChart } from './charts/first-trips.ts';
import { grantedTimeoutsChart } from './charts/granted-timeouts.ts';
import { heldConsumedChart } from './charts/held-consumed.ts';
import { lastMinutesChart } from './charts/last-minutes.ts';
import { leasesChart } from './charts/leases.ts';
import { outcomesChart } from './charts/outcomes.ts';
import { policiesChart } from './charts/policies.ts';
import { poolChart } from './charts/pool-over-time.ts';
import { refusalsChart } from './charts/refusals.ts';
import { strandedChart } from './charts/stranded.ts';
import { tripsChart } from './charts/trips.ts';
import { weatherChart } from './charts/weather.ts';
import { worstCaseChart } from './charts/worst-case.ts';
import { type Block, blocks } from './document.ts';
import { type Figures, plainFigures } from './figures.ts';
import { htmlOf } from './html.ts';
import { jsonText } from './json-text.ts';
import { markdownOf } from './markdown.ts';
import { distinctNames, plainName, shortName } from './names.ts';
import type { ReportContext } from './report-context.ts';
import type { ReportFile, ReportInput } from './report-input.ts';
import { adviceSection } from './sections/advice-section.ts';
import { calendarSection } from './sections/calendar-section.ts';
import { callsSection } from './sections/calls-section.ts';
import { driftSection } from './sections/drift-section.ts';
import { edgeSection } from './sections/edge-section.ts';
import { envelopesSection } from './sections/envelopes-section.ts';
import { methodSection } from './sections/method-section.ts';
import { nightsSection } from './sections/nights-section.ts';
import { policiesSection } from './sections/policies-section.ts';
import { refusalsSection } from './sections/refusals-section.ts';
import { rollbackSection } from './sections/rollback-section.ts';
import { rolloutSection } from './sections/rollout-section.ts';
import { strandedSection } from './sections/stranded-section.ts';
import { tokensSection } from './sections/tokens-section.ts';
import { tripsSection } from './sections/trips-section.ts';
import { verdictSection } from './sections/verdict-section.ts';
import { weatherSection } from './sections/weather-section.ts';
import { worstCaseSection } from './sections/worst-case-section.ts';
import { summarize } from './summary.ts';
import { drawCharts } from './svg.ts';
import { weatherSums } from './weather-sums.ts';

/**
 * `report.md`, `report.html`, `summary.json`, and for each chart `charts/<name>.vl.json` and `charts/<name>.svg`. Charts
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
  const document = documentOf(context, charts);
  const title = plainName(input.scenario.name);
  return [
    { name: 'report.md', text: markdownOf(document) },
    { name: 'report.html', text: await htmlOf(title, document, pictures) },
    { name: 'summary.json', text: jsonText(context.summary) },
    ...drawn.map(({ name, spec }) => ({ name: `charts/${name}.vl.json`, text: jsonText(spec) })),
    ...drawn.map(({ name }) => ({ name: `charts/${name}.svg`, text: pictures.get(name) ?? '' })),
  ];
}

function contextOf(input: ReportInput, figures: Figures): ReportContext {
  const names = distinctNames(input.scenario.jobs.map(({ name }) => name));
  return {
    summary: summarize(input),
    series: input.series,
    weather: weatherSums(input.scenario),
    figures,
    className: (name) => names.get(name) ?? shortName(name),
  };
}

type Charts = Readonly<Record<keyof ReturnType<typeof chartsOf>, Chart | undefined>>;

function chartsOf(context: ReportContext) {
  return {
    outcomes: outcomesChart(context),
    calendar: calendarChart(context),
    worstCase: worstCaseChart(context),
    capacity: capacityChart(context),
    envelopes: envelopesChart(context),
    admitted: admittedChart(context),
    lastMinutes: lastMinutesChart(context),
    granted: grantedTimeoutsChart(context),
    calls: callsChart(context),
    pool: poolChart(context),
    held: heldConsumedChart(context),
    refusals: refusalsChart(context),
    stranded: strandedChart(context),
    leases: leasesChart(context),
    drift: driftChart(context),
    trips: tripsChart(context),
    firstTrips: firstTripsChart(context),
    weather: weatherChart(context),
    policies: policiesChart(context),
  };
}

function documentOf(context: ReportContext, charts: Charts): readonly Block[] {
  return blocks(
    verdictSection(context),
    adviceSection(context),
    nightsSection(context, charts.outcomes),
    calendarSection(context, charts.calendar),
    worstCaseSection(context, charts.worstCase, charts.capacity),
    envelopesSection(context, charts.envelopes, charts.admitted),
    edgeSection(context, charts.granted, charts.lastMinutes),
    callsSection(context, charts.calls),
    tokensSection(context, charts.pool, charts.held),
    refusalsSection(context, charts.refusals),
    strandedSection(context, charts.stranded, charts.leases),
    driftSection(context, charts.drift),
    weatherSection(context, charts.weather),
    policiesSection(context, charts.policies),
    tripsSection(context, charts.trips, charts.firstTrips),
    rolloutSection(context),
    rollbackSection(context),
    methodSection(context),
  );
}
