// What a call must look like before any rule sees it. A mistake is told with its field and the right
// name, and has changed nothing.

import { InputError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { checkDurationMs, checkTokens } from '../base/tokens.ts';
import type { OpenPool, Post, Reserve } from './ledger.ts';

const OPEN_POOL_OPTIONS = ['pool', 'capacity', 'quota', 'parent', 'reclaim', 'maxLeaseMs', 'nowMs'];

export function checkOpenPool(request: OpenPool): void {
  const unknown = Object.keys(request).filter((option) => !OPEN_POOL_OPTIONS.includes(option));
  if (unknown.length > 0) {
    throw new InputError(
      unknown.map((option) => ({
        code: 'unknown-option',
        message: `openPool has no option "${option}"`,
        expected: OPEN_POOL_OPTIONS.join(', '),
        ...withNearest(option, OPEN_POOL_OPTIONS),
      })),
    );
  }
  checkName('pool', request.pool);
  checkTokens('capacity', request.capacity);
  if (request.quota !== undefined) checkTokens('quota', request.quota);
  if (request.parent !== undefined) checkName('parent', request.parent);
  if (request.maxLeaseMs !== undefined) checkLeaseMs('maxLeaseMs', request.maxLeaseMs);
  if (request.reclaim !== undefined) checkOneOf('reclaim', request.reclaim, ['refund', 'charge']);
  checkNowMs(request.nowMs);
}

export function checkReserve(request: Reserve): void {
  checkName('id', request.id);
  checkName('pool', request.pool);
  checkText('job', request.job);
  if (request.taker !== undefined) checkText('taker', request.taker);
  checkTokens('amount', request.amount);
  checkLeaseMs('leaseMs', request.leaseMs);
  checkTimed(request);
}

export function checkPost(request: Post): void {
  checkName('id', request.id);
  checkOneOf('side', request.side, ['debit', 'credit']);
  checkTokens('amount', request.amount);
  checkText('reason', request.reason);
  checkNowMs(request.nowMs);
  if (request.side === 'credit' && request.hold === undefined) {
    throw new InputError({
      code: 'credit-needs-hold',
      message: `post "${request.id}" is a credit and must name the settled hold that it gives back from`,
    });
  }
  if (request.side === 'debit' && request.hold !== undefined) {
    throw new InputError({
      code: 'debit-has-hold',
      message: `post "${request.id}" is a debit: it moves the pool's current rows, not those of hold "${request.hold}"`,
    });
  }
}

/** @throws RangeError unless above 0 and finite */
export function checkLeaseMs(field: string, leaseMs: number): void {
  checkDurationMs(field, leaseMs);
  if (leaseMs === 0) throw new RangeError(`${field} must be more than 0 ms, got 0`);
}

export function checkNowMs(nowMs: number | undefined): void {
  if (nowMs !== undefined) checkDurationMs('nowMs', nowMs);
}

/** Operations whose outcome depends on the time cannot do without it, whatever an untyped caller thinks. */
export function checkTimed(request: { readonly nowMs: number }): void {
  checkDurationMs('nowMs', request.nowMs);
}

export function checkInteger(field: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new InputError({
    code: 'not-an-integer',
    message: `${field} must be an integer`,
    expected: `${least} or more`,
    got: String(value),
  });
}

function checkName(field: string, name: string): void {
  checkText(field, name);
  if (name !== '') return;
  throw new InputError({ code: 'empty-name', message: `${field} must not be empty` });
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Text that every store gives back as it was: half a surrogate pair is no character, and is not. */
function checkText(field: string, text: string): void {
  if (typeof text === 'string' && !LONE_SURROGATE.test(text)) return;
  throw new InputError({
    code: 'not-text',
    message: `${field} must be text`,
    got: typeof text === 'string' ? JSON.stringify(text) : String(text),
  });
}

function checkOneOf(field: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw new InputError({
    code: 'unknown-choice',
    message: `${field} is one of the words given`,
    expected: choices.join(' or '),
    got: String(value),
    ...withNearest(String(value), choices),
  });
}

/** The error for a name that is not there, with the one that is. */
export function unknownName(
  code: 'unknown-pool' | 'unknown-parent' | 'unknown-hold',
  name: string,
  candidates: readonly string[],
): InputError {
  const what = code.slice('unknown-'.length);
  const message =
    what === 'parent' ? `there is no pool "${name}" to be a parent` : `there is no ${what} "${name}"`;
  return new InputError({ code, message, got: String(name), ...withNearest(String(name), candidates) });
}

function withNearest(word: string, candidates: readonly string[]): { readonly nearest?: string } {
  const name = nearest(word, candidates);
  return name === undefined ? {} : { nearest: name };
}
