// The answer of `check` as JUnit's XML, which nearly every CI reads: a suite for each scenario, a case for each
// limit. What is not decided is an error, so that no CI takes it for green.

import type { CheckResult, ScenarioCheck } from '../study/gate/check-result.ts';
import type { Verdict } from '../study/gate/judge.ts';
import { comparisonWords, figureName, limitWords } from './check-words.ts';

interface Case {
  readonly name: string;
  readonly verdict: Verdict;
  readonly words: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** No times: the same check gives the same bytes. */
export function junitXml({ scenarios }: CheckResult): string {
  const suites = scenarios.map((scenario) => ({ scenario, cases: casesOf(scenario) }));
  const totals = counts(suites.flatMap(({ cases }) => cases));
  const lines = suites.flatMap(({ scenario, cases }) => [
    `  <testsuite name="${escaped(scenario.scenario)}" ${counts(cases)}>`,
    ...cases.flatMap((one) => caseLines(scenario.scenario, one)),
    '  </testsuite>',
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="plimsoll check" ${totals}>`,
    ...lines,
    '</testsuites>',
    '',
  ].join('\n');
}

function casesOf({ limits, baseline }: ScenarioCheck): readonly Case[] {
  return [
    ...limits.map((limit) => ({
      name: limit.limit,
      verdict: limit.verdict,
      words: limitWords(limit),
      file: limit.place.file,
      line: limit.place.line,
    })),
    ...(baseline ?? []).map((one) => ({
      name: `${figureName(one)} against the baseline`,
      verdict: one.verdict,
      words: comparisonWords(one),
      file: undefined,
      line: undefined,
    })),
  ];
}

function counts(cases: readonly Case[]): string {
  const of = (verdict: Verdict) => cases.filter((one) => one.verdict === verdict).length;
  return `tests="${cases.length}" failures="${of('fail')}" errors="${of('inconclusive')}"`;
}

function caseLines(suite: string, { name, verdict, words, file, line }: Case): readonly string[] {
  const place = `${file === undefined ? '' : ` file="${escaped(file)}"`}${line === undefined ? '' : ` line="${line}"`}`;
  const open = `    <testcase classname="${escaped(suite)}" name="${escaped(name)}"${place}`;
  if (verdict === 'pass') return [`${open}/>`];
  const element = verdict === 'fail' ? 'failure' : 'error';
  return [`${open}>`, `      <${element} type="${verdict}" message="${escaped(words)}"/>`, '    </testcase>'];
}

/** In an attribute. Characters that XML has no way to write become a replacement character. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what XML cannot hold
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\u{fffd}')
      .replace(/[&<>"\n\r\t]/g, (letter) => `&#${letter.charCodeAt(0)};`)
  );
}
