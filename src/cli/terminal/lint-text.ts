// What `lint` says to a person: each finding at its place, with the reason behind the rule.

import type { Place } from '../../base/errors.ts';
import { plainFigures as figures } from '../../report/figures.ts';
import { plainName } from '../../report/names.ts';
import type { LintFinding, LintResult } from '../../study/lint/lint.ts';
import { page, paragraph } from './layout.ts';
import { mark } from './phrases.ts';
import type { Colours } from './terminal.ts';

export function lintText(result: LintResult, colours: Colours): string {
  const { findings, ignored } = result;
  const count = findings.length === 0 ? 'nothing found' : figures.counted(findings.length, 'finding');
  return page(
    colours.bold(`${mark(findings.length === 0, colours)} ${plainName(result.scenario)}: ${count}`),
    ...findings.map((finding) => described(finding, colours)),
    ignored.length === 0
      ? undefined
      : [colours.bold('Accepted'), ...ignored.map((one) => accepted(one, colours))].join('\n'),
  );
}

function described({ place, rule, message, why }: LintFinding, { bold, dim }: Colours): string {
  return [
    `  ${bold(rule)}  ${dim(placeText(place))}`,
    paragraph(`${message}.`, '    '),
    dim(paragraph(why, '    ')),
  ].join('\n');
}

function accepted({ rule, because, findings }: LintResult['ignored'][number], { dim }: Colours): string {
  const what =
    findings.length === 0 ? 'nothing of it is found any more' : figures.counted(findings.length, 'finding');
  return `  ${rule}: ${what}\n${dim(paragraph(because, '    '))}`;
}

function placeText({ file, line, column, flag }: Place): string {
  return flag ?? [file, line, column].filter((part) => part !== undefined).join(':');
}
