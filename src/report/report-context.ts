// What every chart and every section is given: the summary, the series behind it, how numbers and names
// are printed.

import type { Figures } from './figures.ts';
import type { NightSeries } from './night-series.ts';
import type { ReportSummary } from './summary.ts';
import type { WeatherSums } from './weather-sums.ts';

export interface ReportContext {
  readonly summary: ReportSummary;
  readonly series: NightSeries;
  /** Undefined where the outputs of the scenario have no weather. */
  readonly weather?: WeatherSums | undefined;
  readonly figures: Figures;
  /** The class's name as it is shown: one line, short, different from all others. */
  readonly className: (name: string) => string;
}
