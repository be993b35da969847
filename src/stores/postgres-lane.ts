// What lanes and reclaimers ask of a ledger in PostgreSQL: each operation is one call of a function in the
// database, one round trip. What it answers is made into the ledger's words here.

import { InputError } from '../base/errors.ts';
import { checkTokens } from '../base/tokens.ts';
import {
  checkInteger,
  checkLeaseMs,
  checkNowMs,
  checkReserve,
  checkTimed,
  unknownName,
} from '../ledger/checks.ts';
import type * as Words from '../ledger/ledger.ts';
import { moveRows, NOTHING } from '../ledger/rules/decision.ts';
import type { Ask, Values } from './postgres-connection.ts';
import { heldIds, poolNames } from './postgres-names.ts';
import {
  type DeltaColumns,
  deltaOf,
  type HoldColumns,
  type ReservationColumns,
  reservationOf,
} from './postgres-records.ts';
import { toStored } from './postgres-text.ts';

type Request<Operation extends keyof Words.Ledger> = Parameters<Words.Ledger[Operation]>[0];

/** What a function answers where the call cannot be meant. */
type Mistake =
  | { readonly missing: 'pool' | 'hold' }
  | { readonly missing: 'grant'; readonly reason: Words.RefusalReason }
  | { readonly unpaused: true };

/** What most functions answer: the hold as it is now, and what else the operation has to say. */
interface HoldAnswer<Reason> {
  readonly version: number;
  readonly hold: HoldColumns;
  readonly chain: readonly string[];
  readonly refused?: Reason | null;
  readonly already?: boolean;
}

type ReasonOf<Answer> =
  Extract<Answer, { readonly outcome: 'refused' }> extends { readonly reason: infer Reason } ? Reason : never;

const RECLAIM_LIMIT = 1000;

export class PostgresLane {
  readonly #ask: Ask;
  readonly #schema: string;
  readonly #usesServerTime: boolean;

  /** @param schema quoted */
  constructor(ask: Ask, schema: string, usesServerTime: boolean) {
    this.#ask = ask;
    this.#schema = schema;
    this.#usesServerTime = usesServerTime;
  }

  async reserve(request: Words.Reserve): Promise<Words.ReserveAnswer> {
    checkReserve(request);
    const { id, pool, job, taker = '', amount, leaseMs, nowMs } = request;
    const answer = await this.#call<
      | { readonly reused: true; readonly version: number }
      | (HoldAnswer<never> & { readonly hold: ReservationColumns; readonly already: boolean })
    >(
      'reserve',
      [toStored(id), toStored(pool), toStored(job), toStored(taker), amount, leaseMs],
      nowMs,
      pool,
    );
    const { version } = answer;
    if ('reused' in answer) return { outcome: 'id-reused', already: false, delta: NOTHING, version };
    const { already } = answer;
    const made = reservationOf(answer.hold, answer.chain);
    if (made.state === 'refused') {
      const { reason, refusedBy, returnable } = made;
      return { outcome: 'refused', reason, pool: refusedBy, returnable, already, delta: NOTHING, version };
    }
    const delta = already ? NOTHING : moveRows(made.rows, { balance: -amount, held: amount });
    return { outcome: 'granted', hold: made, already, delta, version };
  }

  async dispatch(request: Request<'dispatch'>): Promise<Words.DispatchAnswer> {
    checkTimed(request);
    const { refused, already, hold, version } = await this.#ofHold<Words.DispatchAnswer>('dispatch', request);
    if (refused !== undefined) {
      return {
        outcome: 'refused',
        state: hold.state,
        reason: refused,
        already: false,
        delta: NOTHING,
        version,
      };
    }
    return { outcome: 'dispatched', hold, already, delta: NOTHING, version };
  }

