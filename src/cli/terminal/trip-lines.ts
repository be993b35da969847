// The trip conditions that a run tripped, a line each: whose, by how much, when, and what to do about it.

import { plainFigures as figures } from '../../report/figures.ts';
import { shortName } from '../../report/names.ts';
import type { TripSignal } from '../../worker/trip-settings.ts';
import type { NightResult, TripResult } from '../../world/run-result.ts';
import { paragraph } from './layout.ts';
import { mark } from './phrases.ts';
import type { Colours } from './terminal.ts';

export const SIGNAL_WORDS: Readonly<Record<TripSignal, string>> = {
  'refusal-rate': 'refusal rate',
  'unspent-ratio': 'unspent',
  overspend: 'overspend',
  'queue-age': 'queue age',
};

const MOST = 12;

/** Each signal and class once, in order of their first nights; undefined where nothing tripped. */
export function tripLines(nights: readonly NightResult[], colours: Colours): string | undefined {
  const { bold, dim } = colours;
  const firsts = new Map<string, { readonly night: number; readonly trip: TripResult; count: number }>();
  for (const { night, trips } of nights) {
    for (const trip of trips) {
      const key = `${trip.signal} ${trip.class ?? ''}`;
      const known = firsts.get(key);
      if (known === undefined) firsts.set(key, { night, trip, count: 1 });
      else known.count += 1;
    }
  }
  if (firsts.size === 0) return undefined;
  const lines = [...firsts.values()].slice(0, MOST).flatMap(({ night, trip, count }) => {
    const { signal, class: ofClass, pool, figure, threshold, atMs, action } = trip;
    const whose = shortName(ofClass ?? pool ?? '');
    const when = `night ${figures.count(night)}, after ${figures.duration(atMs)}`;
    const often =
      nights.length === 1 ? '' : `; in ${figures.count(count)} of ${figures.counted(nights.length, 'night')}`;
    return [
      paragraph(
        `${SIGNAL_WORDS[signal]} of ${whose}: ${figures.percent(figure)}, above ${figures.percent(threshold)} (${when}${often})`,
        `  ${mark(false, colours)} `,
        '    ',
      ),
      dim(paragraph(action, '    ')),
    ];
  });
  const more = firsts.size > MOST ? [`  ${figures.count(firsts.size - MOST)} more are in --json.`] : [];
  return [bold('Trip conditions'), ...lines, ...more].join('\n');
}
