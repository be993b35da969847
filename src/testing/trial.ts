// One case of a contract at work: the ledgers that it opened, and what it says of their answers. When the case
// is done its ledgers are audited once more and closed, whatever became of it.

import type { AsyncLedger } from '../ledger/async-ledger.ts';
import { type AnyLedger, asynchronous } from './asynchronous.ts';
import { Audit } from './audit.ts';
import { Expectation } from './expectation.ts';
import type { Runner } from './runner.ts';

export interface Opening<Kind extends AnyLedger> {
  open(): Kind | Promise<Kind>;
  close(ledger: Kind): void | Promise<void>;
  breakStore(ledger: Kind): void | Promise<void>;
}

/** Declares one case. Its title is a claim. */
export type DeclareCase = (title: string, run: (trial: Trial) => Promise<void>) => void;

export abstract class Trial extends Expectation {
  /** A new, empty ledger, audited after every operation. */
  abstract open(): Promise<AsyncLedger>;
  /** A new, empty ledger that is not audited, and what makes its store fail from then on. */
  abstract openToBreak(): Promise<{ readonly ledger: AsyncLedger; breakStore(): Promise<void> }>;
  /** A trial within the trial, whose ledgers are audited and closed when it ends. */
  abstract afresh(run: (trial: Trial) => Promise<void>): Promise<void>;
}

class TrialOf<Kind extends AnyLedger> extends Trial {
  readonly #opening: Opening<Kind>;
  readonly #expect: Runner['expect'];
  readonly #opened: Kind[] = [];
  readonly #audits: Audit[] = [];

  constructor(opening: Opening<Kind>, expect: Runner['expect']) {
    super(expect);
    this.#opening = opening;
    this.#expect = expect;
  }

  override async open(): Promise<AsyncLedger> {
    const audit = new Audit(await this.#open(), this);
    this.#audits.push(audit);
    return audit.ledger;
  }

  override async openToBreak(): Promise<{ readonly ledger: AsyncLedger; breakStore(): Promise<void> }> {
    const ledger = await this.#open();
    return { ledger: asynchronous(ledger), breakStore: async () => this.#opening.breakStore(ledger) };
  }

  override afresh(run: (trial: Trial) => Promise<void>): Promise<void> {
    return onTrial(this.#opening, this.#expect, run);
  }

  async audit(): Promise<void> {
    for (const audit of this.#audits) await audit.conclude();
  }

  async close(): Promise<void> {
    for (const ledger of this.#opened.splice(0)) await this.#opening.close(ledger);
  }

  async #open(): Promise<Kind> {
    const ledger = await this.#opening.open();
    this.#opened.push(ledger);
    return ledger;
  }
}

/** Runs one case on ledgers of its own. */
export async function onTrial<Kind extends AnyLedger>(
  opening: Opening<Kind>,
  expect: Runner['expect'],
  run: (trial: Trial) => Promise<void>,
): Promise<void> {
  const trial = new TrialOf(opening, expect);
  try {
    await run(trial);
    await trial.audit();
  } finally {
    await trial.close();
  }
}
