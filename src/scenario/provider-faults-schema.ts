// What a provider does beside answering: it limits, slows down, fails for a while, and bills what nobody
// waited for.

import { incidents, slowIncidents } from './incidents-schema.ts';
import { count, flag, oneOf, plainNumber, strictMap, tokens } from './quantity-schema.ts';
import { orNone } from './shape-schema.ts';

const limitsMap = strictMap({
  requests: count('Requests a minute.', { from: 1 }).optional(),
  tokens: tokens('Tokens a minute.', { from: 1 }).optional(),
  counts: oneOf('Which tokens.', ['input', 'output', 'both']).prefault('both'),
  charge: oneOf(
    'use: input at once and output as the call ends; declared: the declared maximum at once, corrected as the call ends.',
    ['use', 'declared'],
  ).prefault('use'),
  enforced: oneOf("A bucket of one minute's or of one second's worth.", ['minute', 'second']).prefault(
    'minute',
  ),
  concurrency: count('Calls under way at once.', { from: 1 }).optional(),
  retryAfter: flag('Does a refusal say how long to stay away?').prefault(true),
});

export const limitsSchema = orNone(
  'limits',
  limitsMap,
  'What the provider lets through; the rest is answered 429 at once.',
);

const slowdownMap = strictMap({
  from: count('Calls at once that it serves at full speed.', { from: 1 }),
  factor: plainNumber('What each call beyond them multiplies the latency of the one that begins by.', {
    from: 1,
  }),
});

export const slowdownSchema = orNone('slowdown', slowdownMap, 'How it slows down with calls under way.');

export const outagesSchema = incidents(
  'Periods in which every call is answered with a server error; those under way break off as one begins.',
);

export const slowSchema = slowIncidents('Periods in which calls take longer.');

export const billingSchema = strictMap({
  abandoned: oneOf(
    'What a call that was given up bills. generated: its input and what it generated until then; input: its input alone.',
    ['generated', 'input'],
  ).prefault('generated'),
}).describe('What is billed.');
