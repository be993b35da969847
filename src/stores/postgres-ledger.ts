// The ledger in a PostgreSQL database: for workers on many hosts. Every operation of a lane is one round
// trip; who is first is decided by the locks on the pools' rows.

import { InputError } from '../base/errors.ts';
import type { AsyncLedger } from '../ledger/async-ledger.ts';
import type { HoldFilter } from '../ledger/books.ts';
import { checkInteger } from '../ledger/checks.ts';
import type * as Words from '../ledger/ledger.ts';
import { type Ask, PostgresConnection } from './postgres-connection.ts';
import { parsePostgresUrl } from './postgres-driver.ts';
import { PostgresLane } from './postgres-lane.ts';
import { PostgresReads } from './postgres-reads.ts';
import { checkSchema, DEFAULT_SCHEMA, quoteSchema } from './postgres-schema.ts';
import { PostgresSetup } from './postgres-setup.ts';

export interface PostgresLedgerOptions {
  /** Where the tables are; `migratePostgres` made them there. Default: `plimsoll`. */
  readonly schema?: string;
  /** Kept open at most, a whole number from 1; lanes share them. Default: 4. */
  readonly connections?: number;
  /** How long one statement may take, waiting for others included; a whole number from 1. Default: 5,000. */
  readonly statementTimeoutMs?: number;
  /**
   * Whose clock dates the operations: `caller`, whatever `nowMs` says, or `server`, whatever it says, because
   * hosts disagree. Default: `caller`.
   */
  readonly time?: 'caller' | 'server';
}

type Request<Operation extends keyof Words.Ledger> = Parameters<Words.Ledger[Operation]>[0];

interface Parts {
  readonly lane: PostgresLane;
  readonly setup: PostgresSetup;
  readonly reads: PostgresReads;
}

const OPTIONS = ['schema', 'connections', 'statementTimeoutMs', 'time'];

export class PostgresLedger implements AsyncLedger {
  readonly #connection: PostgresConnection;
  readonly #parts: Parts;
  readonly #schema: string;
  readonly #where: string;
  #checked: Promise<Parts> | undefined;

  /**
   * Connects when it is first asked something. The tables must be there: `migratePostgres`.
   *
   * @param url `postgres://user:password@host:port/database`
   * @throws InputError for a malformed URL or an option that cannot be meant
   * @throws EnvironmentError `missing-package` without pg
   */
  constructor(url: string, options: PostgresLedgerOptions = {}) {
    const { schema = DEFAULT_SCHEMA, connections = 4, statementTimeoutMs = 5_000, time = 'caller' } = options;
    checkOptions(options);
    checkInteger('connections', connections, 1);
    checkInteger('statementTimeoutMs', statementTimeoutMs, 1);
    const place = parsePostgresUrl(url);
    const quoted = quoteSchema(schema);
    this.#schema = schema;
    this.#where = place.shown;
    this.#connection = new PostgresConnection(place, { connections, statementTimeoutMs });
    const ask: Ask = (sql, values) => this.#connection.ask(sql, values);
    const isByServer = time === 'server';
    this.#parts = {
      lane: new PostgresLane(ask, quoted, isByServer),
      setup: new PostgresSetup(this.#connection, quoted, isByServer),
      reads: new PostgresReads(ask, quoted),
    };
  }

  async openPool(request: Words.OpenPool): Promise<Words.OpenPoolAnswer> {
    return (await this.#ready()).setup.openPool(request);
  }

  async reserve(request: Words.Reserve): Promise<Words.ReserveAnswer> {
    return (await this.#ready()).lane.reserve(request);
  }

  async dispatch(request: Request<'dispatch'>): Promise<Words.DispatchAnswer> {
    return (await this.#ready()).lane.dispatch(request);
  }

  async renew(request: Request<'renew'>): Promise<Words.RenewAnswer> {
    return (await this.#ready()).lane.renew(request);
  }

  async extendTo(request: Request<'extendTo'>): Promise<Words.ExtendAnswer> {
    return (await this.#ready()).lane.extendTo(request);
  }

  async release(request: Request<'release'>): Promise<Words.ReleaseAnswer> {
    return (await this.#ready()).lane.release(request);
  }

  async settle(request: Request<'settle'>): Promise<Words.SettleAnswer> {
    return (await this.#ready()).lane.settle(request);
  }

  async reclaim(request: Request<'reclaim'>): Promise<Words.ReclaimAnswer> {
    return (await this.#ready()).lane.reclaim(request);
  }

  async adjust(request: Request<'adjust'>): Promise<Words.AdjustAnswer> {
    return (await this.#ready()).setup.adjust(request);
  }

  async refill(request: Request<'refill'>): Promise<Words.RefillAnswer> {
    return (await this.#ready()).setup.refill(request);
  }

  async pause(request: Request<'pause'>): Promise<Words.PauseAnswer> {
    return (await this.#ready()).setup.pause(request);
  }

  async resume(request: Request<'resume'>): Promise<Words.PauseAnswer> {
    return (await this.#ready()).setup.resume(request);
  }

  async post(request: Words.Post): Promise<Words.PostAnswer> {
    return (await this.#ready()).setup.post(request);
  }

  async pool(name: string, period?: number): Promise<Words.PoolView | undefined> {
    return (await this.#ready()).reads.pool(name, period);
  }

  async pools(): Promise<readonly string[]> {
    return (await this.#ready()).reads.pools();
  }

  async hold(id: string): Promise<Words.Hold | undefined> {
    return (await this.#ready()).reads.hold(id);
  }

  async holds(filter?: HoldFilter): Promise<readonly Words.Hold[]> {
    return (await this.#ready()).reads.holds(filter);
  }

  async history(job: string): Promise<readonly Words.HistoryEntry[]> {
    return (await this.#ready()).reads.history(job);
  }

  async verify(): Promise<readonly Words.Discrepancy[]> {
    return (await this.#ready()).reads.verify();
  }

  /**
   * As `Ledger` has it, but for two things: a number is missing where an operation failed after it was given,
   * and an entry whose operation is still under way is not there yet.
   */
  async journal(after?: number): Promise<readonly Words.JournalEntry[]> {
    return (await this.#ready()).reads.journal(after);
  }

  /** Ends its connections. Later calls reject with `LedgerUnavailable`. Closing twice is allowed. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** What answers, once the schema is known to be this version's: asked once, or until the server can say. */
  #ready(): Promise<Parts> {
    this.#checked ??= this.#check();
    return this.#checked;
  }

  async #check(): Promise<Parts> {
    try {
      await checkSchema((sql, values) => this.#connection.ask(sql, values), this.#schema, this.#where);
      return this.#parts;
    } catch (error) {
      this.#checked = undefined;
      throw error;
    }
  }
}

function checkOptions(options: PostgresLedgerOptions): void {
  const unknown = Object.keys(options).filter((option) => !OPTIONS.includes(option));
  if (unknown.length > 0) {
    throw new InputError(
      unknown.map((option) => ({
        code: 'unknown-option',
        message: `PostgresLedger has no option "${option}"`,
        expected: OPTIONS.join(', '),
      })),
    );
  }
  const { time } = options;
  if (time === undefined || time === 'caller' || time === 'server') return;
  throw new InputError({
    code: 'unknown-choice',
    message: 'time is one of the words given',
    expected: 'caller or server',
    got: String(time),
  });
}
