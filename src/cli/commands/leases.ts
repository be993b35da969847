// `plimsoll leases`: what each length of lease costs, in work done twice and in tokens that nobody can use.

import { InputError } from '../../base/errors.ts';
import { parseDuration } from '../../base/units.ts';
import { jsonText } from '../../report/json-text.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { studyLeaseLengths } from '../../study/lease-lengths.ts';
import { strandedTime } from '../../study/stranded-time.ts';
import type { Command, Given } from '../command.ts';
import { EXIT } from '../exit.ts';
import { roundTimes } from '../microseconds.ts';
import { numberOf } from '../number-flag.ts';
import { replayable } from '../replay-command.ts';
import { readGiven, SCENARIO_WORD, scenarioFlags } from '../scenario-flags.ts';
import { lookedInto } from '../studying.ts';
import { leasesText } from '../terminal/leases-text.ts';

const MOST_REPLICATIONS = 1_000_000;
/** Of the scenario's own. */
const USUAL = [0.1, 0.2, 0.5, 1, 2, 5];

export const leases: Command = {
  name: 'leases',
  describe: 'Compare lengths of lease: work that is done twice against tokens that are stranded',
  ...SCENARIO_WORD,
  flags: {
    lease: {
      kind: 'texts',
      value: 'DURATION',
      describe: "a length to play, repeatable. Default: a tenth to five times the scenario's own",
    },
    replications: { kind: 'text', value: 'N', describe: 'of each length, with the same draws. Default: 20' },
    ...scenarioFlags,
    json: { kind: 'switch', describe: 'as JSON (docs/results.md)' },
  },
  examples: [['plimsoll leases nightly.yaml --lease 1min --lease 5min --lease 15min', 'three lengths']],
  async run(given, { terminal }) {
    const { scenario, rerun } = readGiven(given, terminal);
    const lengths = lengthsOf(given, scenario);
    const count = numberOf(given, 'replications', { fallback: 20, from: 1, upTo: MOST_REPLICATIONS });
    const found = await replayable(rerun, async () => ({
      scenario: scenario.name,
      replications: count,
      lengths: await lookedInto(studyLeaseLengths(scenario, lengths, count), terminal),
      stranded: strandedTime(scenario, 0),
    }));
    const rounded = roundTimes(found);
    terminal.answer(given.has('json') ? jsonText(rounded) : leasesText(rounded, terminal.colours));
    return EXIT.ok;
  },
};

function lengthsOf(given: Given, { pool, policy }: Scenario): readonly number[] {
  if (pool === undefined || policy.admission !== 'envelope') {
    throw new InputError({
      code: 'no-leases',
      message: 'nobody holds a lease in this scenario: nothing is admitted from a pool by envelope',
    });
  }
  const written = given.texts('lease');
  if (written.length === 0) return USUAL.map((times) => Math.max(1, Math.round(pool.leaseMs * times)));
  return written.map((text) => {
    const duration = parseDuration(text);
    if (duration.ok && duration.value > 0) return duration.value;
    const problem = duration.ok
      ? { code: 'out-of-range', message: 'this is too little', expected: 'a duration above 0' }
      : duration.problem;
    throw new InputError({ ...problem, place: { flag: '--lease' }, got: JSON.stringify(text) });
  });
}
