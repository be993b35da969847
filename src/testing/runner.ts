// What a contract needs of a test runner, and no more: vitest and jest have it as it is, `node:test` with a
// line around `assert`. Nothing here imports a runner, so that the one in use is the only one.

/** Only `toEqual`, on plain objects, arrays and primitives: all runners mean the same by it there. */
export interface Runner {
  describe(title: string, body: () => void): unknown;
  /** Passes unless the promise rejects. Runners that know no third argument may ignore it. */
  it(title: string, body: () => Promise<void>, timeoutMs?: number): unknown;
  expect(actual: unknown): { toEqual(expected: unknown): unknown };
}

/**
 * The runner whose `describe`, `it` and `expect` are globals: jest, or vitest with `globals: true`.
 *
 * @throws TypeError where one of them is missing
 */
export function globalRunner(): Runner {
  const { describe, it, expect } = globalThis as Partial<Runner>;
  if (describe !== undefined && it !== undefined && expect !== undefined) return { describe, it, expect };
  throw new TypeError(
    'there are no global describe, it and expect: pass those of your test runner, { describe, it, expect }',
  );
}
