import { describe, expect, test } from 'vitest';
import { exponential } from '../../../src/sim/distributions/exponential.ts';
import { isConstant, isFreeOfChance } from '../../../src/study/gate/constant-metric.ts';
import { play } from '../../../src/world/play.ts';
import { CALM, jobClass, pool, scenario } from '../../world/scenario-fixture.ts';

const base = scenario();
const spread = exponential({ mean: 1_000 });
const incidents = { at: [], random: { betweenMs: 3_600_000, lasts: spread } };

describe('a scenario', () => {
  test('of constants alone is free of chance', () => {
    expect(isFreeOfChance(base)).toBe(true);
    expect(isFreeOfChance(scenario({ pool: pool(), nights: 3 }))).toBe(true);
  });

  test.each([
    ['a distribution', { store: { ...base.store, write: spread } }],
    ['a share of hangs', { provider: { ...base.provider, hangs: 0.01 } }],
    ['a shuffled order', { order: 'shuffled' }],
    ['outages at random', { provider: { ...base.provider, ...CALM, outages: incidents } }],
    [
      'tokens of a class',
      { jobs: [jobClass({ tokens: { kind: 'independent', input: spread, output: spread } })] },
    ],
    ['something that nobody has looked into', { tides: { high: 1 } }],
    ['a class with something of that kind', { jobs: [{ ...jobClass(), tides: 1 }] }],
  ] as const)('with %s is not', (_what, over) => {
    expect(isFreeOfChance({ ...base, ...over })).toBe(false);
  });
});

describe('a metric', () => {
  test('is constant where nothing is left to chance and no retry drew its pause', () => {
    expect(isConstant('done', base, play(base).nights)).toBe(true);
    const late = scenario({ window: { ...base.window, lastsMs: 100_000 } });
    // Its last call is cut off by its grant, and a second attempt would wait for a drawn while.
    const { nights } = play(late);
    expect(nights[0]!.timeouts).toBeGreaterThan(0);
    expect(isConstant('done', late, nights)).toBe(false);
    const drawless = { ...late, backoff: { ...late.backoff, jitter: 'none' as const } };
    expect(isConstant('done', drawless, play(drawless).nights)).toBe(true);
  });

  test('is constant where it cannot happen, whatever else is left to chance', () => {
    const chancy = scenario({ provider: { ...base.provider, invalid: 0.1 } });
    const { nights } = play(chancy);
    const constant = ['errors', 'rateLimited', 'hiddenCalls', 'refused'] as const;
    expect(constant.map((metric) => isConstant(metric, chancy, nights))).toEqual([true, true, true, true]);
    expect(isConstant('invalid', chancy, nights)).toBe(false);
    // That nothing was lost is luck, not construction.
    expect(isConstant('lostWrites', chancy, nights)).toBe(false);
  });
});
