// What to do, in order, with the command that tries it. Every number in a step is a suggestion from one
// played run, and the step says so by asking to play it again.

import { type Advice, settingsOf } from '../advice.ts';
import { FAILED_WORDS } from '../binding-text.ts';
import { type Block, blocks, heading, paragraph, steps } from '../document.ts';
import { shortName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';
import { plimsollCommand } from '../shell.ts';

export function adviceSection(context: ReportContext): readonly Block[] {
  const { summary } = context;
  const items = summary.advice.map((advice) => {
    const words = settingsOf(advice).flatMap((setting) => ['--set', setting]);
    const listing =
      words.length === 0
        ? undefined
        : {
            language: 'sh' as const,
            lines: [plimsollCommand('report', [...summary.rerun, ...words])],
          };
    return { text: adviceText(advice, context), listing };
  });
  const hasCommands = items.some(({ listing }) => listing !== undefined);
  const only = summary.advice.length === 1 && summary.advice[0]?.kind === 'nothing';
  return blocks(
    heading(2, 'What to do'),
    only ? paragraph(adviceText({ kind: 'nothing' }, context)) : steps(items),
    hasCommands
      ? paragraph(
          'Each command plays the same nights again with nothing else changed. Make the change for real once its report says what you need.',
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
    case 'hung':
      return `Watch the workers from outside: in ${figures.counted(advice.nights, 'night')} one hung, its calls never came back to it, and only the kill ended it. No reserve helps against that; something that restarts a worker which shows no progress does.`;
    case 'clock':
      return 'Keep the deadline on a clock that nobody can set: at present it is on the wall clock, and that was set while the night ran.';
    case 'suspension':
      return 'Let a worker that wakes from a suspended machine count the time that it slept: at present it believes that it has more time than is left.';
    case 'shorter-lease': {
      const pause =
        advice.longestPauseMs === null
          ? ''
          : ` It has to stay longer than any pause that a worker comes back from; the longest here took ${figures.duration(advice.longestPauseMs)}.`;
      return `Give back sooner what crashed workers leave behind: ${figures.counted(advice.jobs, 'time')} a job was lost with its worker, or tokens were missing that crashed workers still held. Their tokens and jobs come back when the lease ends; shorten it from ${figures.duration(advice.fromMs)} to ${figures.duration(advice.toMs)}.${pause}`;
    }
    case 'longer-lease':
      return `Let leases last longer than the longest pause of a worker: ${lostClaims(advice, context)}. Go from ${figures.duration(advice.fromMs)} to ${figures.duration(advice.toMs)}.`;
    case 'renewals':
      return `Renew leases while a call is out: ${lostClaims(advice, context)}.`;
    case 'workers':
      return `Run one worker more than ${figures.count(advice.from)}, so that others go on while one is down: there ${advice.crashes === 1 ? 'was' : 'were'} ${figures.counted(advice.crashes, 'crash', 'crashes')}. Give each fewer lanes if the provider lets no more calls run side by side.`;
    case 'ledger':
      return `Look at the token ledger: ${figures.counted(advice.jobs, 'time')} a job was put off because it did not answer, or for the time that this took. Without it no call goes out, and that is meant to be so: tokens that nobody counts cannot be kept.`;
    case 'store':
      return `Look at the checkpoint store: ${figures.counted(advice.jobs, 'time')} a job was put off or its answer lost because it took no write, or for the time that this took.`;
    case 'shed':
      return `Find out what tripped: ${figures.counted(advice.jobs, 'time')} a job was put off because a trip condition stopped admission (shed). See the trip conditions below; the command shows what the nights would have been without that stop.`;
    case 'limits': {
      const cure =
        advice.to === null
          ? 'Make the pauses between attempts longer, so that the lanes come back one by one.'
          : `Work on fewer jobs at once: the limits keep about ${figures.counted(advice.to, 'lane')} of ${figures.count(advice.from)} busy, and the others only collect refusals.`;
      return `Stay below the provider's rate limits: ${figures.counted(advice.refusals, 'call')} ${advice.refusals === 1 ? 'was' : 'were'} refused by them (HTTP 429), and each refusal uses up an attempt. ${cure}`;
    }
    case 'outage': {
      const cure =
        advice.set === null
          ? 'No pause between attempts outlasts that; what was put off comes again on the next night.'
          : 'Make the pauses between attempts as long as what they are to outlast.';
      return `Sit out outages: jobs used up their attempts while the provider was down (${figures.counted(advice.count, 'outage')}, ${figures.duration(advice.longestMs)} at the longest). ${cure}`;
    }
    case 'layers':
      return `Let one layer retry, not two: the client under the worker made ${figures.counted(advice.again, 'call')} beside the ${figures.count(advice.attempts)} that the worker counts. They take time and may be billed, and no budget sees them.`;
    case 'waiting':
      return `Hold fewer tokens at a time: ${figures.counted(advice.jobs, 'time')} a job was put off at the end while lanes waited for tokens that others held. ${advice.set === null ? 'Smaller envelopes or a larger pool would do it.' : 'Holding for one attempt instead of the whole job is one way; smaller envelopes or a larger pool are others.'}`;
    case 'admission':
      return 'Reserve before dispatch: under a shared counter a call may start that the pool cannot pay to its end; it fails half way, and the tokens that it used are gone.';
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
      return `Work on more jobs at once: ${figures.counted(advice.from, 'lane')}${each(context)} did not get through in time; at the same pace it takes about ${figures.count(advice.to)}. Ask the provider first whether it lets so many calls run side by side.`;
    case 'writers':
      return `Write more checkpoints at once: the store serves ${figures.count(advice.from)} at a time and holds the lanes up; about ${figures.count(advice.to)} would keep pace.`;
    case 'attempts':
      return `Look at the provider: ${figures.counted(advice.jobs, 'time')} a job used up its attempts, mostly on ${advice.on.map((end) => FAILED_WORDS[end]).join(' and ')}. If those pass by themselves, allow ${className(advice.class)} one attempt more than ${figures.count(advice.from)}.`;
    case 'backlog':
      return `Stem the inflow: ${figures.counted(advice.arrivals, 'job')} arrive every night and about ${figures.whole(advice.carries)} can be carried, so the backlog grows for as long as nothing changes.`;
    case 'variant':
      return `Consider the variant ${shortName(advice.name)}${advice.differences.length === 0 ? '' : ` (${advice.differences.join(', ')})`}: under the same weather it ${variantText(advice, context)}.`;
    case 'overspend':
      return `Re-derive the envelope of ${className(advice.class)}, and of it alone: ${figures.percent(advice.share)} of its jobs used more than was held for them, where its quantile allows ${figures.percent(advice.allowed)}.`;
    case 'unspent':
      return `Trim the envelope of ${className(advice.class)}: ${figures.percent(advice.ratio)} of the tokens held for it came back unused, where ${figures.percent(advice.expected)} was to be expected.`;
  }
}

type AdviceOf<Kind extends Advice['kind']> = Extract<Advice, { readonly kind: Kind }>;

function lostClaims(
  { duplicated, lost }: AdviceOf<'longer-lease' | 'renewals'>,
  { figures }: ReportContext,
): string {
  const twice = duplicated > 0 ? `${figures.counted(duplicated, 'job')} ran twice` : '';
  const given = lost > 0 ? `${figures.counted(lost, 'job')} lost ${lost === 1 ? 'its' : 'their'} tokens` : '';
  const what = [twice, given].filter((part) => part !== '').join(' and ');
  return `${what}, because the lease ran out while the worker still had it`;
}

function each({ summary }: ReportContext): string {
  return summary.scenario.workers > 1 ? ' on each worker' : '';
}

function variantText({ more, fewerLost }: AdviceOf<'variant'>, { figures }: ReportContext): string {
  const lost = `${figures.counted(fewerLost, 'call or answer', 'calls or answers')}`;
  if (more === 0) return `got as many jobs done and lost ${lost} fewer`;
  const done = `got ${figures.counted(more, 'job')} more done`;
  return fewerLost === 0 ? `${done} and lost no more` : `${done} and lost ${lost} fewer`;
}

function nothingText({ summary, figures }: ReportContext): string {
  const { facts } = summary.verdict;
  if (facts.state === 'nothing-to-do') return 'Nothing: there are no jobs.';
  const margin =
    summary.findings.marginMs === null
      ? ''
      : ` ${facts.nights === 1 ? 'The night' : 'The slowest night'} left ${figures.duration(summary.findings.marginMs)} before the kill.`;
  return `Nothing has to change.${margin}`;
}
