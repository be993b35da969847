// Which ledger a night is played on. A simulated night wants books of its own: a file that already keeps
// some is left alone.

import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MemoryLedger } from '../ledger/memory-ledger.ts';
import { SqliteLedger } from '../stores/sqlite-ledger.ts';
import type { Flag } from './command.ts';
import { withFile } from './file-failure.ts';
import type { Unfinished } from './unfinished.ts';

export const ledgerFlag: Flag = {
  kind: 'text',
  value: 'memory|sqlite|sqlite:FILE',
  describe: 'where the books are kept while playing; the answer is the same. sqlite is a temporary file',
};

export type LedgerChoice =
  | { readonly kind: 'memory' }
  /** Without a file: in a temporary one. */
  | { readonly kind: 'sqlite'; readonly file: string | undefined };

/** @throws InputError for anything but memory, sqlite and sqlite:FILE */
export function parseLedger(written = 'memory'): LedgerChoice {
  if (written === 'memory') return { kind: 'memory' };
  if (written === 'sqlite') return { kind: 'sqlite', file: undefined };
  const file = /^sqlite:(.+)$/s.exec(written)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file };
  const meant = nearest(written, ['memory', 'sqlite']);
  throw new InputError({
    code: 'unknown-ledger',
    message: 'there is no such ledger',
    place: { flag: '--ledger' },
    expected: 'memory, sqlite or sqlite:FILE',
    got: JSON.stringify(written),
    ...(meant === undefined ? {} : { nearest: meant }),
  });
}

/** The ledgers of one run: one for the scenario, and one for each variant. */
export class Ledgers {
  readonly #choice: LedgerChoice;
  readonly #unfinished: Unfinished;
  readonly #open: SqliteLedger[] = [];
  #folder: string | undefined;

  constructor(choice: LedgerChoice, unfinished: Unfinished) {
    this.#choice = choice;
    this.#unfinished = unfinished;
  }

  /**
   * An empty ledger. A named file takes the scenario's own books; its variants get temporary ones.
   *
   * @throws InputError for a file that keeps pools already; LedgerUnavailable for one that cannot be used
   */
  open(variant: string | undefined): Ledger {
    if (this.#choice.kind === 'memory') return new MemoryLedger({ journal: false });
    const { file } = this.#choice;
    const ledger =
      file === undefined || variant !== undefined
        ? new SqliteLedger(this.#temporaryFile(), { journal: false, durable: false })
        : this.#openNamed(file);
    this.#open.push(ledger);
    return ledger;
  }

  /** The run is over: the named file stays, the temporary ones go. */
  finish(): void {
    for (const ledger of this.#open) ledger.close();
    if (this.#folder !== undefined) this.#unfinished.remove(this.#folder);
    if (this.#choice.kind === 'sqlite' && this.#choice.file !== undefined) {
      for (const file of filesOf(this.#choice.file)) this.#unfinished.keep(file);
    }
  }

  #openNamed(file: string): SqliteLedger {
    if (!existsSync(file)) for (const one of filesOf(file)) this.#unfinished.add(one);
    const ledger = new SqliteLedger(file, { durable: false });
    const pools = ledger.pools();
    if (pools.length === 0) return ledger;
    ledger.close();
    throw new InputError({
      code: 'ledger-in-use',
      message: `this ledger keeps books already (pool ${pools.join(', ')}), and a simulated night wants books of its own; name another file`,
      place: { flag: `--ledger sqlite:${file}` },
    });
  }

  #temporaryFile(): string {
    this.#folder ??= withFile(tmpdir(), 'written', () => mkdtempSync(join(tmpdir(), 'plimsoll-')));
    this.#unfinished.add(this.#folder);
    return join(this.#folder, `${this.#open.length}.sqlite3`);
  }
}

/** A ledger in a file, with what SQLite keeps beside it while it is open. */
function filesOf(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`];
}
