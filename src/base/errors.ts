// The four kinds of trouble, never mixed: a bug (an assertion throws, nobody catches it), bad input
// (a located message with the fix), an expected outcome (returned, never thrown, so not here) and an
// environment that failed (named, with its cause).

/** Where a problem was found; all parts optional, because not every input is a file. */
export interface Place {
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
  /** A command line flag, as typed: `--seed`. */
  readonly flag?: string;
}

/** One thing wrong with an input, and what would be right. */
export interface Problem {
  /** Stable, kebab-case: `unknown-key`, `wrong-unit`, … */
  readonly code: string;
  readonly message: string;
  readonly place?: Place;
  readonly expected?: string;
  readonly got?: string;
  /** The nearest right name, where the wrong one looks like a misspelling. */
  readonly nearest?: string;
}

/** The user's input is wrong. Carries every problem found, so that several are mended in one go. Exit 2. */
export class InputError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: Problem | readonly Problem[]) {
    const list = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem];
    super(list.map(describeProblem).join('\n'));
    this.name = 'InputError';
    this.problems = list;
  }

  get code(): string {
    return this.problems[0]?.code ?? 'input';
  }
}

/** `file:12:3: message (expected …, got …). Did you mean …?` in one line. */
export function describeProblem(problem: Problem): string {
  const where = describePlace(problem.place);
  const facts = [
    problem.expected === undefined ? undefined : `expected ${problem.expected}`,
    problem.got === undefined ? undefined : `got ${problem.got}`,
  ].filter((fact) => fact !== undefined);
  const tail = facts.length > 0 ? ` (${facts.join(', ')})` : '';
  const hint = problem.nearest === undefined ? '' : ` Did you mean "${problem.nearest}"?`;
  return `${where}${problem.message}${tail}${hint && (tail || !/[.?!]$/.test(problem.message)) ? `.${hint}` : hint}`;
}

function describePlace(place: Place | undefined): string {
  if (place === undefined) return '';
  if (place.flag !== undefined) return `${place.flag}: `;
  const parts = [place.file, place.line, place.column].filter((part) => part !== undefined);
  return parts.length > 0 ? `${parts.join(':')}: ` : '';
}

/** Something outside Plimsoll failed: a store, a disk, a network. The worker fails closed. Exit 5. */
export class EnvironmentError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'EnvironmentError';
    this.code = code;
  }
}

/** Why a ledger could not answer. */
export type LedgerTrouble =
  | 'busy'
  | 'unreachable'
  | 'not-a-database'
  | 'cannot-write'
  | 'access-denied'
  | 'no-such-database'
  | 'no-rights'
  | 'no-ledger'
  | 'older-schema'
  | 'newer-schema'
  | 'failed';

/** A ledger could not answer. `busy` and `unreachable` are worth a bounded wait and another try; nothing else is. */
export class LedgerUnavailable extends EnvironmentError {
  constructor(code: LedgerTrouble, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
    this.name = 'LedgerUnavailable';
  }

  /** It may pass by itself. Whether the operation was done is not known: ask again with the same id. */
  get isTransient(): boolean {
    return this.code === 'busy' || this.code === 'unreachable';
  }
}

/** A bug in Plimsoll: an invariant does not hold. Nobody catches it. */
export class InvariantBroken extends Error {
  readonly invariant: string;
  /** What was seen instead. */
  readonly detail: string;

  constructor(invariant: string, detail: string, options?: { cause?: unknown }) {
    super(`invariant broken: ${invariant}: ${detail}`, options);
    this.name = 'InvariantBroken';
    this.invariant = invariant;
    this.detail = detail;
  }
}

/** Throws `InvariantBroken` unless `holds`. `detail` is only built when it is needed. */
export function invariant(holds: boolean, name: string, detail: () => string): asserts holds {
  if (!holds) throw new InvariantBroken(name, detail());
}
