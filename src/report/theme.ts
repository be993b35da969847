// How every chart looks: one configuration, so that a chart's own file says only what it shows. Colours
// are Okabe and Ito's (2008), told apart with any colour vision; none of them carries a meaning alone.

import type { Config } from 'vega-lite';

/** The whole picture, from edge to edge: what a README column on a code host shows at full size. */
export const PICTURE_WIDTH_PX = 700;
export const TITLE_PX = 16;
export const SUBTITLE_PX = 12;
export const LABEL_PX = 12;
/** Lines of a title are broken earlier than the picture ends: fonts that stand in may run wider. */
export const TITLE_WIDTH_PX = 620;

const FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif";

/** One value for each role, so that a dark page can replace roles one by one (`DARK`). */
export const COLOUR = {
  orange: '#E69F00',
  skyBlue: '#56B4E9',
  green: '#009E73',
  yellow: '#F0E442',
  blue: '#0072B2',
  vermillion: '#D55E00',
  purple: '#CC79A7',
  /** Lines and ticks. */
  black: '#000000',
  /** What the kill took; its own black, since it carries text. */
  lost: '#1A1A1A',
  /** Text on a colour: it stays as it is whatever the page's colour. */
  onDark: '#FEFEFE',
  onLight: '#010101',
  onLost: '#FDFDFD',
  /** What is there but not spoken of: the window, what is free. */
  pale: '#DCE6EC',
  ink: '#222222',
  faint: '#5A5A5A',
  grid: '#E6E6E6',
  axis: '#8A8A8A',
  paper: '#FFFFFF',
} as const;

/** What a dark page draws in place of a colour; the others are told apart on dark as on white. */
export const DARK: readonly (readonly [colour: string, onDarkPage: string])[] = [
  [COLOUR.black, '#F2F2F2'],
  [COLOUR.lost, '#D0D0D0'],
  [COLOUR.onLost, '#000000'],
  [COLOUR.pale, '#2C3A45'],
  [COLOUR.ink, '#E6E6E6'],
  [COLOUR.faint, '#B4B4B4'],
  [COLOUR.grid, '#34393F'],
  [COLOUR.axis, '#8A9097'],
  [COLOUR.paper, '#1B1F24'],
  [COLOUR.blue, '#2B93D1'],
];

/** Around the plot, which begins where a chart's row names or axis end. */
export const EDGE_PX = 12;
export const RIGHT_PX = 18;
export const BELOW_PX = 46;

export const THEME: Config = {
  background: COLOUR.paper,
  font: FONT,
  // The picture as a whole has a description; a label on each of two hundred marks would only be noise.
  aria: false,
  view: { stroke: null },
  title: {
    anchor: 'start',
    frame: 'group',
    align: 'left',
    color: COLOUR.black,
    fontSize: TITLE_PX,
    fontWeight: 'bold',
    lineHeight: 20,
    subtitleColor: COLOUR.faint,
    subtitleFontSize: SUBTITLE_PX,
    subtitleLineHeight: 16,
    subtitlePadding: 4,
    limit: 0,
  },
  axis: {
    labelColor: COLOUR.ink,
    labelFontSize: LABEL_PX,
    labelLimit: 0,
    labelOverlap: false,
    titleColor: COLOUR.ink,
    titleFontSize: LABEL_PX,
    titleFontWeight: 'normal',
    titlePadding: 8,
    titleLimit: 0,
    gridColor: COLOUR.grid,
    domainColor: COLOUR.axis,
    tickColor: COLOUR.axis,
    tickCount: 6,
  },
  area: { opacity: 1 },
  text: { color: COLOUR.ink, fontSize: LABEL_PX },
};
