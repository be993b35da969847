// What the length of a lease costs, length by length: left, jobs that are done twice because a lease ran out
// under a living worker; right, tokens that dead workers keep from everybody, times the minutes.

import type { LeaseLength } from '../../study/lease-lengths.ts';
import type { LeaseStudy } from '../../study/report-studies.ts';
import { roundedTo } from '../figures.ts';
import type { ReportContext } from '../report-context.ts';
import { COLOUR } from '../theme.ts';
import {
  type Chart,
  chart,
  type Layer,
  NAME_MARK,
  type Position,
  position,
  type Row,
  rowNames,
  rowsBy,
} from './chart.ts';

/** The picture's width is shared between two panels, in parts of it; a bar leaves room for its figure. */
const LEFT = { from: 0, to: 0.3 } as const;
const RIGHT = { from: 0.5, to: 0.8 } as const;

interface Panel {
  readonly from: number;
  readonly to: number;
  readonly head: string;
  readonly colour: string;
  of(length: LeaseLength): number;
  label(length: LeaseLength): string;
}

export function leasesChart(context: ReportContext): Chart | undefined {
  const leases = context.summary.studies?.leases ?? null;
  if (leases === null || leases.lengths.every(isFree)) return undefined;
  const { figures } = context;
  const names = leases.lengths.map(
    ({ leaseMs }) => `${figures.duration(leaseMs)}${leases.ownMs === leaseMs ? ', as it is' : ''}`,
  );
  const { leftPx, texts } = rowNames(names);
  const means =
    leases.replications > 1
      ? ` Means of ${figures.counted(leases.replications, 'replication')}, each length with the same draws.`
      : ' Each length played once, with the same draws.';
  return chart({
    name: 'leases',
    finding: leasesFinding(context),
    reading: `By length of lease. Left: jobs taken up while another worker was still at work on them. Right: tokens in holds of workers that are gone × the minutes that they lay there.${means}`,
    description: `${leases.lengths.map((one, row) => `${names[row]}: ${figures.count(one.duplicatedJobs)} done twice, ${figures.tokens(one.strandedTokenMinutes)} token-minutes stranded, ${figures.count(one.done)} done`).join('; ')}.`,
    heightPx: leases.lengths.length * 34,
    leftPx,
    abovePx: 26,
    belowPx: 12,
    layer: layers(leases, texts, context),
  });
}

function isFree({ duplicatedJobs, strandedTokenMinutes }: LeaseLength): boolean {
  return duplicatedJobs === 0 && strandedTokenMinutes === 0;
}

export function leasesFinding({ summary, figures }: ReportContext): string {
  const leases = summary.studies?.leases ?? null;
  const own = leases?.lengths.find(({ leaseMs }) => leaseMs === leases.ownMs);
  if (leases === null || own === undefined) return '';
  const twice = (jobs: number): string => `${figures.counted(jobs, 'job')} done twice`;
  const ownLength = figures.duration(own.leaseMs);
  const shorter = leases.lengths.filter(
    (one) => one.leaseMs < own.leaseMs && one.duplicatedJobs <= own.duplicatedJobs,
  );
  const freer = best(shorter, own);
  if (freer !== undefined) {
    const safe = own.duplicatedJobs === 0 ? 'no job done twice' : `no more than ${twice(own.duplicatedJobs)}`;
    return `Leases of ${figures.duration(freer.leaseMs)} would strand ${figures.tokens(freer.strandedTokenMinutes)} token-minutes instead of ${figures.tokens(own.strandedTokenMinutes)}, with ${safe}`;
  }
  const calmer = leases.lengths.find(
    (one) => one.leaseMs > own.leaseMs && one.duplicatedJobs < own.duplicatedJobs,
  );
  if (calmer !== undefined) {
    return `Leases of ${ownLength} run out under living workers, ${twice(own.duplicatedJobs)}; of ${figures.duration(calmer.leaseMs)}, ${figures.count(calmer.duplicatedJobs)}`;
  }
  const rest = own.duplicatedJobs === 0 ? 'no job is done twice' : twice(own.duplicatedJobs);
  return `Leases of ${ownLength} are well chosen among these: ${rest}, and none that is as safe strands fewer tokens`;
}

/** The one that strands least, if that is less than what the own length strands. */
function best(lengths: readonly LeaseLength[], own: LeaseLength): LeaseLength | undefined {
  return lengths
    .filter((one) => one.strandedTokenMinutes < own.strandedTokenMinutes)
    .toSorted((one, other) => one.strandedTokenMinutes - other.strandedTokenMinutes)[0];
}

function layers(
  { lengths, ownMs }: LeaseStudy,
  names: readonly string[],
  { figures }: ReportContext,
): Layer[] {
  const panels: readonly Panel[] = [
    {
      ...LEFT,
      head: 'jobs done twice',
      colour: COLOUR.vermillion,
      of: ({ duplicatedJobs }) => duplicatedJobs,
      label: ({ duplicatedJobs }) => figures.count(duplicatedJobs),
    },
    {
      ...RIGHT,
      head: 'token-minutes stranded',
      colour: COLOUR.orange,
      of: ({ strandedTokenMinutes }) => strandedTokenMinutes,
      label: ({ strandedTokenMinutes }) => figures.tokens(strandedTokenMinutes),
    },
  ];
  const y = rowsBy('row', lengths.length);
  const own = lengths.findIndex(({ leaseMs }) => leaseMs === ownMs);
  return [
    {
      data: { values: [{ row: own, from: 0, to: 1 }] },
      mark: { type: 'bar', height: { band: 0.94 }, color: COLOUR.pale },
      encoding: { y, x: share('from'), x2: { field: 'to' } },
    },
    ...panels.flatMap((panel) => panelLayers(panel, lengths, y)),
    {
      data: { values: names.map((name, row): Row => ({ row, name })) },
      mark: NAME_MARK,
      encoding: { y, text: { field: 'name' } },
    },
  ];
}

/** Both panels lie on one axis, from 0 to 1, which is not drawn. */
function share(field: string): Position {
  return position(field, [0, 1], null);
}

function panelLayers(
  { from, to, head, colour, of, label }: Panel,
  lengths: readonly LeaseLength[],
  y: ReturnType<typeof rowsBy>,
): Layer[] {
  const most = lengths.reduce((a, one) => Math.max(a, of(one)), 0);
  const end = (length: LeaseLength): number =>
    most === 0 ? from : roundedTo(from + (of(length) / most) * (to - from), 4);
  return [
    {
      data: {
        values: lengths.map((length, row): Row => ({ row, from, to: end(length), label: label(length) })),
      },
      layer: [
        {
          mark: { type: 'bar', height: { band: 0.56 }, color: colour },
          encoding: { y, x: share('from'), x2: { field: 'to' } },
        },
        {
          mark: { type: 'text', align: 'left', dx: 6, fontWeight: 'bold' },
          encoding: { y, x: share('to'), text: { field: 'label' } },
        },
      ],
    },
    {
      data: { values: [{ from, head }] },
      layer: [
        { mark: { type: 'rule', color: COLOUR.axis }, encoding: { x: share('from') } },
        {
          mark: { type: 'text', align: 'left', y: -10, fontWeight: 'bold' },
          encoding: { x: share('from'), text: { field: 'head' } },
        },
      ],
    },
  ];
}
