// The bill and the books: why they differ, cause by cause, and under which settings by how much.

import type { PoolFigures } from '../../world/run-result.ts';
import type { Chart } from '../charts/chart.ts';
import { CAUSES, driftFinding, driftParts, partsOf } from '../charts/drift.ts';
import { type Block, blocks, heading, paragraph, picture, table } from '../document.ts';
import type { Figures } from '../figures.ts';
import { shortName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';

type Cause = keyof PoolFigures['driftCauses'];

/** What becomes of it, or what would help. */
const ADVICE: Readonly<Record<Cause, string>> = {
  overspend: 'Use beyond envelopes is never debited: where it is much, enlarge the envelope of its class.',
  lateShortfall:
    'A late settle finds that its tokens came back, and were given away: longer leases, or expired holds that are charged.',
  chargedNotSpent:
    'Expired holds are charged in full here, so the books run ahead of the bill: no token can be spent twice, and some are not spent at all.',
  estimatedUsage:
    'An answer that does not tell its usage is settled with an estimate: the books are as good as that.',
  abandonedCalls:
    'A call that is given up bills more than a worker can know; what it was given up for is the cap.',
  hiddenCalls: 'A client that retries by itself makes calls that no ledger hears of: turn that off.',
  neverSettled:
    'Nobody settles for a worker that is gone: only the bill tells. Post a correction once it is there.',
  corrected: 'Corrections bring the books closer to the bill.',
  stillOpen: 'Holds that are still open are in the books once they are closed.',
};

export function driftSection(context: ReportContext, chart: Chart | undefined): readonly Block[] | undefined {
  if (chart === undefined) return undefined;
  return blocks(
    heading(2, 'The bill and the books'),
    paragraph(
      `${driftFinding(context)}.`,
      'In production the bill comes days later; here every token has a cause, and the causes sum to the drift.',
      ...driftParts(context).map(({ cause }) => ADVICE[cause]),
    ),
    picture(chart),
    variantsTable(context),
  );
}

function variantsTable({ summary, figures }: ReportContext): Block | undefined {
  const { compare, pools } = summary.run;
  const pool = summary.scenario.pool?.name ?? '';
  const rows = [
    { name: 'this scenario', books: pools[pool] },
    ...Object.entries(compare).map(([name, of]) => ({ name: shortName(name), books: of.pools[pool] })),
  ].flatMap(({ name, books }) => (books === undefined ? [] : [[name, ...cellsOf(books, figures)]]));
  if (rows.length < 2) return undefined;
  return table(
    [
      { head: 'variant, all nights', align: 'left' },
      { head: 'billed' },
      { head: 'consumed' },
      { head: 'drift' },
      { head: 'its greatest cause', align: 'left' },
      { head: 'tokens' },
    ],
    rows,
  );
}

function cellsOf(books: PoolFigures, figures: Figures): readonly string[] {
  const [greatest] = partsOf(books);
  return [
    figures.tokens(books.billed),
    figures.tokens(books.consumed),
    figures.difference(books.drift),
    greatest === undefined ? '' : CAUSES[greatest.cause].label,
    greatest === undefined ? '' : figures.difference(greatest.tokens),
  ];
}
