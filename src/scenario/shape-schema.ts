// One value in several shapes. A union of schemas only says that none of them fits; here the shape is
// picked first, by what the value looks like, and then that one shape says what is wrong inside.

import { z } from 'zod';
import { hold, oneOf, refuse, type SchemaProblem } from './quantity-schema.ts';

/** What a shaped schema may be, for the JSON Schema, where a union does no harm. */
export const shapes = new WeakMap<object, Shapes>();

export interface Shapes {
  /** The name of its definition. */
  readonly id: string;
  readonly all: () => readonly z.ZodType[];
}

/**
 * @param all every schema that `pick` may answer
 * @param pick the one to hold the value to, or what to say, and of which part, where it looks like none of them
 */
export function shaped<Output>(options: {
  readonly id: string;
  readonly description: string;
  readonly all: () => readonly z.ZodType<Output>[];
  readonly pick: (
    value: unknown,
  ) => z.ZodType<Output> | { readonly problem: SchemaProblem; readonly path?: readonly string[] };
}) {
  const schema = z.unknown().transform((value, context): Output => {
    const picked = options.pick(value);
    if ('problem' in picked) return refuse(context, picked.problem, picked.path);
    return hold(context, picked, value);
  });
  // On the transform itself: what is wrapped around it (a default, an option) only points to it.
  shapes.set(schema, { id: options.id, all: options.all });
  return schema.describe(options.description);
}

/** So that a variant can take away what its scenario has. */
const none: z.ZodType<undefined> = oneOf('None at all.', ['none']).transform(() => undefined);

/** A map, or the word none. @param id the name of its definition in the JSON Schema */
export function orNone<Spec>(id: string, map: z.ZodType<Spec>, description: string) {
  return shaped<Spec | undefined>({
    id,
    description,
    all: () => [map, none],
    pick: (written) => (typeof written === 'string' ? none : map),
  });
}
