// Rules about whether such a batch should run this way at all: who waits for it, what comes after a missed
// night, and who else looks after its deadlines.

import { formatDuration } from '../../base/units.ts';
import type { JobClass } from '../../scenario/scenario.ts';
import type { StatedOfClass } from '../../scenario/stated.ts';
import type { Found, LintInput, Rules } from './rule.ts';

/** Somebody who waits less than this looks at the screen meanwhile. */
const INTERACTIVE_MS = 2_000;

export const FIT_RULES = {
  'interactive-calls': {
    why: 'A queue that may wait for tokens, and for tomorrow, is the wrong place for somebody who looks at a screen.',
    find: (input) =>
      eachClass(input, ({ name }, { answerWithinMs }, path) => {
        if (answerWithinMs === undefined || answerWithinMs >= INTERACTIVE_MS) return [];
        const message = `${name} has to answer within ${formatDuration(answerWithinMs)}: somebody waits for it`;
        const figure = { measured: answerWithinMs, limit: INTERACTIVE_MS, unit: 'ms' } as const;
        return [{ path: [...path, 'answerWithin'], message, figure }];
      }),
  },
  'must-finish-tonight': {
    why: 'Deferring is the safety valve; where no later night counts there is none, and capacity has to be bought for the worst night.',
    find: (input) =>
      eachClass(input, ({ name }, { mustFinishTonight }, path) => {
        if (!mustFinishTonight) return [];
        const message = `${name} has to be done in the window that it arrives in`;
        return [{ path: [...path, 'mustFinishTonight'], message }];
      }),
  },
  'not-idempotent': {
    why: 'A hold that expires under a worker that was only slow lets the job run twice; its effects must bear that.',
    find: (input) =>
      eachClass(input, ({ name }, { idempotent }, path) => {
        if (idempotent) return [];
        const message = `${name} may not be done twice, and after a crash or a long pause it will be`;
        return [{ path: [...path, 'idempotent'], message }];
      }),
  },
  'deadline-per-job': {
    why: 'Two deadlines for one call quarrel: the clamp is for a window that is killed as a whole.',
    find: ({ stated }) =>
      stated.deadlinePerJob
        ? [
            {
              path: ['window', 'deadlinePerJob'],
              message: 'the scheduler hands each job a deadline already; the budget adds a second one',
            },
          ]
        : [],
  },
} as const satisfies Rules;

function eachClass(
  { scenario, stated }: LintInput,
  find: (jobClass: JobClass, stated: StatedOfClass, path: readonly (string | number)[]) => readonly Found[],
): readonly Found[] {
  return scenario.jobs.flatMap((jobClass, position) =>
    find(jobClass, stated.classes[position]!, ['jobs', position]),
  );
}
