// The contract of every ledger, whatever store it is kept in and whoever wrote it: the table of operations row by
// row, with each repeat, each late call and each wrong one; what happens when calls meet; and random sequences
// against the model.

import type { AnyLedger } from './asynchronous.ts';
import { closingCases } from './contract/closing-cases.ts';
import { extendCases } from './contract/extend-cases.ts';
import { failureCases } from './contract/failure-cases.ts';
import { leaseCases } from './contract/lease-cases.ts';
import { modelCases } from './contract/model-cases.ts';
import { poolCases } from './contract/pool-cases.ts';
import { postCases } from './contract/post-cases.ts';
import { raceCases } from './contract/race-cases.ts';
import { readingCases } from './contract/reading-cases.ts';
import { reclaimCases } from './contract/reclaim-cases.ts';
import { reserveCases } from './contract/reserve-cases.ts';
import { sharesCases } from './contract/shares-cases.ts';
import { globalRunner, type Runner } from './runner.ts';
import { type DeclareCase, onTrial } from './trial.ts';

export interface LedgerContractOptions<Kind extends AnyLedger> {
  /** What the suite is called. Default: `the contract of a ledger`. */
  readonly title?: string;
  /** Called with each ledger when the case that opened it is over, passed or failed. */
  readonly close?: (ledger: Kind) => void | Promise<void>;
  /** Makes the store of this ledger fail from then on. Without it, failing closed is not looked at. */
  readonly breakStore?: (ledger: Kind) => void | Promise<void>;
  /** Random sequences held against the model, each of some 23 operations on average; from 1. Default: 500. */
  readonly runs?: number;
  /** Of the random sequences. Default: fast-check's own. A failure prints it. */
  readonly seed?: number;
  /** Milliseconds that one case may take. Default: 120,000. */
  readonly timeoutMs?: number;
}

/**
 * Declares the suite for one kind of ledger, synchronous or asynchronous.
 *
 * @param open a new, empty ledger on every call, with its journal kept
 * @param runner `{ describe, it, expect }` of the test runner. Default: the global ones
 * @throws TypeError without a runner
 */
export function ledgerContract<Kind extends AnyLedger>(
  open: () => Kind | Promise<Kind>,
  runner: Runner = globalRunner(),
  options: LedgerContractOptions<Kind> = {},
): void {
  const {
    title = 'the contract of a ledger',
    close = () => {},
    runs = 500,
    seed,
    timeoutMs = 120_000,
  } = options;
  const { describe, expect } = runner;
  const { breakStore } = options;
  const opening = { open, close, breakStore: breakStore ?? (() => {}) };
  const it: DeclareCase = (claim, run) => {
    runner.it(claim, () => onTrial(opening, expect, run), timeoutMs);
  };
  describe(title, () => {
    describe('openPool, adjust, refill, pause, resume', () => poolCases(it));
    describe('shares', () => sharesCases(it));
    describe('reserve', () => reserveCases(it));
    describe('extendTo', () => extendCases(it));
    describe('dispatch, renew', () => leaseCases(it));
    describe('release, settle', () => closingCases(it));
    describe('reclaim', () => reclaimCases(it));
    describe('post', () => postCases(it));
    describe('reads, versions, journal', () => readingCases(it));
    describe('calls that meet', () => raceCases(it));
    if (breakStore !== undefined) describe('a store that fails', () => failureCases(it));
    describe('against the model', () => modelCases(it, { runs, ...(seed !== undefined && { seed }) }));
  });
}
