// The one place where a number of the summary becomes text. Prose, tables and chart titles print through
// here and nowhere else, so a test can mark every figure and find any that did not come from the summary.

import { formatCount, formatDuration, formatPercent, formatTokens } from '../base/units.ts';

/** What stands where there is no figure. */
const NO_DATA = '–';

type Figure = number | null | undefined;

export interface Figures {
  /** `1,200` */
  count(value: Figure): string;
  /** `1,200` from 1200.9: as many as fit */
  whole(value: Figure): string;
  /** `1,200 jobs`, `1 job` */
  counted(value: Figure, one: string, many?: string): string;
  /** `14k` */
  tokens(value: Figure): string;
  /** `49 min 15 s`, from milliseconds */
  duration(ms: Figure): string;
  /** `95%`, from a fraction */
  percent(fraction: Figure): string;
  /** `+1,200`, `−12`, `±0` */
  difference(value: Figure): string;
  /** `p95`, from a quantile */
  quantile(p: Figure): string;
  /** `10_000_000`, as a program writes it */
  literal(value: Figure): string;
}

/** @param mark wraps each printed figure, given the value that it was printed from */
export function createFigures(mark: (text: string, value: number) => string = (text) => text): Figures {
  const print = (value: Figure, format: (value: number) => string): string => {
    if (value === null || value === undefined || Number.isNaN(value)) return NO_DATA;
    return mark(Number.isFinite(value) ? format(value) : 'unbounded', value);
  };
  const count = (value: Figure): string => print(value, (known) => formatCount(roundedTo(known, 1)));
  return {
    count,
    whole: (value) => print(value, (known) => formatCount(Math.floor(known))),
    counted: (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`,
    tokens: (value) => print(value, formatTokens),
    duration: (ms) => print(ms, formatDuration),
    percent: (fraction) => print(fraction, formatPercent),
    difference: (value) => print(value, signed),
    quantile: (p) => print(p, (known) => `p${roundedTo(known * 100, 4)}`),
    literal: (value) => print(value, (known) => String(known).replace(/\B(?=(\d{3})+$)/g, '_')),
  };
}

/** Figures as they are read, unmarked. */
export const plainFigures: Figures = createFigures();

function signed(value: number): string {
  if (value === 0) return '±0';
  return value > 0 ? `+${formatCount(value)}` : `−${formatCount(-value)}`;
}

/** To so many decimals, so that no tail of a division is printed or stored. */
export function roundedTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
