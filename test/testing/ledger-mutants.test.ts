// The contract is red for each ledger with a mistake, in the case that speaks of it, and green without.

import { describe, expect, it } from 'vitest';
import { LedgerUnavailable } from '../../src/base/errors.ts';
import type { AnyLedger } from '../../src/testing/asynchronous.ts';
import { ledgerContract } from '../../src/testing/index.ts';
import * as mutants from './mutant-ledgers.ts';
import * as racing from './racing-ledgers.ts';
import { RecordingRunner } from './recording-runner.ts';

function contractOf(open: () => AnyLedger, breakStore?: (ledger: AnyLedger) => void): RecordingRunner {
  const runner = new RecordingRunner();
  ledgerContract(open, runner, { runs: 20, seed: 1, ...(breakStore !== undefined && { breakStore }) });
  return runner;
}

const MUTANTS: readonly (readonly [mistake: string, ledger: new () => mutants.SoundLedger, found: string])[] =
  [
    [
      'a refund without the clamp',
      mutants.RefundWithoutClamp,
      'what was used beyond the hold is recorded on every row, never debited',
    ],
    [
      'a reclaim that ignores settled',
      mutants.ReclaimOfSettled,
      'passes by what was settled, released or renewed',
    ],
    [
      'a reclaim in the last moment of a lease',
      mutants.ReclaimTooEarly,
      'closes the holds whose lease is over, and only those',
    ],
    [
      'a reclaim by force that refunds a call that is out',
      mutants.ForceRefunds,
      'by force closes live holds on a paused pool: dispatched charged, undispatched refunded',
    ],
    [
      'a renew on a closed hold',
      mutants.RenewOfClosed,
      'dispatch and renew are refused on a closed hold, whose state they name',
    ],
    ['a renew that shortens', mutants.RenewShortens, 'renew lengthens and never shortens'],
    [
      'a refill that resets held',
      mutants.RefillResetsHeld,
      'refill opens the next period, full, and leaves the holds with the rows they debited',
    ],
    [
      'a refill of the current period',
      mutants.RefillAgain,
      'twenty refills at one boundary are one, and an earlier period is stale',
    ],
    [
      'a late settle that debits twice',
      mutants.LateSettleTwice,
      'a late settle of a refunded hold debits what is left, and the rest is shortfall',
    ],
    [
      'a late settle that takes from each row what it has',
      mutants.LateSettleRowByRow,
      'on a chain a late settle debits every row alike: as much as the emptiest still has',
    ],
    [
      'a second settle that moves the books',
      mutants.SettleTwice,
      'a second settle has the first answer, and says if it differs',
    ],
    [
      'a settle on the rows of another period',
      mutants.SettleOnCurrentRows,
      'a settle moves the rows that the hold debited, though pools were refilled since',
    ],
    [
      'a chain that forgets its parent',
      mutants.ChainWithoutParent,
      'a reservation debits the whole chain at once, or none of it',
    ],
    [
      'a reservation that is granted in part',
      mutants.GrantsInPart,
      'a pool of 100 grants envelopes of 60 and 40 and refuses 50, which could come back',
    ],
    [
      'a duplicate id that debits',
      mutants.DuplicateIdDebits,
      "a repeat has the first answer, an empty delta and the hold's present state",
    ],
    [
      'a refused id that is not remembered',
      mutants.RefusedIdForgotten,
      "a refused reservation moves no books, and is remembered with its job's past",
    ],
    [
      'a taker that is not compared',
      mutants.TakerNotCompared,
      'the same id with another taker is id-reused and changes nothing, granted or refused before',
    ],
    [
      'a paused parent that is not looked at',
      mutants.PauseOfParentIgnored,
      'a paused pool and all below it refuse, closing operations go on, resume undoes it',
    ],
    [
      'a repeated refusal with a newer version',
      mutants.RefusalWithNewVersion,
      'a refusal that is repeated keeps the version it was given with',
    ],
    [
      'a version that is not moved by pause',
      mutants.VersionNotMovedByPause,
      'the version moves with any change to a current row but by reserve and extendTo',
    ],
    [
      'an extendTo past the capacity',
      mutants.ExtendPastCapacity,
      'extendTo is refused whole, like a reservation',
    ],
    [
      'an extendTo on a closed row',
      mutants.ExtendOnClosedRow,
      'extendTo is refused where any row of the chain is closed',
    ],
    ['a release after dispatch', mutants.ReleaseAfterDispatch, 'release is refused once dispatched'],
    [
      'a dispatch past the lease',
      mutants.DispatchPastLease,
      'dispatch is refused past the lease, and granted again once it is renewed',
    ],
    [
      'a credit of more than was consumed',
      mutants.CreditWithoutLimit,
      "a credit gives back to the settled hold's own rows, at most what it still consumes",
    ],
    [
      'a capacity that is lowered as far as it goes',
      mutants.AdjustBelowUse,
      'adjust below what is held and consumed is an error that changes nothing',
    ],
    [
      'a journal without late settles',
      mutants.JournalForgetsLateSettle,
      'a late settle of a refunded hold debits what is left, and the rest is shortfall',
    ],
    [
      'a broken amount that is taken for none',
      mutants.BrokenAmountIsNone,
      'an amount of NaN (a number) is a RangeError and changes nothing',
    ],
  ];

