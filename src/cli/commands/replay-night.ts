// `plimsoll replay-night`: one night of one replication again, with everything that happened in it.

import { InputError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import { ChromeTrace } from '../../report/chrome-trace.ts';
import { jsonText } from '../../report/json-text.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { replayNight as replay } from '../../study/replay-night.ts';
import type { Command, Given } from '../command.ts';
import { EXIT } from '../exit.ts';
import { Ledgers, ledgerFlag, parseLedger } from '../ledger-choice.ts';
import { roundTimes } from '../microseconds.ts';
import { numberOf } from '../number-flag.ts';
import { replayable } from '../replay-command.ts';
import { readGiven, SCENARIO_WORD, scenarioFlags } from '../scenario-flags.ts';
import { nightText } from '../terminal/night-text.ts';
import { jsonLines, TraceFile, type TraceFormat, traceFlag } from '../trace-file.ts';

const FORMATS = ['jsonl', 'chrome'];
const MOST_REPLICATIONS = 0xffffffff;

export const replayNight: Command = {
  name: 'replay-night',
  describe: 'Play one night of one replication again, with the nights before it and a full trace',
  ...SCENARIO_WORD,
  flags: {
    replication: { kind: 'text', value: 'R', describe: 'which one, from 0 (the default: what run plays)' },
    night: { kind: 'text', value: 'N', describe: 'which night, from 1 (the default)' },
    variant: { kind: 'text', value: 'NAME', describe: 'of this entry of compare' },
    ...scenarioFlags,
    trace: traceFlag,
    'trace-format': {
      kind: 'text',
      value: 'jsonl|chrome',
      describe: 'chrome is for ui.perfetto.dev and chrome://tracing. Default: jsonl',
    },
    ledger: ledgerFlag,
    json: {
      kind: 'switch',
      describe: "the night's figures as JSON: an entry of nights in plimsoll schema run",
    },
  },
  examples: [
    ['plimsoll replay-night nightly.yaml --replication 17 --night 2 --trace night.jsonl', 'every event'],
    ['plimsoll replay-night nightly.yaml --trace night.json --trace-format chrome', 'to look at'],
  ],
  async run(given, { terminal, unfinished }) {
    const { scenario: base, rerun } = readGiven(given, terminal);
    const scenario = variantOf(base, given.text('variant'));
    const replication = numberOf(given, 'replication', { fallback: 0, from: 0, upTo: MOST_REPLICATIONS });
    const night = numberOf(given, 'night', { fallback: 1, from: 1, upTo: scenario.nights });
    const format = formatOf(given, night);
    const ledgers = new Ledgers(parseLedger(given.text('ledger')), unfinished);
    const tracePath = given.text('trace');
    const trace = tracePath === undefined ? undefined : new TraceFile(tracePath, unfinished, format);
    const result = await replayable(rerun, () =>
      replay(scenario, {
        replication,
        night,
        openLedger: () => ledgers.open(undefined),
        observe: (event) => trace?.write(event),
      }),
    );
    ledgers.finish();
    trace?.finish();
    const rounded = roundTimes(result);
    terminal.answer(
      given.has('json') ? jsonText(rounded) : nightText(scenario, replication, rounded, terminal.colours),
    );
    return EXIT.ok;
  },
};

/** JSON Lines of the one night; the other format looks at the earlier ones as well. */
function formatOf(given: Given, night: number): TraceFormat {
  const written = given.text('trace-format') ?? 'jsonl';
  if (written === 'chrome') return new ChromeTrace(night);
  if (written === 'jsonl') {
    return { ...jsonLines, event: (event) => (event.night === night ? jsonLines.event(event) : '') };
  }
  throw unknown({ flag: '--trace-format', message: 'there is no such format', written, known: FORMATS });
}

function variantOf(scenario: Scenario, name: string | undefined): Scenario {
  if (name === undefined) return scenario;
  const variant = scenario.compare.find((one) => one.name === name);
  if (variant !== undefined) return variant.scenario;
  const known = scenario.compare.map((one) => one.name);
  throw unknown({ flag: '--variant', message: 'the scenario has no such variant', written: name, known });
}

function unknown(wrong: {
  readonly flag: string;
  readonly message: string;
  readonly written: string;
  readonly known: readonly string[];
}): InputError {
  const { flag, message, written, known } = wrong;
  const meant = nearest(written, known);
  return new InputError({
    code: 'unknown-word',
    message,
    place: { flag },
    expected: known.length === 0 ? 'none' : known.join(', '),
    got: JSON.stringify(written),
    ...(meant === undefined ? {} : { nearest: meant }),
  });
}
