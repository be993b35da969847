// Rules about time: what the window has to hold, what is held back of it, and what a call takes.

import { formatCount, formatDuration, formatPercent } from '../../base/units.ts';
import { expectCall } from '../../world/call-expectation.ts';
import { lanesOf } from './all-lanes.ts';
import type { LintInput, Rules } from './rule.ts';

/** Quicker calls cost less than looking after them. */
const QUICK_MS = 1_000;
const MOST_CALLS = 0.5;
const SHORT_SLACK_MS = 3_600_000;

export const TIME_RULES = {
  'worst-case-over-window': {
    why: 'Sooner or later a night comes in which everything times out, and a worker that does not look at the deadline is then killed in mid-call.',
    find: ({ plan: { worstCase } }) => {
      const { elapsedMs, windowMs, reserveMs, fits } = worstCase;
      if (fits) return [];
      const usableMs = Math.max(0, windowMs - reserveMs);
      const message = `the worst case takes ${formatDuration(elapsedMs)}, and the window less the reserve is ${formatDuration(usableMs)}`;
      return [
        {
          path: ['window', 'lasts'],
          message,
          figure: { measured: elapsedMs, limit: usableMs, unit: 'ms' },
        },
      ];
    },
  },
  'short-reserve': {
    why: 'What is not durable at the kill is lost: the call was paid for, and the job is done again.',
    find: ({ scenario, finalWritesMs }) => {
      const { budget } = scenario;
      const needMs = finalWritesMs();
      if (needMs <= budget.reserveMs) return [];
      const message = `the last writes of ${formatCount(lanesOf(scenario))} lanes, with settles and flush, take ${formatDuration(needMs)} at p99, and ${formatDuration(budget.reserveMs)} is held back`;
      return [
        {
          path: ['budget', 'reserve'],
          message,
          figure: { measured: needMs, limit: budget.reserveMs, unit: 'ms' },
        },
      ];
    },
  },
  'floor-above-latency': {
    why: 'Near the deadline calls are declined that would have had time enough.',
    find: (input) => {
      const { floorMs } = input.scenario.budget;
      const ratio = quickerThan(input, floorMs);
      if (ratio <= MOST_CALLS) return [];
      const message = `${formatPercent(ratio)} of all calls answer within the floor of ${formatDuration(floorMs)}`;
      return [
        {
          path: ['budget', 'floor'],
          message,
          figure: { measured: ratio, limit: MOST_CALLS, unit: 'ratio' },
        },
      ];
    },
  },
  'sub-second-calls': {
    why: 'Holds, leases and checkpoints are worth their cost where a call takes seconds; many quick calls are better batched.',
    find: (input) => {
      const ratio = quickerThan(input, QUICK_MS);
      if (ratio <= MOST_CALLS) return [];
      const message = `${formatPercent(ratio)} of all calls answer within a second`;
      return [
        {
          path: ['provider', 'latency'],
          message,
          figure: { measured: ratio, limit: MOST_CALLS, unit: 'ratio' },
        },
      ];
    },
  },
  'short-slack': {
    why: 'Free capacity pays for waiting: what has to be done within the hour cannot wait for the next opening.',
    find: ({ scenario, isWritten }) =>
      scenario.jobs.flatMap(({ name, slackMs }, position) => {
        const path = ['jobs', position, 'slack'];
        if (slackMs >= SHORT_SLACK_MS || !isWritten(path)) return [];
        const message = `${name} has a slack of ${formatDuration(slackMs)}, less than an hour`;
        return [{ path, message, figure: { measured: slackMs, limit: SHORT_SLACK_MS, unit: 'ms' } }];
      }),
  },
} as const satisfies Rules;

/** Of all jobs' calls, those that have answered by then; 0 where there are none. */
function quickerThan({ scenario: { jobs, provider } }: LintInput, ms: number): number {
  // Of such calls nothing is known but that they take what they are given.
  if (provider.latency.kind === 'whole-grant') return 0;
  let calls = 0;
  let quick = 0;
  for (const { count, tokens } of jobs) {
    calls += count;
    quick += count * (1 - expectCall(provider.latency, tokens.output, ms).lateRatio);
  }
  return calls === 0 ? 0 : quick / calls;
}
