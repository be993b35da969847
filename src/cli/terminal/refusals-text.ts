// What `refusals` says to a person: the way from all jobs down to those admitted, and what would admit the rest.

import { plainFigures as figures } from '../../report/figures.ts';
import { plainName } from '../../report/names.ts';
import type { Refusals, SmallestChange, SmallestChanges } from '../../study/refusals.ts';
import { bar } from './bar.ts';
import { page, paragraph, table } from './layout.ts';
import type { Colours } from './terminal.ts';

export function refusalsText(name: string, { steps, changes }: Refusals, colours: Colours): string {
  const { jobs, inadmissible, refused, notReached, admitted } = steps;
  const share = (count: number): string => (jobs === 0 ? '' : bar(count / jobs, 20));
  const rows: readonly (readonly [what: string, count: number])[] = [
    ['came, over all nights', jobs],
    ['too large for the pool', inadmissible],
    ['refused for want of tokens', refused],
    ['not reached in time', notReached],
    ['admitted', admitted],
  ];
  return page(
    colours.bold(`${plainName(name)}: ${figures.counted(refused + inadmissible, 'refusal')}`),
    table(
      [{ head: 'jobs', align: 'left' }, { head: '' }, { head: '', align: 'left' }],
      rows.map(([what, count]) => [what, figures.count(count), share(count)]),
      colours.dim,
    ),
    changes === null
      ? undefined
      : [
          colours.bold('The smallest change of each kind after which nobody is refused, as played'),
          ...changeLines(changes),
        ].join('\n'),
  );
}

function changeLines({ tokens, envelopePercent, lanes, order }: SmallestChanges): readonly string[] {
  const number = (
    what: string,
    change: SmallestChange<number> | undefined,
    says: (value: number) => string,
  ): string => {
    if (change == null) return line(what, 'no such change helps');
    const { from, to, doneThen, refusedBefore } = change;
    return line(
      what,
      `${says(to)} instead of ${says(from)}: ${figures.count(doneThen)} done; one step short of that, ${figures.counted(refusedBefore, 'job')} would still be refused`,
    );
  };
  return [
    number('tokens', tokens, (value) => figures.count(value)),
    number('envelopes', envelopePercent, (value) => `${figures.count(value)}% of what they are`),
    number('lanes', lanes, (value) => figures.count(value)),
    line(
      'order',
      order == null
        ? 'no other order helps'
        : `${order.to} instead of ${order.from}: ${figures.count(order.doneThen)} done`,
    ),
  ];
}

function line(what: string, says: string): string {
  return paragraph(says, `  ${what.padEnd(12)}`, ' '.repeat(14));
}
