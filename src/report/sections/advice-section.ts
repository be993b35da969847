// What to do, in order, with the command that tries it. Every number in a step is a suggestion from one
// played run, and the step says so by asking to play it again.

import type { Advice } from '../advice.ts';
import { type Block, blocks, heading, paragraph, steps } from '../document.ts';
import { shortName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';
import { plimsollCommand } from '../shell.ts';

export function adviceSection(context: ReportContext): readonly Block[] {
  const { summary } = context;
  const items = summary.advice.map((advice) => ({
    text: adviceText(advice, context),
    listing:
      'set' in advice && advice.set !== null
        ? {
            language: 'sh' as const,
            lines: [plimsollCommand('report', [...summary.rerun, '--set', advice.set])],
          }
        : undefined,
  }));
  const hasCommands = items.some(({ listing }) => listing !== undefined);
  const only = summary.advice.length === 1 && summary.advice[0]?.kind === 'nothing';
  return blocks(
    heading(2, 'What to do'),
    only ? paragraph(adviceText({ kind: 'nothing' }, context)) : steps(items),
    hasCommands
      ? paragraph(
          'Each command plays the same nights again with that one setting changed. Make the change for real once its report says what you need.',
        )
      : undefined,
  );
}

export function adviceText(advice: Advice, context: ReportContext): string {
  const { summary, figures, className } = context;
  switch (advice.kind) {
    case 'nothing':
      return nothingText(context);
    case 'clamp':
      return 'Let no call outlive the night: clamp timeouts to the time that is left. At present every call is granted the whole cap, whatever the clock says.';
    case 'reserve':
      return `Keep back more time at the end: raise the reserve from ${figures.duration(advice.fromMs)} to ${figures.duration(advice.toMs)}, so that the last answers are written and the worker has left before the kill.`;
    case 'admission':
      return 'Reserve before dispatch: under a shared counter a call can start that the pool cannot pay to the end, and its tokens are lost.';
    case 'drain': {
      const what = `${className(advice.by)} used ${figures.percent(advice.share)} of all tokens, and ${className(advice.starved)} got none of its jobs done.`;
      const cure =
        advice.set === null
          ? 'The queue already serves the lightest first, so a share of the pool for each class is what is left.'
          : 'Serve the lightest first, or give each class its own share of the pool.';
      return `${what} ${cure} Envelopes do not change who comes first: they only make sure that whoever is let in can be paid for.`;
    }
    case 'fund':
      return `Fund the pool in full: it has ${figures.percent(advice.from)} of its quota, and jobs were refused for want of tokens.`;
    case 'pool':
      return `Get more tokens or send fewer jobs: ${figures.tokens(advice.from)} tokens were not enough in ${figures.counted(summary.findings.nightsWithRefusals, 'night')}. At the same mix it would take about ${figures.tokens(advice.to)}.`;
    case 'envelope-too-large':
      return `One ${className(advice.class)} job reserves ${figures.tokens(advice.envelope)} tokens and the whole pool is ${figures.tokens(advice.capacity)}: it can never start. Split the job, cap its input, or enlarge the pool.`;
    case 'window':
      return `Give the night more time: ${figures.duration(advice.usableMs)} before the reserve let no job get done. Try a window of ${figures.duration(advice.toMs)}.`;
    case 'lanes':
      return `Work on more jobs at once: ${figures.counted(advice.from, 'lane')} did not get through in time; at the same pace it takes about ${figures.count(advice.to)}. Ask the provider first whether it lets so many calls run side by side.`;
    case 'writers':
      return `Write more checkpoints at once: the store serves ${figures.count(advice.from)} at a time and holds the lanes up; about ${figures.count(advice.to)} would keep pace.`;
    case 'attempts':
      return `Look at the provider: ${figures.counted(advice.jobs, 'time')} a job used up its attempts on timeouts and errors. If those pass, allow one attempt more than ${figures.count(advice.from)}.`;
    case 'backlog':
      return `Stem the inflow: ${figures.counted(advice.arrivals, 'job')} arrive every night and about ${figures.whole(advice.carries)} can be carried, so the backlog grows for as long as nothing changes.`;
    case 'variant':
      return `Consider the variant ${shortName(advice.name)} (${advice.differences.join(', ')}): under the same weather it got ${figures.counted(advice.more, 'job')} more done and lost no more.`;
    case 'overspend':
      return `Re-derive the envelope of ${className(advice.class)}, and of it alone: ${figures.percent(advice.share)} of its jobs used more than was held for them, where its quantile allows ${figures.percent(advice.allowed)}.`;
    case 'unspent':
      return `Trim the envelope of ${className(advice.class)}: ${figures.percent(advice.ratio)} of the tokens held for it came back unused, where ${figures.percent(advice.expected)} was to be expected.`;
  }
}

function nothingText({ summary, figures }: ReportContext): string {
  const { facts } = summary.verdict;
  if (facts.state === 'nothing-to-do') return 'Nothing: there are no jobs.';
  const margin =
    summary.findings.marginMs === null
      ? ''
      : ` The slowest night left ${figures.duration(summary.findings.marginMs)} before the kill.`;
  return `Nothing has to change.${margin}`;
}
