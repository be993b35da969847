// The answer of `check` for GitHub Actions: an annotation at the line of each limit that does not pass, and a
// table for the step's summary.

import type { Place } from '../base/errors.ts';
import type {
  BaselineComparison,
  CheckResult,
  LimitResult,
  ScenarioCheck,
} from '../study/gate/check-result.ts';
import type { Verdict } from '../study/gate/judge.ts';
import { comparisonWords, figureName, limitWords } from './check-words.ts';

/** Workflow commands, one a line; none where everything passes. */
export function githubAnnotations({ scenarios }: CheckResult): string {
  return scenarios
    .flatMap(({ scenario, limits, baseline }) => [
      ...limits.map((one) =>
        annotation(one.verdict, scenario, `${one.limit}: ${limitWords(one)}`, one.place),
      ),
      ...(baseline ?? []).map((one) =>
        annotation(
          one.verdict,
          scenario,
          `${figureName(one)} against the baseline: ${comparisonWords(one)}`,
          {},
        ),
      ),
    ])
    .join('');
}

function annotation(
  verdict: Verdict,
  scenario: string,
  message: string,
  { file, line, column }: Place,
): string {
  if (verdict === 'pass') return '';
  const command = verdict === 'fail' ? 'error' : 'warning';
  const properties = Object.entries({ file, line, col: column, title: `${scenario}: ${verdict}` })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapedProperty(String(value))}`);
  return `::${command} ${properties.join(',')}::${escapedData(message)}\n`;
}

/** As the runner's own toolkit writes them. */
function escapedData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

const SIGNS: Readonly<Record<Verdict, string>> = { pass: '✅', fail: '❌', inconclusive: '❔' };

/** Markdown: a table for each scenario. */
export function githubSummary({ scenarios }: CheckResult): string {
  return scenarios.map((scenario) => `${table(scenario)}\n`).join('\n');
}

function table({ scenario, verdict, replications, limits, baseline }: ScenarioCheck): string {
  const limitRow = (one: LimitResult) => row(one.verdict, one.limit, limitWords(one));
  const comparisonRow = (one: BaselineComparison) =>
    row(one.verdict, `${figureName(one)} against the baseline`, comparisonWords(one));
  return [
    `### ${SIGNS[verdict]} ${cell(scenario)}: ${verdict} after ${replications} replications`,
    '',
    '| | limit | what was found |',
    '| --- | --- | --- |',
    ...limits.map(limitRow),
    ...(baseline ?? []).map(comparisonRow),
  ].join('\n');
}

function row(verdict: Verdict, name: string, words: string): string {
  return `| ${SIGNS[verdict]} ${verdict} | ${cell(name)} | ${cell(words)} |`;
}

function cell(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[\\|`*_<>[\]]/g, '\\$&');
}
