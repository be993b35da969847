// How to begin: on paper, then for real on a part of the quota, then on more of it. The code is the
// library's own, with this scenario's numbers, and runs as it stands.

import { type Block, blocks, heading, paragraph, type Step, steps } from '../document.ts';
import type { Figures } from '../figures.ts';
import type { ReportContext } from '../report-context.ts';
import type { RolloutStep } from '../rollout.ts';
import { plimsollCommand } from '../shell.ts';
import { sourceString } from '../source-string.ts';

const MOST_CLASSES = 25;

export function rolloutSection(context: ReportContext): readonly Block[] | undefined {
  const { summary } = context;
  if (summary.plan.worstCase.items === 0) return undefined;
  const [first, ...later] = summary.rollout;
  const withPool = summary.scenario.pool !== null;
  if (withPool && first === undefined) return undefined;
  return blocks(
    heading(2, 'Rollout'),
    paragraph(
      first === undefined
        ? 'First on paper, then for real on one night that somebody watches.'
        : 'First on paper, then for real on a part of the quota, then on more of it, one step a night.',
      `Go on after a night in which nothing was cut off or lost${withPool ? ', no class used more than its envelope more often than its quantile allows,' : ''} and about as many jobs were done as the step promises. After any other night stay, or go back a step.`,
    ),
    steps([rehearsal(first, context), opening(first, context), ...later.map((step) => raise(step, context))]),
  );
}

function rehearsal(first: RolloutStep | undefined, context: ReportContext): Step {
  const words = [...context.summary.rerun, ...asProductionRuns(context)];
  const set = first === undefined || first.funded === 1 ? [] : ['--set', first.set];
  return {
    text: `Rehearse the first night on a simulated clock: its plan, then the night itself.${promise(first, context)}`,
    listing: {
      language: 'sh',
      lines: [plimsollCommand('plan', [...words, ...set]), plimsollCommand('run', [...words, ...set])],
    },
  };
}

/** What a played policy differs in from the worker that is rolled out. */
function asProductionRuns({ summary }: ReportContext): readonly string[] {
  const { policy } = summary.scenario;
  return [
    ...(policy.timeouts === 'clamp' ? [] : ['--set', 'policy.timeouts=clamp']),
    ...(policy.admission === 'envelope' ? [] : ['--set', 'policy.admission=envelope']),
  ];
}

function promise(step: RolloutStep | undefined, { summary, figures, className }: ReportContext): string {
  if (step === undefined) return '';
  const largest = className(summary.plan.numbers.envelopeClass ?? '');
  const atOnce =
    step.largestAtOnce === null
      ? ''
      : ` That pays for ${figures.counted(step.largestAtOnce, `${largest} job`)} at once`;
  const jobs =
    step.jobsPerNight === null
      ? ''
      : `, or for about ${figures.whole(step.jobsPerNight)} jobs a night of this mix`;
  return ` ${figures.percent(step.funded)} of the quota is ${figures.tokens(step.capacity)} tokens.${atOnce}${atOnce === '' ? '' : `${jobs}.`}`;
}

function opening(first: RolloutStep | undefined, context: ReportContext): Step {
  const { summary, figures } = context;
  const lanes = figures.counted(summary.scenario.lanes, 'lane');
  if (first === undefined) {
    return {
      text: `Give the batch a budget, and hand it to runQueue with ${lanes}. The deadline is the moment of the kill, as far away as the window is long.`,
      listing: {
        language: 'js',
        lines: ["import { Budget, realClock } from 'plimsoll';", '', ...budgetLines(context)],
      },
    };
  }
  const { pool } = summary.scenario;
  const name = sourceString(pool?.name ?? '');
  return {
    text: `Open the pool with that much, and hand ledger, budget and envelopes to runQueue with ${lanes}.`,
    listing: {
      language: 'js',
      lines: [
        "import { Budget, realClock, SqliteLedger } from 'plimsoll';",
        '',
        "const ledger = new SqliteLedger('ledger.sqlite3');",
        `const pool = ${name};`,
        `ledger.openPool({ pool, capacity: ${figures.literal(first.capacity)}, quota: ${figures.literal(pool?.quota)} });`,
        ...refillLines(first, context),
        ...budgetLines(context),
        ...envelopeLines(context),
      ],
    },
  };
}

/** Each night under its own number: asked twice for one night, the pool is filled once. */
function refillLines(step: RolloutStep, { summary, figures }: ReportContext): readonly string[] {
  if (summary.scenario.pool?.refill !== 'night') return [];
  return [
    `ledger.refill({ pool, period: ${figures.literal(step.night)} }); // tonight's number; again is a no-op`,
  ];
}

function budgetLines({ summary, figures }: ReportContext): readonly string[] {
  const { windowMs, reserveMs, floorMs, capMs } = summary.scenario;
  return [
    'const budget = new Budget({',
    `  deadlineMs: realClock.monotonicMs() + ${figures.literal(windowMs)}, // the window`,
    `  reserveMs: ${figures.literal(reserveMs)},`,
    `  floorMs: ${figures.literal(floorMs)},`,
    `  capMs: ${figures.literal(capMs)},`,
    '});',
  ];
}

function envelopeLines({
  summary,
  figures,
}: {
  summary: ReportContext['summary'];
  figures: Figures;
}): readonly string[] {
  const classes = summary.plan.classes.slice(0, MOST_CLASSES);
  return [
    'const envelopes = new Map([',
    ...classes.map(({ name, envelope }) => `  [${sourceString(name)}, ${figures.literal(envelope)}],`),
    ']); // tokens held for one job of each class',
  ];
}

function raise(step: RolloutStep, context: ReportContext): Step {
  const { figures } = context;
  return {
    text: `After a good night, raise it.${promise(step, context)}`,
    listing: {
      language: 'js',
      lines: [
        `ledger.adjust({ pool, capacity: ${figures.literal(step.capacity)} });`,
        ...refillLines(step, context),
      ],
    },
  };
}
