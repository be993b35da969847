// The trip conditions: which of them called the nights off track, when, and what to do about each.

import type { TripResult } from '../../world/run-result.ts';
import type { Chart } from '../charts/chart.ts';
import { firstTripsFinding } from '../charts/first-trips.ts';
import { SIGNAL_NAMES, tripsFinding } from '../charts/trips.ts';
import { type Block, blocks, heading, listing, paragraph, picture, table } from '../document.ts';
import { shortName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';
import { plimsollCommand } from '../shell.ts';

const MOST_ROWS = 12;

interface Tripped {
  readonly trip: TripResult;
  readonly night: number;
  nights: number;
}

export function tripsSection(
  context: ReportContext,
  chart: Chart | undefined,
  firstTrips: Chart | undefined,
): readonly Block[] | undefined {
  const all = tripped(context);
  if (chart === undefined && firstTrips === undefined && all.length === 0) return undefined;
  return blocks(
    heading(2, 'Trip conditions'),
    paragraph(
      `${tripsFinding(context)}.`,
      'The signals are watched by the code that a production worker runs; they are meant to be seen while something can still be done.',
      alertText(context),
      refusalText(all),
    ),
    picture(chart),
    all.length === 0 ? undefined : tripTable(all.slice(0, MOST_ROWS), context),
    all.length > MOST_ROWS ? paragraph('The others are in summary.json.') : undefined,
    firstTrips === undefined
      ? moreReplications(context)
      : paragraph(
          `${firstTripsFinding(context)}.`,
          'The same nights with other draws: a condition that trips in every one of them is no accident of this run.',
        ),
    picture(firstTrips),
  );
}

/** More than one run takes longer than a plain report may. */
function moreReplications({ summary }: ReportContext): readonly Block[] | undefined {
  if (summary.studies === null) return undefined;
  return [
    paragraph('All of this is one run. Over several, which trips first, and when:'),
    listing('sh', [plimsollCommand('report', [...summary.rerun, '--replications', '20'])]),
  ];
}

/** Each signal and class once, in order of its first time. */
function tripped({ summary }: ReportContext): readonly Tripped[] {
  const firsts = new Map<string, Tripped>();
  for (const { night, trips } of summary.run.nights) {
    for (const trip of trips) {
      const key = `${trip.signal} ${trip.class ?? ''}`;
      const known = firsts.get(key);
      if (known === undefined) firsts.set(key, { trip, night, nights: 1 });
      else known.nights += 1;
    }
  }
  return [...firsts.values()];
}

/** It counts more than was refused for the night. */
function refusalText(all: readonly Tripped[]): string {
  if (!all.some(({ trip }) => trip.signal === 'refusal-rate')) return '';
  return 'The refusal rate counts every job that found too few tokens free when it first asked, also those that only had to wait.';
}

function alertText({ summary }: ReportContext): string {
  if (!summary.run.nights.some(({ alerts }) => alerts.length > 0)) return '';
  return 'A class that used more than an envelope at least once is only an alert: its quantile allows for some.';
}

function tripTable(all: readonly Tripped[], { figures, className }: ReportContext): Block {
  return table(
    [
      { head: 'signal', align: 'left' },
      { head: 'of', align: 'left' },
      { head: 'nights' },
      { head: 'first in night' },
      { head: 'after' },
      { head: 'figure' },
      { head: 'at most' },
      { head: 'what to do', align: 'left' },
    ],
    all.map(({ trip, night, nights }) => [
      SIGNAL_NAMES[trip.signal],
      trip.class === null ? shortName(trip.pool ?? '') : className(trip.class),
      figures.count(nights),
      figures.count(night),
      figures.duration(trip.atMs),
      figures.percent(trip.figure),
      figures.percent(trip.threshold),
      trip.action,
    ]),
  );
}
