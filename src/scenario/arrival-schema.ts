// How the jobs of a class come: all at an opening, one by one at some rate, or when a file says; and how many
// more or fewer on which days.

import { z } from 'zod';
import { parseNumber } from '../base/units.ts';
import { WEEKDAYS, type Weekday } from './civil-day.ts';
import { type DistributionSpec, durationDistribution } from './distribution-schema.ts';
import {
  count,
  oneOf,
  percent,
  plainNumber,
  refuse,
  type SchemaProblem,
  strictMap,
  text,
  unknownWord,
} from './quantity-schema.ts';
import { shaped } from './shape-schema.ts';

/** Weights by time of day, as written: `08:00`. */
type ProfileSpec = Readonly<Record<string, number>>;

export type ArriveSpec =
  | { readonly kind: 'every-night' | 'first-night' }
  /** Arrivals a millisecond. */
  | { readonly kind: 'poisson'; readonly rate: number; readonly profile: ProfileSpec | undefined }
  | { readonly kind: 'gaps'; readonly gaps: DistributionSpec; readonly profile: ProfileSpec | undefined }
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly column: string;
      readonly unit: TimestampUnit | undefined;
    };

export const TIMESTAMP_UNITS = { ms: 1, s: 1000 } as const;
type TimestampUnit = keyof typeof TIMESTAMP_UNITS;

export interface VolumeSpec {
  readonly weekdays?: Readonly<Partial<Record<Weekday, number | undefined>>> | undefined;
  readonly monthEnd?: { readonly days: number; readonly factor: number } | undefined;
  readonly holidays?: number | undefined;
}

const PER = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const RATE = /^\s*(\S+)\s+per\s+(\w+)\s*$/;
/** More than this would be no queue but a flood; and so small a rate brings nothing in any run. */
const MOST_A_MS = 1_000;

/** Per millisecond; `120 per hour`. */
function rate(description: string) {
  const expected = 'a rate above 0 per second, minute, hour or day, such as 120 per hour';
  return z
    .string({ error: () => expected })
    .transform((written, context): number => {
      const [, size, unit] = RATE.exec(written) ?? [];
      if (size === undefined || unit === undefined) {
        return refuse(context, { code: 'wrong-type', message: 'this is no rate', expected });
      }
      const perMs = PER[unit as keyof typeof PER];
      if (!Object.hasOwn(PER, unit)) {
        const message = `there is no unit of time "${unit}" here`;
        return refuse(context, unknownWord('unknown-word', message, unit, Object.keys(PER)));
      }
      const number = parseNumber(size);
      if (!number.ok) return refuse(context, { ...number.problem, expected });
      const value = number.value / perMs;
      if (value > 0 && value <= MOST_A_MS) return value;
      const message = value > 0 ? 'this is too much' : 'at this rate nobody ever comes';
      return refuse(context, { code: 'out-of-range', message, expected });
    })
    .meta({ description, pattern: '^\\s*\\S+\\s+per\\s+(second|minute|hour|day)\\s*$' });
}

const profile = z
  .record(z.string(), plainNumber('How much comes from then on, in proportion to the others.'), {
    error: () => 'a map such as { "00:00": 1, "08:00": 6, "18:00": 2 }',
  })
  .describe(
    'How arrivals are spread over the day: from each time of day on, its weight; the day as a whole stays as it is.',
  )
  .optional();

const words: z.ZodType<ArriveSpec> = oneOf(
  'every-night: at every opening; first-night: a backlog that comes once.',
  ['every-night', 'first-night'],
).transform((kind): ArriveSpec => ({ kind }));
const poisson: z.ZodType<ArriveSpec> = strictMap({
  poisson: rate('At this rate, each by itself.'),
  profile,
}).transform((written): ArriveSpec => ({ kind: 'poisson', rate: written.poisson, profile: written.profile }));
const gaps: z.ZodType<ArriveSpec> = strictMap({
  gaps: durationDistribution('From one arrival to the next.'),
  profile,
}).transform((written): ArriveSpec => ({ kind: 'gaps', gaps: written.gaps, profile: written.profile }));
const file: z.ZodType<ArriveSpec> = strictMap({
  file: text('A CSV file with a header line; relative to the scenario.'),
  column: text('The column with the moments: dates with times, or numbers with a unit.'),
  unit: oneOf('The unit of moments that are numbers.', ['ms', 's']).optional(),
}).transform(
  (written): ArriveSpec => ({
    kind: 'file',
    file: written.file,
    column: written.column,
    unit: written.unit,
  }),
);

const MARKS = { poisson, gaps, file } as const;
const KEYS = ['poisson', 'gaps', 'profile', 'file', 'column', 'unit'];

export const arriveSchema = shaped<ArriveSpec>({
  id: 'arrive',
  description: 'When its jobs come.',
  all: () => [words, poisson, gaps, file],
  pick: (written) => {
    if (typeof written !== 'object' || written === null || Array.isArray(written)) return words;
    const mark = Object.keys(MARKS).find((key) => Object.hasOwn(written, key));
    if (mark !== undefined) return MARKS[mark as keyof typeof MARKS];
    return noArrivals(Object.keys(written).find((key) => !['profile', 'column', 'unit'].includes(key)));
  },
});

function noArrivals(odd: string | undefined): { problem: SchemaProblem; path?: readonly string[] } {
  if (odd !== undefined) {
    const problem = unknownWord('unknown-key', `arrivals have no key "${odd}"`, odd, KEYS);
    return { problem, path: [odd] };
  }
  const expected =
    'every-night, first-night, { poisson: 120 per hour }, { gaps: … } or { file: …, column: … }';
  return { problem: { code: 'wrong-type', message: 'this says not how they come', expected } };
}

/** A factor; `300%`. */
const factor = (description: string) => percent(description, { upTo: 1_000 });

const weekdays = Object.fromEntries(
  WEEKDAYS.map((day) => [day, factor('On this day of the week.').optional()]),
) as unknown as { readonly [Day in Weekday]: z.ZodType<number | undefined> };

const volumeMap: z.ZodType<VolumeSpec> = strictMap({
  weekdays: strictMap(weekdays).describe('By day of the week; a day left out: 100%.').optional(),
  monthEnd: strictMap({
    days: count('The last so many days of each month.', { from: 1, upTo: 28 }).prefault(1),
    factor: factor('What they bring.'),
  })
    .describe('The end of the month.')
    .optional(),
  holidays: factor('On the days listed in window.holidays.').optional(),
});

export const volumeSchema = shaped<VolumeSpec>({
  id: 'volume',
  description: 'How many come on which days, of what the class says; the factors of a day multiply.',
  all: () => [volumeMap],
  pick: () => volumeMap,
});
