import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { NightPlan, PlannedClass } from '../../src/plan/night-plan.ts';
import { planNight } from '../../src/plan/plan-night.ts';
import { pareto } from '../../src/sim/distributions/pareto.ts';
import { planInput } from '../../src/world/plan-input.ts';
import { play } from '../../src/world/play.ts';
import { planSchema, runSchema } from '../../src/world/result-schema.ts';
import type { RunResult } from '../../src/world/run-result.ts';
import { jobClass, pool, scenario } from './scenario-fixture.ts';

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** With and without a pool, cut off, refused, too large, without jobs, with a mean that does not exist. */
const SCENARIOS = {
  plain: scenario(),
  pooled: scenario({ pool: pool({ capacity: 15_000 }), nights: 2 }),
  inadmissible: scenario({ pool: pool({ capacity: 1_000 }) }),
  counted: scenario({
    pool: pool({ capacity: 5_000 }),
    policy: { timeouts: 'fixed', admission: 'shared-counter', reclaim: 'charge' },
  }),
  killed: scenario({
    window: { lastsMs: 50_000, everyMs: 86_400_000 },
    policy: { timeouts: 'fixed', admission: 'envelope', reclaim: 'refund' },
  }),
  empty: scenario({ jobs: [], pool: pool() }),
  heavyTailed: scenario({ store: { write: pareto({ min: 10, alpha: 0.9 }), writers: 1, flushMs: 0 } }),
  faulty: scenario({
    provider: { ...scenario().provider, hangs: 0.3, errors: 0.3, invalid: 0.3 },
    jobs: [jobClass({ count: 40 })],
  }),
};

describe('the schemas of the results', () => {
  test.each(Object.entries(SCENARIOS))('hold what is planned and played: %s', (_name, one) => {
    const compared = { ...one, compare: [{ name: 'same', scenario: one }] };
    expect(planSchema.safeParse(throughJson(planNight(planInput(compared)))).error).toBeUndefined();
    expect(runSchema.safeParse(throughJson(play(compared))).error).toBeUndefined();
  });

  test('have every field of the types, of the same kind', () => {
    // A mean job that does not exist is infinite in memory, and null in JSON.
    expectTypeOf<NightPlan>().toExtend<Frozen<z.output<typeof planSchema>>>();
    expectTypeOf<RunResult>().toExtend<Frozen<z.output<typeof runSchema>>>();
    expectTypeOf<z.output<typeof runSchema>>().toExtend<RunResult>();
    expectTypeOf<keyof z.output<typeof planSchema>>().toEqualTypeOf<keyof NightPlan>();
    expectTypeOf<keyof z.output<typeof planSchema>['classes'][number]>().toEqualTypeOf<keyof PlannedClass>();
  });

  test('refuse a field that nobody documented', () => {
    const run = { ...play(scenario()), extra: 1 };
    expect(runSchema.safeParse(run).error?.issues[0]?.code).toBe('unrecognized_keys');
  });
});

type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value;
