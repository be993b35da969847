// Tokens: the pool over its tightest night, then the books of every pool at the end.

import type { Chart } from '../charts/chart.ts';
import { heldFinding } from '../charts/held-consumed.ts';
import { poolFinding } from '../charts/pool-over-time.ts';
import { type Block, blocks, heading, paragraph, picture, table } from '../document.ts';
import { plainName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';

export function tokensSection(
  context: ReportContext,
  pool: Chart | undefined,
  held: Chart | undefined,
): readonly Block[] | undefined {
  const { summary } = context;
  if (summary.scenario.pool === null) return undefined;
  return blocks(
    heading(2, 'Tokens'),
    pool === undefined ? undefined : paragraph(`${poolFinding(context)}.`, asksText(context)),
    picture(pool),
    booksTable(context),
    paragraph(
      'Consumed is what the ledger charged. Billed is what the provider charges for the same calls; the difference between the two is called drift.',
    ),
    held === undefined
      ? undefined
      : paragraph(
          `${heldFinding(context)}.`,
          'Idle tokens are not lost: they come back when their job ends. Until then no other job can have them, so that they cost time where tokens are short, and nothing where they are not.',
        ),
    picture(held),
  );
}

function asksText({ summary, figures }: ReportContext): string {
  const { pool } = summary.series;
  if (pool === null || pool.waits === 0 || pool.refused === 0) return '';
  return `Another ${figures.counted(pool.waits, 'request')} waited for tokens to come back.`;
}

function booksTable({ summary, figures }: ReportContext): Block | undefined {
  const pools = Object.entries(summary.run.pools);
  if (pools.length === 0) return undefined;
  return table(
    [
      { head: summary.scenario.nights === 1 ? 'pool' : 'pool, all nights', align: 'left' },
      { head: 'funded with' },
      { head: 'consumed' },
      { head: 'came back' },
      { head: 'beyond envelopes' },
      { head: 'still held' },
      { head: 'billed' },
      { head: 'drift' },
    ],
    pools.map(([name, pool]) => [
      plainName(name),
      figures.tokens(pool.capacity),
      figures.tokens(pool.consumed),
      figures.tokens(pool.refunded),
      figures.tokens(pool.overspent),
      figures.tokens(pool.held),
      figures.tokens(pool.billed),
      figures.tokens(pool.drift),
    ]),
  );
}
