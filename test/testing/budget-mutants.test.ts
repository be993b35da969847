// The contract is red for each budget with a mistake, in the law that speaks of it, and green without.

import { describe, expect, it } from 'vitest';
import { budgetContract, type MakeBudget } from '../../src/testing/index.ts';
import * as mutants from './mutant-budgets.ts';
import { RecordingRunner } from './recording-runner.ts';

function contractOf(make: MakeBudget): RecordingRunner {
  const runner = new RecordingRunner();
  budgetContract(make, runner, { runs: 1000, seed: 1 });
  return runner;
}

type Budget = new (...args: Parameters<MakeBudget>) => mutants.SoundBudget;

const wholeGrant = 'a call that uses its whole grant ends before the reserve begins, to a microsecond';
const exactFloor = 'with exactly the floor left, the floor is granted';
const MUTANTS: readonly (readonly [mistake: string, budget: Budget, law: string])[] = [
  ['a remaining time computed once, when the budget is made', mutants.ComputedOnce, wholeGrant],
  ['a deadline on the wall clock', mutants.OnTheWallClock, 'a step of the wall clock leaves it unmoved'],
  ['a forgotten reserve', mutants.ReserveForgotten, wholeGrant],
  ['a clamp turned back into a constant', mutants.ConstantCap, wholeGrant],
  [
    'a grant that is rounded up',
    mutants.RoundedUp,
    'a grant is the cap or all that is left, to a microsecond, and never more than is left',
  ],
  ['a floor that is not granted', mutants.FloorExcluded, exactFloor],
  ['a floor that is not looked at', mutants.FloorIgnored, 'a grant is never below the floor'],
  ['a budget that never grants', mutants.AlwaysDeclining, exactFloor],
];

describe.each(MUTANTS)('%s', (_mistake, Mutant, law) => {
  it('turns the contract red, in the law that speaks of it', async () => {
    const contract = contractOf((options, clock) => new Mutant(options, clock));
    expect((await contract.failureOf(`for any budget: ${law}`))?.message).toMatch(/^Property failed/);
  });
});

it('nothing is wrong with what the mutants have in common', async () => {
  const contract = contractOf((options, clock) => new mutants.SoundBudget(options, clock));
  expect(await contract.firstFailure()).toBeUndefined();
});
