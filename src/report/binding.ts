// Why jobs were not done in their night: the commonest reason of all nights, told from what was played. One
// reason hides behind many outcomes, and one outcome has many reasons.

import type { NightResult } from '../world/run-result.ts';
import type { AttemptCounts, AttemptEnd } from './trouble-series.ts';
import type { Played } from './verdict.ts';

export type Binding =
  | 'tokens'
  | 'envelope'
  | 'time'
  /** Time ran out while lanes waited for tokens that others held … */
  | 'waiting'
  /** … some of which workers held that were gone. */
  | 'stranded'
  | 'retries'
  | 'holds'
  | 'ledger'
  | 'store'
  | 'shed'
  | 'crash'
  | 'kill';

export interface Bound {
  readonly binds: Binding;
  /** Of all jobs that were not done in their night, counted once for each night: above 0 up to 1. */
  readonly share: number;
}

/** Null where every night's jobs were all final. */
export function boundOf({ run: { nights }, series }: Played): Bound | null {
  const { waits, losses } = series;
  const cause = (name: keyof NightResult['deferCauses']): number =>
    sum(nights, (night) => night.deferCauses[name] ?? 0);
  const late = cause('out-of-time') + cause('not-reached');
  const counts: readonly (readonly [Binding, number])[] = [
    ['tokens', sum(nights, (night) => night.refused) + cause('not-extended')],
    ['time', late - waits.waiting - waits.ledger - waits.store - waits.down],
    ['waiting', waits.waiting - waits.stranded],
    ['stranded', waits.stranded],
    ['envelope', sum(nights, (night) => night.inadmissible)],
    ['retries', cause('attempts-used-up')],
    ['holds', cause('hold-lost') + cause('claimed-elsewhere')],
    ['ledger', cause('ledger-unavailable') + waits.ledger],
    ['store', cause('checkpoint-failed') + losses.answers.store + waits.store],
    ['shed', cause('shed')],
    ['crash', losses.calls.crash + losses.answers.crash + waits.down],
    ['kill', losses.calls.kill + losses.answers.kill],
  ];
  const all = counts.reduce((total, [, jobs]) => total + jobs, 0);
  const [binds, most] = counts.reduce((first, next) => (next[1] > first[1] ? next : first));
  return most === 0 ? null : { binds, share: most / all };
}

/** What a job's attempts came to, where they came to nothing. */
export type FailedEnd = Exclude<AttemptEnd, 'answered'>;

export const FAILED_ENDS: readonly FailedEnd[] = [
  'limited',
  'outage',
  'error',
  'timeout',
  'invalid',
  'unpaid',
  'other',
  'unheard',
];

/** A second kind is worth a word if it makes this much of them. */
const WORTH_A_WORD = 0.25;

/** The kinds that made most of these attempts come to nothing, the commonest first: none, one or two. */
export function mainEnds(attempts: AttemptCounts): readonly FailedEnd[] {
  const all = FAILED_ENDS.reduce((total, end) => total + attempts[end], 0);
  const [first, second] = FAILED_ENDS.toSorted((one, other) => attempts[other] - attempts[one]);
  if (first === undefined || all === 0) return [];
  return second !== undefined && attempts[second] >= WORTH_A_WORD * all ? [first, second] : [first];
}

function sum(nights: readonly NightResult[], of: (night: NightResult) => number): number {
  return nights.reduce((total, night) => total + of(night), 0);
}
