// When the scheduler lets the batch run: a window that opens every so often, or one at a time of day, in a
// time zone, from a date on.

import { z } from 'zod';
import { parseDay, parseTimeOfDay, unknownZone } from './civil-day.ts';
import { duration, flag, oneOf, refuse, type SchemaProblem, strictMap } from './quantity-schema.ts';
import { zoneNames } from './zone.ts';

/** `2026-03-29`. */
function day(description: string) {
  return written(parseDay, 'a date, such as 2026-03-29', description, '^\\d{4}-\\d{2}-\\d{2}$');
}

/** Milliseconds since midnight; `01:30`. */
function timeOfDay(description: string) {
  return written(parseTimeOfDay, 'a time of day, such as 01:30', description, '^\\s*\\d{1,2}:\\d{2}\\s*$');
}

/** The name of a time zone. */
export function zone(description: string) {
  const parse = (name: string) => {
    const known = zoneNames();
    return known.includes(name) ? name : unknownZone(name, known);
  };
  return written(parse, 'a time zone, such as Europe/Berlin', description);
}

function written<Value extends number | string>(
  parse: (text: string) => Value | SchemaProblem,
  expected: string,
  description: string,
  pattern?: string,
) {
  return z
    .string({ error: () => expected })
    .transform((text, context): Value => {
      const read = parse(text);
      return typeof read === 'object' ? refuse(context, read) : read;
    })
    .meta({ description, ...(pattern !== undefined && { pattern }) });
}

export const windowSchema = strictMap({
  lasts: duration('From the opening to the hard kill, by the hours that pass.', { above: 0 }).optional(),
  every: duration('From one opening to the next.', { above: 0 }).prefault('24 h'),
  grace: duration('From the termination signal, after which no job is taken up, to the kill.').prefault(
    '0 s',
  ),
  deadlinePerJob: flag('The scheduler hands each job a deadline of its own; for lint only.').prefault(false),
  opens: timeOfDay('When it opens each day, by the clock on the wall; instead of every.').optional(),
  closes: timeOfDay('When the kill comes, by the clock on the wall; instead of lasts.').optional(),
  zone: zone('Where that clock hangs.').prefault('UTC'),
  from: day('The day of the first night, or of the first opening after it.').optional(),
  clockChange: oneOf(
    'An opening that a change of clocks leaves out or repeats: literal: it does not happen, or happens twice; once: it comes with the change, and is not repeated.',
    ['literal', 'once'],
  ).prefault('literal'),
  holidays: z
    .array(day('A day.'), { error: () => 'a list of dates, such as [2026-12-25, 2026-12-26]' })
    .describe('Days that are like no other.')
    .prefault([]),
  onHolidays: oneOf('closed: it does not open on them; open: it does.', ['closed', 'open']).prefault(
    'closed',
  ),
}).describe('When the scheduler lets the batch run.');

export type WindowSpec = z.output<typeof windowSchema>;

const DAY_MS = 86_400_000;

/** From an opening to its kill on a day on which no clock changes; undefined where neither is said. */
export function usualLengthMs({ lasts, opens, closes }: WindowSpec): number | undefined {
  if (lasts !== undefined) return lasts;
  if (opens === undefined || closes === undefined) return undefined;
  return closes > opens ? closes - opens : closes - opens + DAY_MS;
}
