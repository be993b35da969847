// The top of the report: does it fit, what binds, and the three numbers to know by heart.

import type { ScenarioPool } from '../../scenario/scenario.ts';
import { type Block, blocks, heading, paragraph, table, verdictLine } from '../document.ts';
import { plainName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';
import { headlineOf } from '../verdict.ts';

export function verdictSection(context: ReportContext): readonly Block[] {
  const { summary, figures } = context;
  const { ok, facts } = summary.verdict;
  return blocks(
    heading(1, plainName(summary.scenario.name)),
    verdictLine(ok, headlineOf(facts, figures)),
    paragraph(
      `${figures.counted(summary.scenario.nights, 'night')} of this batch ${summary.scenario.nights === 1 ? 'was' : 'were'} played on a simulated clock, with the worker and the token ledger that run in production.`,
      'A night is one window of the scheduler: it opens, and at its end the worker is killed.',
    ),
    table(
      [
        { head: 'To know by heart', align: 'left' },
        { head: 'figure' },
        { head: 'What it means', align: 'left' },
      ],
      [poolRow(context), envelopeRow(context), slackRow(context)].filter((row) => row !== undefined),
    ),
  );
}

const PERIODS: Readonly<Record<ScenarioPool['refill'], string>> = {
  night: 'to spend each night; full again at the next opening',
  day: 'to spend each day, however many nights it has',
  month: 'to spend each month, all its nights together',
  never: 'in all; it is not refilled',
};

function poolRow({ summary, figures }: ReportContext): string[] {
  const { pool } = summary.scenario;
  if (pool === null) return ['Token pool', 'none', 'Tokens are not limited in this scenario; only time is.'];
  const period = PERIODS[pool.refill];
  const funded =
    pool.funded < 1 ? ` (${figures.percent(pool.funded)} of a quota of ${figures.tokens(pool.quota)})` : '';
  return ['Token pool', `${figures.tokens(summary.plan.numbers.poolTokens)} tokens`, `${period}${funded}.`];
}

function envelopeRow({ summary, figures, className }: ReportContext): string[] | undefined {
  const { envelopeTokens, envelopeClass } = summary.plan.numbers;
  if (envelopeTokens === null || envelopeClass === null) return undefined;
  const envelope = summary.scenario.classes.find(({ name }) => name === envelopeClass)?.envelope;
  const quantile = envelope?.kind === 'quantile' ? ` (${figures.quantile(envelope.quantile)})` : '';
  const what = `held back for one ${className(envelopeClass)} job before it starts; no class needs more.`;
  return [`Largest envelope${quantile}`, `${figures.tokens(envelopeTokens)} tokens`, what];
}

function slackRow({ summary, figures }: ReportContext): string[] {
  const { deadlineSlackMs, nextOpeningMs, roomForAnotherTry } = summary.plan.numbers;
  const next = figures.duration(nextOpeningMs);
  const room = roomForAnotherTry
    ? `a job that is turned away can try again at the next opening, ${next} later, before it is due.`
    : `a job that is turned away is overdue by the next opening, ${next} later.`;
  return ['Deadline slack', figures.duration(deadlineSlackMs), room];
}
