// How the report was made: what was assumed, and the command that makes it again to the byte.

import { type Block, blocks, bullets, heading, listing, paragraph, table } from '../document.ts';
import { plainName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';
import { plimsollCommand } from '../shell.ts';

const MOST_CLASSES = 25;

export function methodSection(context: ReportContext): readonly Block[] {
  const { summary } = context;
  return blocks(
    heading(2, 'How this was made'),
    paragraph(
      `One run of the scenario with the seed ${plainName(summary.scenario.seed)}. Another seed is other weather: a single run shows what can happen, not how often.`,
    ),
    listing('sh', [plimsollCommand('report', summary.rerun)]),
    paragraph(
      `The same version, scenario and seed give the same files, byte for byte. Is it the same scenario? Compare ${summary.sources.length === 1 ? 'its hash' : 'the hashes of its files'} (sha256sum prints them); what was set over it stands in the command.`,
    ),
    table(
      [
        { head: 'file', align: 'left' },
        { head: 'SHA-256', align: 'left' },
      ],
      summary.sources.map(({ name, sha256 }) => [plainName(name), sha256]),
    ),
    paragraph('It was assumed:'),
    bullets(assumptions(context)),
    classTable(context),
    warnings(context),
    paragraph(
      'Every figure above is in summary.json under its name; the charts are Vega-Lite specs with their data, beside the pictures.',
    ),
  );
}

function assumptions({ summary, figures }: ReportContext): readonly string[] {
  const { scenario } = summary;
  const { pool, policy } = scenario;
  const faults = [
    scenario.hangs > 0 ? `${figures.percent(scenario.hangs)} of calls never answer` : undefined,
    scenario.errors > 0 ? `${figures.percent(scenario.errors)} end in a server error` : undefined,
    scenario.invalid > 0 ? `${figures.percent(scenario.invalid)} give an unusable answer` : undefined,
  ].filter((fault) => fault !== undefined);
  return [
    `Window: ${figures.duration(scenario.windowMs)}, opening every ${figures.duration(scenario.everyMs)}; ${figures.counted(scenario.lanes, 'lane')}; queue order ${scenario.order}.`,
    `Budget: cap ${figures.duration(scenario.capMs)}, floor ${figures.duration(scenario.floorMs)}, reserve ${figures.duration(scenario.reserveMs)}; timeouts ${policy.timeouts === 'clamp' ? 'are clamped to the time left' : 'are fixed at the cap'}.`,
    ...(pool === null
      ? []
      : [
          `Pool: ${figures.tokens(pool.capacity)} of a quota of ${figures.tokens(pool.quota)} tokens, ${pool.refill === 'night' ? 'refilled every night' : 'never refilled'}, leases of ${figures.duration(pool.leaseMs)}; admission by ${policy.admission === 'envelope' ? 'envelope' : 'a shared counter'}.`,
        ]),
    faults.length === 0 ? 'Provider: no faults.' : `Provider: ${faults.join(', ')}.`,
    `Checkpoint store: ${figures.counted(scenario.writers, 'write')} at a time, flush ${figures.duration(scenario.flushMs)}.`,
  ];
}

function classTable({ summary, figures, className }: ReportContext): readonly Block[] | undefined {
  const { classes } = summary.scenario;
  if (classes.length === 0) return undefined;
  return blocks(
    table(
      [
        { head: 'class', align: 'left' },
        { head: 'jobs' },
        { head: 'arrive', align: 'left' },
        { head: 'input tokens', align: 'left' },
        { head: 'output tokens', align: 'left' },
      ],
      classes
        .slice(0, MOST_CLASSES)
        .map(({ name, count, arrive, input, output }) => [
          className(name),
          figures.count(count),
          arrive === 'every-night' ? 'every night' : 'first night only',
          plainName(input),
          plainName(output),
        ]),
    ),
    classes.length > MOST_CLASSES ? paragraph('The other classes are in summary.json.') : undefined,
  );
}

function warnings({ summary }: ReportContext): readonly Block[] | undefined {
  const { warnings } = summary.plan;
  if (warnings.length === 0) return undefined;
  return blocks(paragraph('The planner warns:'), bullets(warnings.map(plainName)));
}
