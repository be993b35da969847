// Chart 9: how many jobs a night could carry by each thing that may run out, beside how many come. The
// shortest bar is the one worth paying for.

import type { BoundName } from '../capacity-bounds.ts';
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

export const BOUND_NAMES: Readonly<Record<BoundName, string>> = {
  lanes: 'lanes and time',
  pool: 'token pool',
  writers: 'checkpoint writers',
  provider: 'provider limits',
};

/** As the subject of a sentence, and whether there are several of it. */
const SUBJECTS: Readonly<Record<BoundName, readonly [subject: string, isMany: boolean]>> = {
  lanes: ['Lanes and time', true],
  pool: ['The token pool', false],
  writers: ['The checkpoint writers', true],
  provider: ["The provider's rate limits", true],
};

/** A bar that would dwarf the shortest one and the jobs is drawn torn off. */
const MOST_TIMES = 2.2;

export function capacityChart(context: ReportContext): Chart | undefined {
  const { summary, figures } = context;
  const { bounds } = summary.findings.capacity;
  if (summary.plan.worstCase.items === 0 || bounds.length === 0) return undefined;
  const { leftPx, texts } = rowNames(bounds.map(({ name }) => BOUND_NAMES[name]));
  return chart({
    name: 'capacity',
    finding: capacityFinding(context),
    reading:
      'Bars: what each part alone could carry on an average night. Orange: the part that runs out first.',
    description: `Jobs a night by what carries them: ${bounds.map(({ name, jobsPerNight }) => `${BOUND_NAMES[name]} ${figures.whole(jobsPerNight)}`).join(', ')}. ${figures.counted(summary.plan.worstCase.items, 'job')} on the first night, ${figures.count(summary.plan.arrivalsPerNight)} on each later one.`,
    heightPx: bounds.length * 40,
    leftPx,
    abovePx: 26,
    layer: layers(texts, plotWidthPx(leftPx), context),
  });
}

export function capacityFinding({ summary, figures }: ReportContext): string {
  const { worstCase, arrivalsPerNight } = summary.plan;
  const { binding, smallest, carriedLater, backlogGrows } = summary.findings.capacity;
  if (binding === null || worstCase.items === 0) return '';
  const [subject, isMany] = SUBJECTS[binding];
  const carries = smallest ?? 0;
  if (carries >= worstCase.items) {
    const enough = Math.floor(carries) > worstCase.items ? 'more than' : 'just enough for';
    return `${subject} would be the first limit, at about ${figures.whole(carries)} jobs a night: ${enough} the ${figures.count(worstCase.items)} that come`;
  }
  const limit = `${subject} ${isMany ? 'are' : 'is'} the first limit, at about`;
  const isEveryNight = worstCase.items === arrivalsPerNight;
  if (backlogGrows && (isEveryNight || summary.scenario.nights === 1)) {
    return `${limit} ${figures.whole(carries)} jobs a night, and ${figures.count(arrivalsPerNight)} arrive every night`;
  }
  const first = `${limit} ${figures.whole(carries)} jobs a night: too few for the ${figures.count(worstCase.items)} of the first night`;
  if (summary.scenario.nights === 1 || arrivalsPerNight === 0) return first;
  const later = `the ${figures.count(arrivalsPerNight)} of each later one`;
  if (backlogGrows) return `${first}; of ${later} about ${figures.whole(carriedLater)} are carried`;
  // A bound is told for the first night's mix of jobs; later nights may bring lighter ones.
  return carries >= arrivalsPerNight
    ? `${first}, enough for ${later}`
    : `${first}; ${later} are lighter, and fit`;
}

function layers(names: readonly string[], widthPx: number, context: ReportContext): Layer[] {
  const { summary, figures } = context;
  const { worstCase } = summary.plan;
  const { binding, bounds, smallest } = summary.findings.capacity;
  const carries = smallest ?? 0;
  const longest = bounds.reduce((most, { jobsPerNight }) => Math.max(most, jobsPerNight), 1);
  const end = Math.max(1, Math.min(longest * 1.35, Math.max(carries, worstCase.items) * MOST_TIMES));
  const values = bounds.map(({ name, jobsPerNight: jobs }, row): Row => {
    const torn = jobs > end;
    const first = name === binding ? ', the first limit' : '';
    const label = `${figures.whole(jobs)}${first}${torn ? ' ►' : ''}`;
    return {
      row,
      name: names[row] ?? '',
      jobs: torn ? end : jobs,
      label,
      inside: isInside({
        barPx: (Math.min(jobs, end) / end) * widthPx,
        labelPx: textWidthPx(label, { sizePx: LABEL_PX, bold: true }) * 1.1 + 12,
        widthPx,
        linesPx: [worstCase.items, summary.plan.arrivalsPerNight].map((come) => (come / end) * widthPx),
      }),
      colour: name === binding ? COLOUR.orange : COLOUR.skyBlue,
    };
  });
  const y = rowsBy('row', bounds.length);
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

/** A label stands in its bar where it fits, unless a line strikes it through there and not behind the bar. */
function isInside(place: {
  readonly barPx: number;
  readonly labelPx: number;
  readonly widthPx: number;
  readonly linesPx: readonly number[];
}): boolean {
  const { barPx, labelPx, widthPx, linesPx } = place;
  if (labelPx >= barPx) return false;
  if (barPx + labelPx > widthPx) return true;
  const isStruck = (fromPx: number): boolean =>
    linesPx.some((px) => px > 0 && fromPx <= px && px <= fromPx + labelPx);
  return !isStruck(barPx - labelPx) || isStruck(barPx);
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
