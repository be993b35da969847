// What the provider made of the calls, where it limits them or a client makes some by itself: figures that
// show in no outcome, since a refusal is only an attempt less.

import { plainFigures as figures } from '../../report/figures.ts';
import type { NightResult } from '../../world/run-result.ts';
import { paragraph } from './layout.ts';
import type { Colours } from './terminal.ts';

export function callLines(nights: readonly NightResult[], { bold }: Colours): string | undefined {
  const sum = (count: 'attempts' | 'rateLimited' | 'errors' | 'timeouts' | 'hiddenCalls') =>
    nights.reduce((total, night) => total + night[count], 0);
  if (sum('rateLimited') + sum('hiddenCalls') === 0) return undefined;
  const ends = [
    `${figures.count(sum('rateLimited'))} refused by the provider's limits`,
    `${figures.counted(sum('errors'), 'server error')}`,
    `${figures.counted(sum('timeouts'), 'timeout')}`,
  ];
  const hidden =
    sum('hiddenCalls') === 0
      ? ''
      : ` The client made ${figures.counted(sum('hiddenCalls'), 'call')} more by itself, which no attempt counts.`;
  return [
    bold('The calls'),
    paragraph(`${figures.counted(sum('attempts'), 'attempt')}, of them ${ends.join(', ')}.${hidden}`, '  '),
  ].join('\n');
}
