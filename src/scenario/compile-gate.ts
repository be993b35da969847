// The checks of limits that need more than the limit itself: a pool that is not there has no figures.

import { nearest } from '../base/nearest.ts';
import type { Findings } from './findings.ts';
import { POOLED } from './gate-metrics.ts';
import type { MetricLimit } from './gate-schema.ts';
import type { ScenarioRemainder } from './scenario-schema.ts';

export function checkGate({ gate, pool }: ScenarioRemainder, findings: Findings): void {
  if (findings.isBroken(['pool'])) return;
  const pools = pool === undefined ? [] : [pool.name];
  for (const [position, limit] of gate.entries()) {
    if (limit?.kind === 'metric') checkPool(limit, position, pools, findings);
  }
}

function checkPool(limit: MetricLimit, position: number, pools: readonly string[], findings: Findings): void {
  const { metric, pool } = limit;
  const isOfPools = POOLED.has(metric) || metric === 'refusalRate';
  if (isOfPools && pools.length === 0) {
    const message = `there is no pool, and so no ${metric}`;
    findings.report(['gate', position, pool === undefined ? 'metric' : 'pool'], { code: 'no-pool', message });
  } else if (pool !== undefined && !pools.includes(pool)) {
    const meant = nearest(pool, pools);
    findings.report(['gate', position, 'pool'], {
      code: 'unknown-pool',
      message: `there is no pool "${pool}"`,
      expected: pools.join(', '),
      ...(meant === undefined ? {} : { nearest: meant }),
    });
  }
}
