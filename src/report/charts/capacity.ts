// Chart 9: how many jobs a night could carry by each thing that may run out, beside how many come. The
// shortest bar is the one worth paying for.

import type { CapacityBound } from '../../plan/night-plan.ts';
import type { ReportContext } from '../report-context.ts';
import { textWidthPx } from '../text-width.ts';
import { COLOUR, LABEL_PX } from '../theme.ts';
import {
  type Chart,
  chart,
  type Layer,
  NAME_MARK,
  type Position,
  plotWidthPx,
  position,
  type Row,
  rowNames,
  rowsBy,
} from './chart.ts';

type BoundName = CapacityBound['name'];

export const BOUND_NAMES: Readonly<Record<BoundName, string>> = {
  lanes: 'lanes and time',
  pool: 'token pool',
  writers: 'checkpoint writers',
};

/** What a bound does in a sentence, without its "first". */
const BINDS: Readonly<Record<BoundName, readonly [subject: string, binds: string, bind: string]>> = {
  lanes: ['Lanes and time', 'bind', 'bind'],
  pool: ['The token pool', 'binds', 'bind'],
  writers: ['The checkpoint writers', 'bind', 'bind'],
};

/** A bar that would dwarf the shortest one and the jobs is drawn torn off. */
const MOST_TIMES = 2.2;

interface Limit {
  readonly name: BoundName;
  readonly jobs: number;
}

export function capacityChart(context: ReportContext): Chart | undefined {
  const { summary, figures } = context;
  const limits = limitsOf(context);
  if (summary.plan.binding === null || limits.length === 0) return undefined;
  const { leftPx, texts } = rowNames(limits.map(({ name }) => BOUND_NAMES[name]));
  return chart({
    name: 'capacity',
    finding: capacityFinding(context),
    reading:
      'Bars: what each part alone could carry on an average night. Orange: the part that runs out first.',
    description: `Jobs a night by what carries them: ${limits.map(({ name, jobs }) => `${BOUND_NAMES[name]} ${figures.whole(jobs)}`).join(', ')}. ${figures.counted(summary.plan.worstCase.items, 'job')} on the first night, ${figures.count(summary.plan.arrivalsPerNight)} on each later one.`,
    heightPx: limits.length * 40,
    leftPx,
    abovePx: 26,
    layer: layers(limits, texts, plotWidthPx(leftPx), context),
  });
}

export function capacityFinding({ summary, figures }: ReportContext): string {
  const { binding, worstCase, arrivalsPerNight, backlogGrows } = summary.plan;
  if (binding === null) return '';
  const [subject, binds, bind] = BINDS[binding];
  const carries = summary.findings.smallestBound ?? 0;
  const about = `about ${figures.whole(carries)} jobs a night`;
  if (backlogGrows) {
    return `${subject} ${binds} first, at ${about}, and ${figures.count(arrivalsPerNight)} arrive every night`;
  }
  if (carries >= worstCase.items) {
    return `${subject} would ${bind} first, at ${about}: more than the ${figures.count(worstCase.items)} that come`;
  }
  const first = `${subject} ${binds} first, at ${about}: too few for the ${figures.count(worstCase.items)} of the first night`;
  return summary.scenario.nights > 1 && arrivalsPerNight > 0
    ? `${first}, enough for the ${figures.count(arrivalsPerNight)} of each later one`
    : first;
}

function limitsOf({ summary }: ReportContext): readonly Limit[] {
  return summary.plan.bounds.flatMap(({ name, jobsPerNight }) =>
    jobsPerNight === null ? [] : [{ name, jobs: jobsPerNight }],
  );
}

function layers(
  limits: readonly Limit[],
  names: readonly string[],
  widthPx: number,
  context: ReportContext,
): Layer[] {
  const { summary, figures } = context;
  const { binding, worstCase } = summary.plan;
  const carries = summary.findings.smallestBound ?? 0;
  const longest = limits.reduce((most, { jobs }) => Math.max(most, jobs), 1);
  const end = Math.max(1, Math.min(longest * 1.35, Math.max(carries, worstCase.items) * MOST_TIMES));
  const values = limits.map(({ name, jobs }, row): Row => {
    const torn = jobs > end;
    const first = name === binding ? ', the first limit' : '';
    const label = `${figures.whole(jobs)}${first}${torn ? ' ►' : ''}`;
    return {
      row,
      name: names[row] ?? '',
      jobs: torn ? end : jobs,
      label,
      // Outside it would be struck through by a line.
      inside: textWidthPx(label, { sizePx: LABEL_PX, bold: true }) * 1.1 + 12 < (jobs / end) * widthPx,
      colour: name === binding ? COLOUR.orange : COLOUR.skyBlue,
    };
  });
  const y = rowsBy('row', limits.length);
  const x = (field: string): Position =>
    position(field, [0, end], { title: 'jobs a night', format: ',d', tickMinStep: 1 });
  return [
    {
      data: { values },
      layer: [
        {
          mark: { type: 'bar', height: { band: 0.62 } },
          encoding: { y, x: x('jobs'), color: { field: 'colour', type: 'nominal', scale: null } },
        },
        { mark: NAME_MARK, encoding: { y, text: { field: 'name' } } },
      ],
    },
    ...comingLayers(context, end, x),
    {
      data: { values },
      layer: [true, false].map(
        (inside): Layer => ({
          transform: [{ filter: `datum.inside === ${inside}` }],
          mark: {
            type: 'text',
            align: inside ? 'right' : 'left',
            dx: inside ? -6 : 6,
            fontWeight: 'bold',
            color: inside ? COLOUR.onLight : COLOUR.ink,
          },
          encoding: { y, x: x('jobs'), text: { field: 'label' } },
        }),
      ),
    },
  ];
}

/** Lines at the jobs of the first night and of each later one; one line where they are the same. */
function comingLayers(
  { summary, figures }: ReportContext,
  end: number,
  x: (field: string) => Position,
): Layer[] {
  const { worstCase, arrivalsPerNight } = summary.plan;
  const first = { jobs: worstCase.items, label: `${figures.count(worstCase.items)} come on the first night` };
  const later = { jobs: arrivalsPerNight, label: `${figures.count(arrivalsPerNight)} on later ones` };
  const isSame = worstCase.items === arrivalsPerNight || summary.scenario.nights === 1;
  const coming = isSame
    ? [{ jobs: worstCase.items, label: `${figures.count(worstCase.items)} come` }]
    : [...(arrivalsPerNight > 0 ? [later] : []), first];
  // The smaller number stands to the left of its line, so that two labels never meet.
  const lines = coming.map(({ jobs, label }, index): Row => {
    const isLeft = (index === 0 && coming.length === 2) || jobs > end * 0.6;
    return { jobs, label, align: isLeft && jobs > end * 0.25 ? 'right' : 'left', row: index };
  });
  const crowded = lines.length === 2 && lines.every(({ align }) => align === lines[0]?.align);
  return lines.map(({ row, ...line }): Layer => {
    const isRight = line.align === 'right';
    return {
      data: { values: [line] },
      layer: [
        { mark: { type: 'rule', color: COLOUR.black, strokeWidth: 1.5 }, encoding: { x: x('jobs') } },
        {
          mark: {
            type: 'text',
            align: isRight ? 'right' : 'left',
            dx: isRight ? -4 : 4,
            y: crowded && row === 1 ? -20 : -7,
          },
          encoding: { x: x('jobs'), text: { field: 'label' } },
        },
      ],
    };
  });
}
