// The calls: what the provider made of them, and what befell workers, store and ledger meanwhile. What is not
// there is not spoken of.

import { ATTEMPT_ENDS, callsFinding } from '../charts/calls.ts';
import type { Chart } from '../charts/chart.ts';
import { type Block, blocks, heading, paragraph, picture, table } from '../document.ts';
import type { IncidentKind } from '../incidents.ts';
import type { ReportContext } from '../report-context.ts';

export function callsSection(context: ReportContext, chart: Chart | undefined): readonly Block[] | undefined {
  const { made, failed, again } = context.summary.series.calls;
  const troubles = troubleRows(context);
  const isCalm = failed + again + troubles.length === 0;
  if (made === 0 || isCalm) return undefined;
  return blocks(
    heading(2, 'The calls'),
    paragraph(
      `${callsFinding(context)}.`,
      failed === 0
        ? ''
        : 'A call that came to nothing is tried again as long as its job has attempts left; a job without any waits for the next night.',
    ),
    picture(chart),
    callTable(context),
    troubles.length === 0
      ? undefined
      : blocks(
          heading(3, 'What went wrong on the way'),
          paragraph(
            context.summary.scenario.nights === 1
              ? 'As the night was played:'
              : 'Over all nights, as they were played:',
          ),
          table(
            [{ head: 'what', align: 'left' }, { head: 'how often' }, { head: 'note', align: 'left' }],
            troubles,
          ),
        ),
  );
}

function callTable({ summary, figures }: ReportContext): Block {
  const { attempts, made, again, usedUp } = summary.series.calls;
  return table(
    [
      {
        head: summary.scenario.nights === 1 ? 'calls' : 'calls, all nights together',
        align: 'left',
      },
      { head: 'figure' },
    ],
    [
      ['made by the worker (attempts)', figures.count(made)],
      ...ATTEMPT_ENDS.filter(({ end }) => end === 'answered' || attempts[end] > 0).map(({ end, label }) => [
        `… ${label}`,
        figures.count(attempts[end]),
      ]),
      ...(again > 0 ? [['made beside them by the client, unseen by the worker', figures.count(again)]] : []),
      ...(usedUp.jobs > 0 ? [['jobs put off with their attempts used up', figures.count(usedUp.jobs)]] : []),
    ],
  );
}

const INCIDENT_NAMES: Readonly<Record<IncidentKind, string>> = {
  outage: 'the provider was down',
  slow: 'the provider was slow',
  'store-outage': 'the checkpoint store took nothing',
  'store-full': 'the disk was full',
  'ledger-outage': 'the token ledger did not answer',
};

function troubleRows(context: ReportContext): readonly (readonly string[])[] {
  const { summary, figures } = context;
  const { fleet, losses } = summary.series;
  const { incidents, duplicated, deferrals } = summary.findings;
  const isOne = (count: number): string => (count === 1 ? 'it' : 'they');
  const rows: (readonly [what: string, count: number, and: string])[] = [
    ...incidents.map(({ kind, count, lastsMs, nights }) => {
      const when = summary.scenario.nights > 1 ? `, in ${figures.counted(nights, 'night')}` : '';
      return [INCIDENT_NAMES[kind], count, `for ${figures.duration(lastsMs)} in all${when}`] as const;
    }),
    ['checkpoints that the store did not take', fleet.writesRefused, ''],
    ['jobs put off because the ledger did not answer', deferredBy(deferrals, 'ledger-unavailable'), ''],
    ['jobs put off because the store took no checkpoint', deferredBy(deferrals, 'checkpoint-failed'), ''],
    ['workers crashed', fleet.crashes, crashCost(context)],
    [
      'workers stood still',
      fleet.pauses,
      `${isOne(fleet.pauses)} went on by ${fleet.pauses === 1 ? 'itself' : 'themselves'}, after ${figures.duration(fleet.longestPauseMs)} at most`,
    ],
    [
      'machines were suspended',
      fleet.suspensions,
      `for ${figures.duration(fleet.longestSuspensionMs)} at most`,
    ],
    ['wall clocks were set', fleet.clockSteps, ''],
    ['workers hung', fleet.hung, 'their calls never came back to them'],
    ['jobs taken up twice', duplicated, 'another worker was still at work on them; both are paid for'],
    ['jobs that lost their tokens', deferredBy(deferrals, 'hold-lost'), 'their lease ran out'],
    ['calls cut off by the kill', losses.calls.kill, 'their tokens are spent, their answers are not there'],
    ['answers lost to the kill', losses.answers.kill, 'they were there, and not yet written'],
    ['answers lost by the store', losses.answers.store, 'they were there, and not taken'],
    ['jobs put off as a trip condition stopped admission', deferredBy(deferrals, 'shed'), ''],
  ];
  return rows.filter(([, count]) => count > 0).map(([what, count, and]) => [what, figures.count(count), and]);
}

function deferredBy(
  deferrals: ReportContext['summary']['findings']['deferrals'],
  cause: (typeof deferrals)[number]['cause'],
): number {
  return deferrals.find((one) => one.cause === cause)?.jobs ?? 0;
}

function crashCost({ summary, figures }: ReportContext): string {
  const { losses, waits } = summary.series;
  const parts = [
    losses.calls.crash > 0
      ? `took ${figures.counted(losses.calls.crash, 'job')} along that nobody took up again that night`
      : '',
    losses.answers.crash > 0 ? `lost ${figures.counted(losses.answers.crash, 'answer')}` : '',
    waits.stranded > 0
      ? `left tokens behind that lanes waited for until the night was over: ${figures.counted(waits.stranded, 'job')} put off`
      : '',
    waits.down > 0
      ? `were gone for so long that ${figures.counted(waits.down, 'job')} had to be put off`
      : '',
  ].filter((part) => part !== '');
  return parts.length === 0
    ? 'all calls that they had out were made again in the same night'
    : parts.join('; ');
}
