// Nights in as many rows as a picture can hold: single ones, or groups of consecutive nights, each with
// the averages of its nights.

import type { NightResult, OutcomeCounts } from '../../world/run-result.ts';
import { roundedTo } from '../figures.ts';
import { pendingAfter } from '../verdict.ts';

/** With seven outcomes and the backlog each, 24 rows stay below 200 points of data. */
const MOST_GROUPS = 24;

export interface NightGroup {
  /** `night 3`, or `nights 18–34`. */
  readonly label: string;
  readonly counts: OutcomeCounts;
  readonly pending: number;
}

export function nightGroups(nights: readonly NightResult[]): readonly NightGroup[] {
  const size = Math.max(1, Math.ceil(nights.length / MOST_GROUPS));
  const groups: NightGroup[] = [];
  for (let start = 0; start < nights.length; start += size) {
    groups.push(groupOf(nights.slice(start, start + size)));
  }
  return groups;
}

function groupOf(nights: readonly NightResult[]): NightGroup {
  const first = nights[0]?.night ?? 0;
  const last = nights.at(-1)?.night ?? first;
  const mean = (of: (night: NightResult) => number): number => {
    const exact = nights.reduce((total, night) => total + of(night), 0) / nights.length;
    return roundedTo(exact, exact < 10 ? 1 : 0);
  };
  return {
    label: first === last ? `night ${first}` : `nights ${first}–${last}`,
    counts: {
      jobs: mean((night) => night.jobs),
      done: mean((night) => night.done),
      deferred: mean((night) => night.deferred),
      refused: mean((night) => night.refused),
      inadmissible: mean((night) => night.inadmissible),
      failed: mean((night) => night.failed),
      unknown: mean((night) => night.unknown),
      lostWrites: mean((night) => night.lostWrites),
    },
    pending: mean(pendingAfter),
  };
}
