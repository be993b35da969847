// The contract of every ledger, whatever store it is kept in: the design's table of operations row by
// row, with each repeat, each late call and each wrong one.

import { describe } from 'vitest';
import { closingContract } from './closing-contract.ts';
import { extendContract } from './extend-contract.ts';
import { leaseContract } from './lease-contract.ts';
import { poolContract } from './pool-contract.ts';
import { postContract } from './post-contract.ts';
import { readingContract } from './reading-contract.ts';
import { reclaimContract } from './reclaim-contract.ts';
import { reserveContract } from './reserve-contract.ts';
import type { OpenLedger } from './short-hand.ts';

/**
 * Declares the suite for one kind of ledger.
 *
 * @param name of the store, for the titles
 * @param open a new, empty ledger on every call, with its journal kept; whoever passes it closes them
 */
export function ledgerContract(name: string, open: OpenLedger): void {
  describe(`the ledger's contract in ${name}`, () => {
    describe('openPool, adjust, refill, pause, resume', () => poolContract(open));
    describe('reserve', () => reserveContract(open));
    describe('extendTo', () => extendContract(open));
    describe('dispatch, renew', () => leaseContract(open));
    describe('release, settle', () => closingContract(open));
    describe('reclaim', () => reclaimContract(open));
    describe('post', () => postContract(open));
    describe('reads, versions, journal', () => readingContract(open));
  });
}
