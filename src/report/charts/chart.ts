// A chart is a finding, a description for whoever cannot see it, and a Vega-Lite spec with its data
// inside. Here is what all specs share: size, theme, titles broken into lines.

import type { TopLevelSpec } from 'vega-lite';
import { fitText, type TextStyle, textWidthPx, wrapText } from '../text-width.ts';
import {
  BELOW_PX,
  COLOUR,
  EDGE_PX,
  LABEL_PX,
  PICTURE_WIDTH_PX,
  RIGHT_PX,
  SUBTITLE_PX,
  THEME,
  TITLE_PX,
  TITLE_WIDTH_PX,
} from '../theme.ts';

export interface Chart {
  /** The file's name without its ending: `outcomes`. */
  readonly name: string;
  /** What the data shows, in one sentence: the title. */
  readonly finding: string;
  /** How the picture is built and what it shows, for a reader who does not see it. */
  readonly description: string;
  /** With its data inside: at most 200 rows over all layers. */
  readonly spec: TopLevelSpec;
}

type LayerSpec = Extract<TopLevelSpec, { layer: unknown }>;
export type Layer = LayerSpec['layer'][number];

export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A position along a continuous axis, with its ends stated: two layers never disagree about a scale. */
export interface Position {
  field: string;
  type: 'quantitative';
  scale: { domain: number[]; nice: false; zero: false; reverse?: boolean };
  axis: PositionAxis | null;
}

interface PositionAxis {
  title: string;
  titleAngle?: number;
  titleAlign?: 'left';
  titleAnchor?: 'end';
  titleBaseline?: 'bottom';
  titleX?: number;
  titleY?: number;
  format?: string;
  tickMinStep?: number;
  values?: number[];
  labelExpr?: string;
}

export function position(
  field: string,
  domain: readonly [number, number],
  axis: PositionAxis | null,
): Position {
  return { field, type: 'quantitative', scale: { domain: [...domain], nice: false, zero: false }, axis };
}

/** A cross, as a symbol of the size of a circle. */
export const CROSS = 'M-0.8,-0.8L0.8,0.8M0.8,-0.8L-0.8,0.8';

/** Room for a vertical axis of numbers. */
export const AXIS_LEFT_PX = 60;

/** A vertical axis whose title lies above it, where it reads without turning the head. */
export function upright(title: string, format?: string): PositionAxis {
  return {
    title,
    titleAngle: 0,
    titleAlign: 'left',
    titleAnchor: 'end',
    titleBaseline: 'bottom',
    titleX: EDGE_PX - AXIS_LEFT_PX,
    titleY: -8,
    ...(format === undefined ? {} : { format }),
  };
}

/** A row for each number in `field`, from 0. Names are drawn by `rowNames`, which knows how wide they are. */
export interface Rows {
  field: string;
  type: 'ordinal';
  scale: { domain: number[]; paddingInner: number; paddingOuter: number };
  axis: null;
}

export function rowsBy(field: string, count: number): Rows {
  const domain = Array.from({ length: count }, (_, row) => row);
  return { field, type: 'ordinal', scale: { domain, paddingInner: 0, paddingOuter: 0 }, axis: null };
}

const NAME: TextStyle = { sizePx: LABEL_PX };
const WIDEST_NAME_PX = 190;
const NAME_GAP_PX = 8;

/** Names to the left of their rows, and the room that they need. */
export function rowNames(names: readonly string[]): {
  readonly leftPx: number;
  readonly texts: readonly string[];
} {
  const texts = names.map((name) => fitText(name, NAME, WIDEST_NAME_PX));
  const widest = texts.reduce((most, text) => Math.max(most, textWidthPx(text, NAME)), 0);
  return { leftPx: Math.ceil(EDGE_PX + widest * 1.08 + NAME_GAP_PX), texts };
}

/** The mark of a row's name; its layer brings `y` and `text`. */
export const NAME_MARK = { type: 'text', x: -NAME_GAP_PX, align: 'right' } as const;

export function chart(parts: {
  readonly name: string;
  readonly finding: string;
  /** How to read it, in small print under the finding. */
  readonly reading: string;
  readonly description: string;
  readonly heightPx: number;
  /** Room for row names or an axis. */
  readonly leftPx: number;
  /** Room between title and plot. */
  readonly abovePx: number;
  /** Room for an axis and its title; less where there is none. */
  readonly belowPx?: number;
  readonly layer: Layer[];
}): Chart {
  const { name, finding, reading, description, heightPx, leftPx, abovePx, layer } = parts;
  const { belowPx = BELOW_PX } = parts;
  const text = wrapText(finding, { sizePx: TITLE_PX, bold: true }, TITLE_WIDTH_PX);
  const subtitle = wrapText(reading, { sizePx: SUBTITLE_PX }, TITLE_WIDTH_PX);
  return {
    name,
    finding,
    description,
    spec: {
      $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
      description: `${finding}. ${description}`,
      title: { text, subtitle, dx: EDGE_PX - leftPx, offset: 0 },
      width: plotWidthPx(leftPx),
      height: heightPx,
      autosize: 'none',
      padding: {
        left: leftPx,
        right: RIGHT_PX,
        top: EDGE_PX + text.length * 20 + subtitle.length * 16 + 4 + abovePx,
        bottom: belowPx,
      },
      config: THEME,
      layer: [headroom(abovePx, plotWidthPx(leftPx) + 4), ...layer],
    },
  };
}

/** Vega puts a title above all that is drawn; this mark, white on white at the edge, says how high that is. */
function headroom(abovePx: number, x: number): Layer {
  return {
    data: { values: [{}] },
    mark: { type: 'rect', x, x2: x + 1, y: -abovePx, y2: 0, color: COLOUR.paper },
    encoding: {},
  };
}

export function plotWidthPx(leftPx: number): number {
  return PICTURE_WIDTH_PX - leftPx - RIGHT_PX;
}
