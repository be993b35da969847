import { describe, expect, it } from 'vitest';
import type { ProviderLimits } from '../../src/scenario/scenario.ts';
import { RateLimiter } from '../../src/world/rate-limiter.ts';

function limiter(over: Partial<ProviderLimits>): RateLimiter {
  const none = { requests: undefined, tokens: undefined, concurrency: undefined };
  const limits = { ...none, counts: 'both', charge: 'use', enforced: 'minute', retryAfter: true } as const;
  return new RateLimiter({ ...limits, ...over }, 0);
}

const letIn = { isLetIn: true };
const refused = (retryAfterMs: number | undefined) => ({ isLetIn: false, retryAfterMs });
const call = { inputTokens: 600, declaredTokens: 300 };

describe('requests', () => {
  it('beyond the rate are told when the next one passes, in whole seconds', () => {
    // One in 7.5 s.
    const one = limiter({ requests: 8, enforced: 'second' });
    expect(one.ask(call, 0)).toEqual(letIn);
    expect(one.ask(call, 0)).toEqual(refused(8_000));
    expect(one.ask(call, 7_000)).toEqual(refused(1_000));
    expect(one.ask(call, 7_500)).toEqual(letIn);
  });

  it('are told nothing where the provider says nothing', () => {
    const one = limiter({ requests: 1, retryAfter: false });
    expect(one.ask(call, 0)).toEqual(letIn);
    expect(one.ask(call, 0)).toEqual(refused(undefined));
  });
});

describe('calls at once', () => {
  it('are let in as others end', () => {
    const two = limiter({ concurrency: 2 });
    expect([two.ask(call, 0), two.ask(call, 0), two.ask(call, 0)]).toEqual([letIn, letIn, refused(1_000)]);
    two.ended(call, 100, 5_000);
    expect([two.ask(call, 5_000), two.ask(call, 5_000)]).toEqual([letIn, refused(1_000)]);
  });

  it('that were refused for tokens are not under way', () => {
    const one = limiter({ concurrency: 1, tokens: 1_000 });
    expect(one.ask({ inputTokens: 1_000, declaredTokens: 0 }, 0)).toEqual(letIn);
    one.ended(call, 0, 0);
    expect(one.ask(call, 0)).toEqual(refused(36_000));
    expect(one.ask(call, 36_000)).toEqual(letIn);
  });
});

describe('tokens of a thousand a minute', () => {
  it('charged on use: the input at once, the output as the call ends', () => {
    const used = limiter({ tokens: 1_000 });
    expect(used.ask(call, 0)).toEqual(letIn);
    // 400 are left: 200 are missing, at 60 ms each.
    expect(used.ask(call, 0)).toEqual(refused(12_000));
    used.ended(call, 250, 0);
    expect(used.ask(call, 0)).toEqual(refused(27_000));
  });

  it('charged as declared: the most at once, what was not used as the call ends', () => {
    const declared = limiter({ tokens: 1_000, charge: 'declared' });
    expect(declared.ask(call, 0)).toEqual(letIn);
    // 100 are left of 1,000: 800 are missing.
    expect(declared.ask(call, 0)).toEqual(refused(48_000));
    declared.ended(call, 100, 0);
    // 200 came back.
    expect(declared.ask(call, 0)).toEqual(refused(36_000));
  });

  it('of input alone do not count the output', () => {
    const input = limiter({ tokens: 1_000, counts: 'input', charge: 'declared' });
    expect(input.ask(call, 0)).toEqual(letIn);
    input.ended(call, 300, 0);
    expect(input.ask(call, 0)).toEqual(refused(12_000));
  });

  it('of output alone let calls in until an output has left a debt', () => {
    const output = limiter({ tokens: 1_000, counts: 'output' });
    expect(output.ask(call, 0)).toEqual(letIn);
    output.ended(call, 1_500, 0);
    expect(output.ask(call, 0)).toEqual(refused(30_000));
    expect(output.ask(call, 30_000)).toEqual(letIn);
  });

  it('that one call overdrew tenfold take ten minutes', () => {
    const used = limiter({ tokens: 1_000 });
    expect(used.ask(call, 0)).toEqual(letIn);
    used.ended(call, 9_800, 0);
    // 9,400 of debt, and 600 for the next one: ten minutes.
    expect(used.ask(call, 0)).toEqual(refused(600_000));
  });
});
