// When the means that somebody named are all precise enough.

import { PrecisionWatch } from './estimates/precision.ts';
import type { Metric } from './metrics.ts';
import type { ReplicationRecord } from './replication-record.ts';

/**
 * Asked after each replication, in order.
 *
 * @param metrics at least one; a replication without a figure does not count for it
 * @param precision half-width ÷ mean, above 0 @param alpha of each bound, above 0 and below ½
 */
export function precisionReached(
  metrics: readonly Metric[],
  precision: number,
  alpha: number,
): (record: ReplicationRecord) => boolean {
  const watches = metrics.map((metric) => ({ metric, watch: new PrecisionWatch(precision, alpha) }));
  return ({ worst }) => {
    for (const { metric, watch } of watches) {
      const figure = worst[metric];
      if (figure !== null) watch.add(figure.value);
    }
    return watches.every(({ watch }) => watch.isReached);
  };
}
