// What `replay-night` says to a person: what became of the jobs, and where the bill and the books differ.

import { OUTCOMES } from '../../report/charts/outcomes.ts';
import { plainFigures as figures } from '../../report/figures.ts';
import { plainName, shortName } from '../../report/names.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { NightResult } from '../../world/run-result.ts';
import { driftLines } from './drift-lines.ts';
import { page, paragraph } from './layout.ts';
import type { Colours } from './terminal.ts';

export function nightText(
  scenario: Scenario,
  replication: number,
  night: NightResult,
  colours: Colours,
): string {
  const became = OUTCOMES.filter(({ of }) => of(night) > 0).map(
    ({ label, of }) => `${figures.count(of(night))} ${label}`,
  );
  const end =
    night.finishedMs === null
      ? 'the kill came first'
      : `it ended after ${figures.duration(night.finishedMs)} of ${figures.duration(scenario.window.lastsMs)}`;
  return page(
    colours.bold(
      `${plainName(scenario.name)}: night ${figures.count(night.night)} of replication ${figures.count(replication)}`,
    ),
    paragraph(
      `Of ${figures.counted(night.jobs, 'job')}: ${became.length === 0 ? 'nothing to do' : became.join(', ')}. ${figures.counted(night.attempts, 'call')} were made; ${end}.`,
      '  ',
    ),
    ...Object.entries(night.pools).map(([name, pool]) =>
      [
        colours.bold(`The pool ${shortName(name)}`),
        paragraph(
          `${figures.count(pool.consumed)} tokens consumed, ${figures.count(pool.billed)} billed: a drift of ${figures.difference(pool.drift)}.`,
          '  ',
        ),
        ...driftLines(pool.driftCauses, colours),
      ].join('\n'),
    ),
  );
}
