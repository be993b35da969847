// What `check` says to a person: each scenario, each limit with its verdict and what it rests on.

import { formatCount, formatPercent } from '../../base/units.ts';
import { plainName } from '../../report/names.ts';
import type { CheckResult, ScenarioCheck } from '../../study/gate/check-result.ts';
import type { Verdict } from '../../study/gate/judge.ts';
import { comparisonWords, figureName, limitWords } from '../check-words.ts';
import { page, paragraph } from './layout.ts';
import type { Colours } from './terminal.ts';

export function checkText(result: CheckResult, colours: Colours): string {
  return page(
    ...result.scenarios.map((scenario) => scenarioText(scenario, colours)),
    colours.dim(
      paragraph(
        `Each verdict holds with ${formatPercent(result.confidence)} confidence, over all looks together.`,
      ),
    ),
  );
}

function scenarioText(check: ScenarioCheck, colours: Colours): string {
  const { scenario, verdict, replications, limits, baseline } = check;
  const plural = replications === 1 ? '' : 's';
  const head = `${sign(verdict, colours)} ${plainName(scenario)}: ${verdict} after ${formatCount(replications)} replication${plural}`;
  const comparisons = (baseline ?? []).map((one) =>
    entry(one.verdict, figureName(one), comparisonWords(one), colours),
  );
  return [
    colours.bold(head),
    ...limits.map((limit) => entry(limit.verdict, limit.limit, limitWords(limit), colours)),
    ...(comparisons.length === 0 ? [] : [colours.bold('  Against the baseline'), ...comparisons]),
  ].join('\n');
}

function entry(verdict: Verdict, name: string, words: string, colours: Colours): string {
  return `  ${sign(verdict, colours)} ${colours.bold(plainName(name))}\n${paragraph(`${words}.`, '      ')}`;
}

function sign(verdict: Verdict, { green, red, yellow }: Colours): string {
  switch (verdict) {
    case 'pass':
      return green('✓');
    case 'fail':
      return red('✗');
    case 'inconclusive':
      return yellow('?');
  }
}