describe.each(MUTANTS)('%s', (_mistake, Mutant, found) => {
  it('turns the contract red, in the case that speaks of it', async () => {
    const contract = contractOf(() => new Mutant());
    expect((await contract.firstFailure())?.error).toBeInstanceOf(Error);
    expect(await contract.failureOf(found)).toBeInstanceOf(Error);
  });

  it('is all that is wrong', async () => {
    expect(await contractOf(() => new mutants.SoundLedger()).failureOf(found)).toBeUndefined();
  });
});

it('a row that moves in silence is found after the operation that moved it, in whatever case', async () => {
  const contract = contractOf(() => new mutants.RenewMovesBooks());
  const error = await contract.failureOf('renew lengthens and never shortens');
  expect(error?.message).toContain('row free/0 after renew, against the deltas of all answers');
});

const RACING: readonly (readonly [mistake: string, open: () => AnyLedger, found: string])[] = [
  [
    'a balance that is read, and written after somebody else wrote it',
    racing.lostUpdate,
    'at once: fifty ask for a tenth of the pool each, and ten get it',
  ],
  ['an id that is looked for first', racing.idCheckedFirst, 'at once: one id asked for twice'],
  [
    'a version that is read after the refusal',
    racing.versionReadLate,
    'at once: whoever is refused beside a settle has a version that the settle moves on from',
  ],
  ['a hold whose state is looked at first', racing.settleCheckedFirst, 'at once: one hold settled twice'],
];

describe.each(RACING)('%s', (_mistake, open, found) => {
  it('is right as long as calls do not meet, and red where they do', async () => {
    const contract = contractOf(open);
    expect(await contract.failureOf(found)).toBeInstanceOf(Error);
    expect((await contract.firstFailure())?.title).toMatch(/^at once: /);
  });
});

describe('a store that fails', () => {
  class Switched extends mutants.SoundLedger {
    error: Error | undefined;

    override reserve(...args: Parameters<mutants.SoundLedger['reserve']>) {
      if (this.error !== undefined) throw this.error;
      return super.reserve(...args);
    }
  }
  const title = 'where the store cannot answer, every operation and every read throws LedgerUnavailable';

  it.each([
    ['is not taken for a hold: a ledger that answers all the same is red', undefined],
    ['is called by its name: any other error is red', new Error('ECONNREFUSED')],
    ['fails in every operation: one that does not is red', new LedgerUnavailable('failed', 'gone')],
  ])('%s', async (_claim, error) => {
    const contract = contractOf(
      () => new Switched(),
      (ledger) => {
        (ledger as Switched).error = error;
      },
    );
    expect(await contract.failureOf(title)).toBeInstanceOf(Error);
  });
});

it('a ledger without a mistake passes the whole contract under any runner', async () => {
  expect(await contractOf(() => new mutants.SoundLedger()).firstFailure()).toBeUndefined();
});
