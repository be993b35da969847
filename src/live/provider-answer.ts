// What a user's call may answer, and what the worker is told of it. An answer was paid for: nonsense beside
// the result (a usage that is no count of tokens) is dropped with a warning, never the result with it.

import { nearest } from '../base/nearest.ts';
import { checkDurationMs, checkTokens } from '../base/tokens.ts';
import type { CallAnswer, Usage } from '../worker/effects.ts';
import type { WarnOnce } from './warn-once.ts';

/** What the provider said. A throw says that it said nothing. */
export interface ProviderAnswer<Result = unknown> {
  /**
   * `ok`: done. `invalid`: an answer that cannot be used, worth another attempt. `rate-limited` and
   * `server-error`: worth another attempt too. `rejected`: final, the job has failed.
   */
  readonly outcome: 'ok' | 'invalid' | 'rate-limited' | 'server-error' | 'rejected';
  readonly result?: Result | undefined;
  /** Tokens billed for this call. Without it the attempt costs nothing, or `abandonedUsage` if `ok` or `invalid`. */
  readonly usage?: Usage | undefined;
  /** Nobody in this process calls again for so many milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** For the run's result; never looked into. */
  readonly error?: unknown;
}

const OUTCOMES = ['ok', 'invalid', 'rate-limited', 'server-error', 'rejected'];

/** The answer as the worker may have it. An outcome that does not exist counts as a throw. */
export function readProviderAnswer(answer: unknown, warnings: WarnOnce): CallAnswer {
  if (!isProviderAnswer(answer)) return misunderstood(answer, warnings);
  const usage = readUsage(answer.usage, warnings);
  const retryAfterMs = readRetryAfter(answer.retryAfterMs, warnings);
  return {
    outcome: answer.outcome,
    ...(answer.result === undefined ? {} : { result: answer.result }),
    ...(usage === undefined ? {} : { usage }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(answer.error === undefined ? {} : { error: answer.error }),
  };
}

function isProviderAnswer(answer: unknown): answer is ProviderAnswer {
  return typeof answer === 'object' && answer !== null && OUTCOMES.includes(outcomeOf(answer) as string);
}

function outcomeOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'outcome' in answer ? answer.outcome : undefined;
}

function misunderstood(answer: unknown, warnings: WarnOnce): CallAnswer {
  const outcome = outcomeOf(answer);
  const meant = typeof outcome === 'string' ? nearest(outcome, OUTCOMES) : undefined;
  const got = typeof outcome === 'string' ? JSON.stringify(outcome) : String(outcome);
  const message =
    `call must answer { outcome }, one of ${OUTCOMES.join(', ')}; got outcome ${got}, which counts as a throw` +
    (meant === undefined ? '' : `. Did you mean "${meant}"?`);
  warnings.warn({ code: 'unknown-outcome', message });
  return { outcome: 'threw', error: new TypeError(message) };
}

function readUsage(usage: Usage | undefined, warnings: WarnOnce): Usage | undefined {
  if (usage === undefined || usage === null) return undefined;
  try {
    const input = checkTokens('usage.input', usage.input);
    const output = checkTokens('usage.output', usage.output);
    checkTokens('usage.input + usage.output', input + output);
    return { input, output };
  } catch (error) {
    dropped('bad-usage', error, 'the attempt is settled with abandonedUsage, or nothing', warnings);
    return undefined;
  }
}

function readRetryAfter(retryAfterMs: number | undefined, warnings: WarnOnce): number | undefined {
  if (retryAfterMs === undefined || retryAfterMs === null) return undefined;
  try {
    return checkDurationMs('retryAfterMs', retryAfterMs);
  } catch (error) {
    dropped('bad-retry-after', error, 'it is ignored', warnings);
    return undefined;
  }
}

function dropped(code: string, error: unknown, consequence: string, warnings: WarnOnce): void {
  if (!(error instanceof RangeError)) throw error;
  const field = error.message.split(' must ')[0];
  warnings.warn(
    { code, message: `call answered nonsense: ${error.message}; ${consequence}` },
    `${code} ${field}`,
  );
}
