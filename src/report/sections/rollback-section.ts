// How to stop, and what to keep: first nothing new, then what was left behind, then the books. In order, so
// that a hand that shakes only has to copy.

import { type Block, blocks, bullets, heading, paragraph, type Step, steps } from '../document.ts';
import type { ReportContext } from '../report-context.ts';

export function rollbackSection(context: ReportContext): readonly Block[] | undefined {
  const { summary } = context;
  if (summary.plan.worstCase.items === 0) return undefined;
  const withLedger = summary.rollout.length > 0;
  return blocks(
    heading(2, 'Rollback and cleanup'),
    paragraph(
      withLedger
        ? 'With the ledger and the pool as opened above. Pausing loses nothing: calls that are out may end, be written and settle.'
        : 'There is no ledger to wind up. Stop the batch: jobs that are not done stay pending, and come again on the next night.',
    ),
    withLedger ? steps(rollbackSteps(context)) : undefined,
    withLedger ? bullets(cleanup) : undefined,
  );
}

const cleanup = [
  'Drop the test database: the file that was rehearsed with, and those beside it that end in -wal and -shm.',
  'Keep the journal together with the bill of the same nights; what differs between them needs a cause.',
  'Copy the envelope table of this report into the runbook, and the three numbers at its top.',
];

function rollbackSteps({ summary, figures }: ReportContext): readonly Step[] {
  const first = summary.rollout[0];
  return [
    {
      text: 'Let nothing new in. Whoever asks is told that the pool is paused, and waits.',
      listing: { language: 'js', lines: ['ledger.pause({ pool });'] },
    },
    {
      text: 'Once the workers are gone, close what they left behind: a job that had been dispatched is charged, another gets its tokens back.',
      listing: {
        language: 'js',
        lines: [
          'let closed;',
          'do {',
          '  ({ closed } = ledger.reclaim({ pool, nowMs: realClock.wallMs(), force: true }));',
          '} while (closed.length);',
        ],
      },
    },
    {
      text: 'Recount the books. An empty list is what you want to see; anything else is a bug to report, with the journal.',
      listing: { language: 'js', lines: ['console.log(ledger.verify());'] },
    },
    {
      text: `To begin again at the next opening, go back to ${figures.percent(first?.funded)} of the quota and let jobs in. Tonight this is refused where more than that is spent already.`,
      listing: {
        language: 'js',
        lines: [
          `ledger.adjust({ pool, capacity: ${figures.literal(first?.capacity)} });`,
          'ledger.resume({ pool });',
        ],
      },
    },
  ];
}
