// The drift by cause, a line each, as run and replay-night tell it.

import { plainFigures as figures } from '../../report/figures.ts';
import type { DriftCauses } from '../../world/run-result.ts';
import type { Colours } from './terminal.ts';

const CAUSES: Readonly<Record<keyof DriftCauses, string>> = {
  overspend: 'used beyond envelopes',
  lateShortfall: 'settled too late to be debited',
  chargedNotSpent: 'charged in full, and not spent',
  estimatedUsage: 'estimated, for want of an answer that told it',
  abandonedCalls: 'billed for calls without an answer',
  hiddenCalls: 'billed for calls that the client made by itself',
  neverSettled: 'billed under holds that were never settled',
  corrected: 'corrected after the bill',
  stillOpen: 'billed under holds that are still open',
};

/** The greatest first; none where there is no drift. */
export function driftLines(causes: DriftCauses, { dim }: Colours): readonly string[] {
  return (Object.keys(CAUSES) as (keyof DriftCauses)[])
    .filter((cause) => causes[cause] !== 0)
    .toSorted((one, other) => Math.abs(causes[other]) - Math.abs(causes[one]))
    .map((cause) => `    ${figures.difference(causes[cause]).padStart(14)}  ${dim(CAUSES[cause])}`);
}
