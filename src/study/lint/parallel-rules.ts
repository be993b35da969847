// Rules about how much is under way at once: lanes that nothing ever keeps busy, and retries that multiply.

import { formatCount } from '../../base/units.ts';
import { lanesOf } from './all-lanes.ts';
import { type LetThrough, letThrough } from './let-through.ts';
import type { Rules } from './rule.ts';

export const PARALLEL_RULES = {
  'lanes-over-ceiling': {
    why: 'Lanes beyond the in-flight ceiling only wait for tokens; they cost connections and hide the real limit.',
    find: ({ scenario, plan }) => {
      if (scenario.pool === undefined || scenario.policy.admission !== 'envelope') return [];
      const lanes = lanesOf(scenario);
      const ceilings = plan.classes.flatMap(({ count, maxInFlight }) =>
        count === 0 || maxInFlight === null ? [] : [maxInFlight],
      );
      const ceiling = Math.max(...ceilings);
      if (ceilings.length === 0 || lanes <= ceiling) return [];
      const message = `of ${formatCount(lanes)} lanes at most ${formatCount(ceiling)} are busy at once, even with the smallest envelopes: the pool holds no more`;
      return [{ path: ['lanes'], message, figure: { measured: lanes, limit: ceiling, unit: 'count' } }];
    },
  },
  'lanes-over-limits': {
    why: 'What the provider lets through is shared by all lanes: the others earn refusals, and use up attempts.',
    find: (input) => {
      const { limits } = input.scenario.provider;
      if (limits === undefined) return [];
      const lanes = lanesOf(input.scenario);
      const [tightest] = letThrough(input, limits).toSorted((one, other) => one.lanes - other.lanes);
      const busy = Math.ceil(tightest?.lanes ?? lanes);
      if (tightest === undefined || lanes <= busy) return [];
      const { setTo, limit } = tightest;
      const message = `of ${formatCount(lanes)} lanes the provider keeps ${formatCount(busy)} busy: ${formatCount(setTo)} ${LIMIT_WORDS[limit]}`;
      const figure = { measured: lanes, limit: busy, unit: 'count' } as const;
      return [{ path: ['lanes'], message, figure }];
    },
  },
  'retries-multiplied': {
    why: 'Two layers of retries multiply: an outage is met with many times the calls, and most of them nobody sees.',
    find: ({ plan: { retries } }) => {
      if (retries === null || retries.clientAttempts === 1) return [];
      const { workerAttempts, clientAttempts } = retries;
      const calls = workerAttempts * clientAttempts;
      const message = `${formatCount(workerAttempts)} attempts of the worker times ${formatCount(clientAttempts)} of the client are up to ${formatCount(calls)} calls for one job`;
      const figure = { measured: calls, limit: workerAttempts, unit: 'count' } as const;
      return [{ path: ['client', 'attempts'], message, figure }];
    },
  },
} as const satisfies Rules;

const LIMIT_WORDS: Readonly<Record<LetThrough['limit'], string>> = {
  concurrency: 'calls at once',
  requests: 'requests a minute',
  tokens: 'tokens a minute',
};
