// `plimsoll/testing`: hold a ledger or a budget of your own to the contracts that ours are held to, and play
// random operations, scripts and scenarios against your own code. Needs fast-check. Listed by hand.

export type { AsyncLedger } from '../ledger/async-ledger.ts';
export { type AnyLedger, asynchronous } from './asynchronous.ts';
export { type BudgetContractOptions, budgetContract } from './budget-contract.ts';
export type { MakeBudget } from './budget-laws.ts';
export { type LedgerContractOptions, ledgerContract } from './ledger-contract.ts';
export { ModelLedger } from './model-ledger.ts';
export { type Operation, type OperationSequence, operations, type TimedOperation } from './operations.ts';
export { type Moves, perform, type Result, type ResultAnswer } from './perform.ts';
export type { Runner } from './runner.ts';
export { scenarios, type WrittenAndMeant } from './scenarios.ts';
export { type CallScript, type JobScript, type NightScript, scripts } from './scripts.ts';
