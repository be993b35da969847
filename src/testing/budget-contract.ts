// The contract of every deadline clamp: what a worker relies on when it asks how long a call may take.

import { budgetLaws, type MakeBudget } from './budget-laws.ts';
import { globalRunner, type Runner } from './runner.ts';

export interface BudgetContractOptions {
  /** What the suite is called. Default: `the contract of a budget`. */
  readonly title?: string;
  /** Budgets made at random for each law; from 1. Default: 1,000. */
  readonly runs?: number;
  /** Default: fast-check's own. A failure prints it. */
  readonly seed?: number;
}

/**
 * Declares the suite for one kind of budget.
 *
 * @param make a new budget, at monotonic 0, from options that are all given; a budget that reads no clock by
 * itself has no use for the second argument
 * @param runner `{ describe, it, expect }` of the test runner. Default: the global ones
 * @throws TypeError without a runner
 */
export function budgetContract(
  make: MakeBudget,
  runner: Runner = globalRunner(),
  options: BudgetContractOptions = {},
): void {
  const { title = 'the contract of a budget', runs = 1000, seed } = options;
  const settings = { numRuns: runs, ...(seed !== undefined && { seed }) };
  runner.describe(title, () => {
    for (const { name, check } of budgetLaws) {
      runner.it(`for any budget: ${name}`, async () => check(make, settings));
    }
  });
}
