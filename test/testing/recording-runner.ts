// A test runner that runs nothing by itself: it keeps what is declared, so that a test can run it and look at what
// came of it. Its `expect` is Node's own strict comparison.

import { deepStrictEqual } from 'node:assert/strict';
import type { Runner } from '../../src/testing/runner.ts';

interface Declared {
  readonly title: string;
  readonly body: () => Promise<void>;
}

export interface Failure {
  readonly title: string;
  readonly error: Error;
}

export class RecordingRunner implements Runner {
  readonly cases: Declared[] = [];

  readonly describe = (_title: string, body: () => void): void => body();

  readonly it = (title: string, body: () => Promise<void>): void => {
    this.cases.push({ title, body });
  };

  readonly expect = (actual: unknown) => ({
    toEqual: (expected: unknown) => deepStrictEqual(actual, expected),
  });

  /** Runs the cases in their order until one fails. Undefined: none did. */
  async firstFailure(): Promise<Failure | undefined> {
    for (const { title, body } of this.cases) {
      const error = await failureOf(body);
      if (error !== undefined) return { title, error };
    }
    return undefined;
  }

  /** Runs the case of that title. Undefined: it passed. */
  async failureOf(title: string): Promise<Error | undefined> {
    const declared = this.cases.find((one) => one.title === title);
    if (declared === undefined) throw new Error(`the contract has no case "${title}"`);
    return failureOf(declared.body);
  }
}

async function failureOf(body: () => Promise<void>): Promise<Error | undefined> {
  try {
    await body();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