  async renew(request: Request<'renew'>): Promise<Words.RenewAnswer> {
    checkTimed(request);
    checkLeaseMs('leaseMs', request.leaseMs);
    const { refused, hold, version } = await this.#ofHold<Words.RenewAnswer>('renew', request, [
      request.leaseMs,
    ]);
    if (refused !== undefined) {
      return {
        outcome: 'refused',
        state: hold.state,
        reason: refused,
        already: false,
        delta: NOTHING,
        version,
      };
    }
    return { outcome: 'renewed', hold, already: false, delta: NOTHING, version };
  }

  async extendTo(request: Request<'extendTo'>): Promise<Words.ExtendAnswer> {
    checkTimed(request);
    checkTokens('total', request.total);
    const answer = await this.#ofHold<Words.ExtendAnswer>('extend_to', request, [request.total]);
    const { refused, hold, version, more = 0, returnable = false } = answer;
    if (refused !== undefined) {
      const { state } = hold;
      return {
        outcome: 'refused',
        state,
        reason: refused,
        returnable,
        already: false,
        delta: NOTHING,
        version,
      };
    }
    const delta = more === 0 ? NOTHING : moveRows(hold.rows, { balance: -more, held: more });
    return { outcome: 'extended', hold, already: false, delta, version };
  }

  async release(request: Request<'release'>): Promise<Words.ReleaseAnswer> {
    checkNowMs(request.nowMs);
    const { refused, already, hold, version } = await this.#ofHold<Words.ReleaseAnswer>('release', request);
    if (refused !== undefined) {
      return {
        outcome: 'refused',
        state: hold.state,
        reason: refused,
        already: false,
        delta: NOTHING,
        version,
      };
    }
    const { amount, rows } = hold;
    const delta = already ? NOTHING : moveRows(rows, { balance: amount, held: -amount, refunded: amount });
    return { outcome: 'released', hold, already, delta, version };
  }

  async settle(request: Request<'settle'>): Promise<Words.SettleAnswer> {
    checkNowMs(request.nowMs);
    checkTokens('actual', request.actual);
    const { hold, already, move, version } = await this.#ofHold('settle', request, [request.actual]);
    const { overspent, shortfall, late } = hold;
    const first = hold.actual ?? request.actual;
    // A late settle gives something back only where reclaim had charged the hold.
    const refunded = !late || hold.charged ? Math.max(0, hold.amount - first) : 0;
    const delta = move === undefined ? NOTHING : moveRows(hold.rows, move);
    const differs = first !== request.actual;
    return {
      outcome: 'settled',
      hold,
      refunded,
      overspent,
      shortfall,
      late,
      differs,
      already,
      delta,
      version,
    };
  }

  async reclaim(request: Request<'reclaim'>): Promise<Words.ReclaimAnswer> {
    checkTimed(request);
    const { pool, nowMs, force = false, limit = RECLAIM_LIMIT } = request;
    checkInteger('limit', limit, 1);
    const { closed, delta, version } = await this.#call<{
      readonly closed: readonly { readonly hold: HoldColumns; readonly chain: readonly string[] }[];
      readonly delta: readonly DeltaColumns[];
      readonly version: number;
    }>('reclaim', [toStored(pool), limit, force], nowMs, pool);
    return {
      outcome: 'reclaimed',
      closed: closed.map(({ hold, chain }) => reservationOf(hold, chain) as Words.Hold),
      already: false,
      delta: deltaOf(delta),
      version,
    };
  }

  async #ofHold<Answer = never>(
    name: string,
    { id, nowMs }: { readonly id: string; readonly nowMs?: number },
    values: Values = [],
  ) {
    type Told = HoldAnswer<ReasonOf<Answer>> & {
      readonly returnable?: boolean;
      readonly more?: number;
      readonly move?: readonly [number, number, number, number, number, number];
    };
    const {
      hold,
      chain,
      refused,
      already = false,
      move,
      ...rest
    } = await this.#call<Told>(name, [toStored(id), ...values], nowMs, id);
    const [balance = 0, held = 0, consumed = 0, refunded = 0, overspent = 0, shortfall = 0] = move ?? [];
    return {
      ...rest,
      hold: reservationOf(hold, chain) as Words.Hold,
      already,
      refused: refused ?? undefined,
      move: move === undefined ? undefined : { balance, held, consumed, refunded, overspent, shortfall },
    };
  }

  /**
   * @param nowMs the function's last argument; left to the server's clock where that is the one that counts
   * @param named the pool or hold that the call is about
   */
  async #call<Answer>(
    name: string,
    values: Values,
    nowMs: number | undefined,
    named: string,
  ): Promise<Answer> {
    const places = values.map((_, i) => `$${i + 1}`);
    const time = this.#usesServerTime ? `${this.#schema}.now_ms()` : `$${values.length + 1}`;
    const rows = await this.#ask<{ answer: Answer | Mistake }>(
      `SELECT ${this.#schema}.${name}(${[...places, time].join(', ')}) AS answer`,
      this.#usesServerTime ? values : [...values, nowMs],
    );
    const { answer } = rows[0]!;
    if (isMistake(answer)) throw await this.#mistake(answer, named);
    return answer;
  }

  async #mistake(mistake: Mistake, named: string): Promise<InputError> {
    if ('unpaused' in mistake) {
      return new InputError({
        code: 'force-needs-pause',
        message: `pool "${named}" must be paused before live holds on it are closed by force`,
      });
    }
    switch (mistake.missing) {
      case 'grant':
        return new InputError({
          code: 'refused-hold',
          message: `hold "${named}" was never granted: its reservation was refused (${mistake.reason})`,
        });
      case 'pool':
        return unknownName('unknown-pool', named, await poolNames(this.#ask, this.#schema));
      case 'hold':
        return unknownName('unknown-hold', named, await heldIds(this.#ask, this.#schema));
    }
  }
}

function isMistake<Answer>(answer: Answer | Mistake): answer is Mistake {
  return typeof answer === 'object' && answer !== null && ('missing' in answer || 'unpaused' in answer);
}
