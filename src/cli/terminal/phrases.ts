// Words that plan and run share.

import { plainFigures as figures } from '../../report/figures.ts';
import { plainName } from '../../report/names.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Colours } from './terminal.ts';

export function mark(isWell: boolean, { green, red }: Colours): string {
  return isWell ? green('✓') : red('✗');
}

/** The setting in one line: nights, window, lanes, pool, seed. */
export function scenarioLine({ nights, window, lanes, pool, policy, seed }: Scenario): string {
  const admission = policy.admission === 'envelope' ? '' : ` behind a shared counter`;
  const tokens =
    pool === undefined ? 'no token pool' : `a pool of ${figures.tokens(pool.capacity)} tokens${admission}`;
  const timeouts = policy.timeouts === 'fixed' ? ', fixed timeouts' : '';
  return `${figures.counted(nights, 'night')} of ${figures.duration(window.lastsMs)}, ${figures.counted(lanes, 'lane')}, ${tokens}${timeouts}; seed ${plainName(seed)}`;
}
