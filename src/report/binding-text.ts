// The reasons in plain words, as a clause that goes on from what was left.

import type { Binding, FailedEnd } from './binding.ts';

export const FAILED_WORDS: Readonly<Record<FailedEnd, string>> = {
  limited: 'refusals by the rate limits (HTTP 429)',
  outage: 'server errors while the provider was down',
  error: 'server errors',
  timeout: 'calls that took longer than they were granted',
  invalid: 'unusable answers',
  unpaid: 'calls that the pool could not pay to their end',
  other: 'calls that failed in other ways',
  unheard: 'calls whose worker was gone, or hung, before they ended',
};

const REASONS: Readonly<Record<Exclude<Binding, 'retries'>, readonly [what: string, became: string]>> = {
  tokens: ['tokens ran out', 'was refused for want of them'],
  time: ['time ran out', 'was not reached before the window closed'],
  waiting: ['time ran out while lanes waited for tokens that other jobs held', 'was put off for that'],
  stranded: [
    'time ran out while lanes waited for tokens that crashed workers still held',
    'was put off for that',
  ],
  envelope: ['envelopes are too large', 'reserves more tokens than the whole pool holds'],
  holds: [
    'workers lost their claims on jobs',
    'was in the hands of another worker, or its lease had run out',
  ],
  ledger: ['the token ledger did not answer', 'was put off for that'],
  store: ['the checkpoint store took no writes', 'was held up or lost by that'],
  shed: ['a trip condition stopped admission', 'was put off for that'],
  crash: ['workers crashed', 'was under way in them, or put off for the time that they were gone'],
  kill: ['the kill came first', 'was cut off by it'],
};

/** `time ran out: most of what was left was not reached before the window closed` */
export function bindingText(bound: {
  readonly binds: Binding | null;
  readonly bindsShare: number | null;
  readonly usedUpOn: readonly FailedEnd[];
}): string {
  const { binds, bindsShare, usedUpOn } = bound;
  if (binds === null) return 'nothing stood in the way';
  const part = partOf(bindsShare ?? 0);
  if (binds !== 'retries') {
    const [what, became] = REASONS[binds];
    return `${what}: ${part} ${became}`;
  }
  const words = usedUpOn.map((end) => FAILED_WORDS[end]);
  const on = words.length === 0 ? '' : `, mostly on ${words.join(' and ')}`;
  return `calls to the provider failed: ${part} had used up its attempts${on}`;
}

function partOf(share: number): string {
  if (share >= 1) return 'all that was left';
  return share > 0.5 ? 'most of what was left' : 'the largest part of what was left';
}
