// What the contracts say of answers, in the one word that all runners share. Answers are compared by what is in
// them: a class, a missing prototype, an absent key or one that is undefined, and −0 make no difference.

import type { Runner } from './runner.ts';

type ErrorName = 'InputError' | 'RangeError' | 'LedgerUnavailable';

/** What a call must throw. */
export interface Rejection {
  /** Default: `InputError` where there is a code, else that or `RangeError`: what a mistake is answered with. */
  readonly name?: ErrorName;
  /** Default: any, or none. */
  readonly code?: string;
  /** Part of the message. Default: none in particular. */
  readonly says?: string;
}

export class Expectation {
  readonly #expect: Runner['expect'];

  constructor(expect: Runner['expect']) {
    this.#expect = expect;
  }

  /** @param what named in the failure, where the values alone do not say it */
  equal(actual: unknown, expected: unknown, what?: string): void {
    const named = (value: unknown) => (what === undefined ? plain(value) : { [what]: plain(value) });
    this.#expect(named(actual)).toEqual(named(expected));
  }

  /** As `equal`, but objects may have more keys than expected; lists must be of the same length. */
  matches(actual: unknown, expected: unknown, what?: string): void {
    this.equal(pick(actual, expected), expected, what);
  }

  async rejects(call: Promise<unknown>, expected: Rejection, what = 'the call'): Promise<void> {
    let error: unknown;
    try {
      await call;
    } catch (thrown) {
      error = thrown;
    }
    this.equal(error instanceof Error, true, `${what} throws`);
    const { name, code, message } = error as Error & { readonly code?: string };
    const names = namesOf(expected);
    this.equal(names.includes(name) ? names[0] : name, names[0], `what ${what} throws`);
    if (expected.code !== undefined) this.equal(code, expected.code, `the code of what ${what} throws`);
    const { says } = expected;
    if (says !== undefined && !message.includes(says)) this.equal(message, says, 'the message contains');
  }
}

function namesOf({ name, code }: Rejection): readonly string[] {
  if (name !== undefined) return [name];
  return code === undefined ? ['InputError', 'RangeError'] : ['InputError'];
}

function plain(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Promise) throw new TypeError('a promise is compared, not what it comes to');
  if (Array.isArray(value)) return value.map(plain);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.map(([key, part]) => [key, plain(part)]));
}

/** What `shape` asks about, of `value`. */
function pick(value: unknown, shape: unknown): unknown {
  if (typeof value !== 'object' || value === null || typeof shape !== 'object' || shape === null)
    return value;
  if (Array.isArray(value)) {
    return Array.isArray(shape) ? value.map((part, i) => pick(part, shape[i])) : value;
  }
  const parts = value as Record<string, unknown>;
  const asked = Object.entries(shape);
  // Nothing is asked for by name: then nothing is expected to be in it.
  if (asked.length === 0) return value;
  return Object.fromEntries(asked.map(([key, part]) => [key, pick(parts[key], part)]));
}
