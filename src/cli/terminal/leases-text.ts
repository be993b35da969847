// What `leases` says to a person: a line for each length, and where the pool only looked used up.

import { plainFigures as figures } from '../../report/figures.ts';
import { plainName } from '../../report/names.ts';
import type { LeaseLength } from '../../study/lease-lengths.ts';
import type { StrandedTime } from '../../study/stranded-time.ts';
import { page, paragraph, table } from './layout.ts';
import type { Colours } from './terminal.ts';

export interface LeasesFound {
  readonly scenario: string;
  readonly replications: number;
  readonly lengths: readonly LeaseLength[];
  /** Replication 0 of the scenario as it is. */
  readonly stranded: StrandedTime;
}

export function leasesText(found: LeasesFound, { bold, dim, yellow }: Colours): string {
  const { scenario, replications, lengths, stranded } = found;
  const heads = ['done', 'done twice', 'stranded', 'phantom refusals'];
  const rows = lengths.map((one) => [
    figures.duration(one.leaseMs),
    mean(one.done),
    mean(one.duplicatedJobs),
    figures.tokens(Math.round(one.strandedTokenMinutes)),
    mean(one.phantomRefusals),
  ]);
  const alarms = stranded.phantoms.map(({ night, fromMs, toMs, refusals, strandedShare }) =>
    paragraph(
      `Night ${figures.count(night)}, ${figures.duration(fromMs)} to ${figures.duration(toMs)}: ${figures.counted(refusals, 'refusal')} while ${figures.percent(strandedShare)} of the pool was in holds of workers that were gone.`,
      `  ${yellow('!')} `,
      '    ',
    ),
  );
  return page(
    bold(
      `${plainName(scenario)}: lengths of lease, means of ${figures.counted(replications, 'replication')}`,
    ),
    table([{ head: 'lease' }, ...heads.map((head) => ({ head }))], rows, dim),
    paragraph(
      dim(
        'done twice: taken up while another worker was still at work on it; stranded: tokens × minutes in holds of workers that are gone; phantom: refused while more than 20% of the pool was.',
      ),
      '  ',
    ),
    alarms.length === 0
      ? undefined
      : [bold('Only looked used up, in replication 0 as it is'), ...alarms].join('\n'),
  );
}

/** A mean is rarely whole. */
function mean(value: number): string {
  return value < 10 && !Number.isInteger(value) ? value.toFixed(2) : figures.count(Math.round(value));
}
