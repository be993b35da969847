// Where PostgreSQL is and what its errors mean here. The driver is loaded on first use, so that the package
// can be imported where it is not installed. No message names the user or the password.

import { createRequire } from 'node:module';
import type pg from 'pg';
import {
  EnvironmentError,
  InputError,
  InvariantBroken,
  type LedgerTrouble,
  LedgerUnavailable,
} from '../base/errors.ts';

type Driver = typeof pg;

/** @throws EnvironmentError `missing-package` where pg is not installed or does not load */
export function loadDriver(load: (name: string) => unknown = createRequire(import.meta.url)): Driver {
  try {
    return load('pg') as Driver;
  } catch (cause) {
    throw new EnvironmentError(
      'missing-package',
      'PostgresLedger needs the package "pg", which could not be loaded: npm install pg',
      { cause },
    );
  }
}

/** A server's database, and what may be said of it. */
export interface PostgresPlace {
  readonly url: string;
  /** Without user and password: `postgres://host:5432/database`. */
  readonly shown: string;
}

/** @throws InputError `malformed-url`, which does not repeat the URL: it may name a password */
export function parsePostgresUrl(url: string): PostgresPlace {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    throw malformedUrl('postgres://user:password@host:5432/database');
  }
  const host = parsed.searchParams.get('host') ?? parsed.hostname;
  if (host === '' || /^\/*$/.test(parsed.pathname)) throw malformedUrl('a host and a database');
  try {
    decodeURIComponent(`${parsed.username}${parsed.password}${parsed.pathname}`);
  } catch {
    throw malformedUrl('every % to begin an escape such as %40');
  }
  return { url, shown: `postgres://${host}:${parsed.port || '5432'}${parsed.pathname}` };
}

function malformedUrl(expected: string): InputError {
  return new InputError({
    code: 'malformed-url',
    message:
      'the URL of the PostgreSQL ledger cannot be read (it is not repeated here: it may name a password)',
    expected,
  });
}

type Meaning = readonly [code: LedgerTrouble, message: (where: string) => string];

const UNREACHABLE: Meaning = [
  'unreachable',
  (where) =>
    `no PostgreSQL server answers at ${where}, or it went away; is it running, and its name and port right?`,
];
const BUSY: Meaning = ['busy', (where) => `the ledger at ${where} is busy: it gave up waiting for others`];
const ACCESS_DENIED: Meaning = [
  'access-denied',
  (where) => `the server at ${where} does not let this user in: a wrong or missing password, or no such user`,
];
const NO_LEDGER: Meaning = [
  'no-ledger',
  (where) => `there is no ledger at ${where}; make one: plimsoll ledger migrate --ledger postgres://…`,
];
const CANNOT_WRITE: Meaning = [
  'cannot-write',
  (where) => `the server at ${where} cannot be written to: it is read-only, or its disk is full`,
];

/** By SQLSTATE, or by its class, its first two characters. */
const BY_STATE: Readonly<Record<string, Meaning>> = {
  '08': UNREACHABLE,
  '57P01': UNREACHABLE,
  '57P02': UNREACHABLE,
  '57P03': UNREACHABLE,
  '40001': BUSY,
  '40P01': BUSY,
  '55P03': BUSY,
  '57014': BUSY,
  '53300': ['busy', (where) => `the server at ${where} takes no more connections; raise its max_connections`],
  '28': ACCESS_DENIED,
  '3D000': ['no-such-database', (where) => `the server has no such database: ${where}`],
  '42501': [
    'no-rights',
    (where) => `this user has no rights on the ledger at ${where}; grant them, or use its owner`,
  ],
  '3F000': NO_LEDGER,
  '42P01': NO_LEDGER,
  '42883': NO_LEDGER,
  '25006': CANNOT_WRITE,
  '53100': CANNOT_WRITE,
};

/** Of the driver's and the operating system's errors, which have no SQLSTATE. */
const BY_WORDS: readonly (readonly [words: RegExp, Meaning])[] = [
  [/^SASL|password/i, ACCESS_DENIED],
  [/terminated|timeout|timed out|not queryable|socket|stream/i, UNREACHABLE],
  [/after calling end/, ['failed', (where) => `the ledger at ${where} was closed`]],
];

/** What the ledger's caller is told when the driver threw; a mistake or a bug of ours goes on as it is. */
export function translateError(error: unknown, where: string): unknown {
  if (!(error instanceof Error) || OURS.some((kind) => error instanceof kind)) return error;
  const [code, message] = meaningOf(error) ?? [
    'failed',
    () => `the ledger at ${where} failed: ${error.message}`,
  ];
  return new LedgerUnavailable(code, message(where), { cause: error });
}

const OURS = [EnvironmentError, InputError, InvariantBroken, RangeError, TypeError];

function meaningOf(error: Error): Meaning | undefined {
  const state = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if ('severity' in error) return BY_STATE[state] ?? BY_STATE[state.slice(0, 2)];
  if (/^E[A-Z_]+$/.test(state)) return UNREACHABLE;
  return BY_WORDS.find(([words]) => words.test(error.message))?.[1];
}

/** Worth another try with the same id: nobody knows whether the last one was heard. */
export function isTransient(error: unknown): boolean {
  return error instanceof LedgerUnavailable && error.isTransient;
}

/** Somebody else wrote the same key first; asked again, the operation finds it there. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
