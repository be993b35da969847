// One call, raced against its grant. The grant's end aborts it and answers for it, whether or not the call
// listens to its signal: a body that stalls after the headers is cut off like a request that hangs.

import type { Clock } from '../base/clock.ts';
import { after } from './timers.ts';

export type CallEnd<Result> =
  | { readonly kind: 'answered'; readonly value: Result }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed-out' };

/**
 * Resolves, and never rejects, once the call ends or its grant does, whichever comes first; at the same
 * moment, the call. What an abandoned call comes to later is ignored.
 *
 * @param start begins the call; may throw, and need not be asynchronous
 * @param onAbort is handed what ends the call early, as `timed-out`; returns what forgets it again
 */
export function boundedCall<Result>(
  start: (signal: AbortSignal) => Result | PromiseLike<Result>,
  timeoutMs: number,
  { clock, onAbort }: { readonly clock: Clock; readonly onAbort: (abort: () => void) => () => void },
): Promise<CallEnd<Result>> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    let callOff = () => {};
    const forget = onAbort(() => cutOff('AbortError', 'the run ended'));
    const end = (how: CallEnd<Result>) => {
      callOff();
      forget();
      resolve(how);
    };
    const cutOff = (name: string, message: string) => {
      // Before the abort: a call that throws on it must not be heard.
      end({ kind: 'timed-out' });
      controller.abort(new DOMException(message, name));
    };
    const startedMs = clock.monotonicMs();
    new Promise<Result>((settle) => settle(start(controller.signal))).then(
      (value) => end({ kind: 'answered', value }),
      (error: unknown) => end({ kind: 'threw', error }),
    );
    // Set after the call began, so that of two timers for one moment the call's own comes first.
    const leftMs = Math.max(0, startedMs + timeoutMs - clock.monotonicMs());
    callOff = after(leftMs, () => cutOff('TimeoutError', `the call was granted ${timeoutMs} ms`));
  });
}
