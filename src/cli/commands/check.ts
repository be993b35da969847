// `plimsoll check`: holds scenarios to the limits that they state, for CI.

import { appendFileSync, readFileSync } from 'node:fs';
import { InputError } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import { jsonText } from '../../report/json-text.ts';
import { type Baseline, readBaseline } from '../../study/gate/baseline.ts';
import type { CheckResult } from '../../study/gate/check-result.ts';
import type { Verdict } from '../../study/gate/judge.ts';
import { type Checking, openGates, playGates } from '../checking.ts';
import type { Command, Given } from '../command.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { fileFailure, isSystemError, withFile } from '../file-failure.ts';
import { githubAnnotations, githubSummary } from '../github.ts';
import { junitXml } from '../junit.ts';
import { numberOf } from '../number-flag.ts';
import { confidenceFlag, confidenceOf, percentOf } from '../percent-flag.ts';
import { checkResultFile, writeResultFile } from '../result-file.ts';
import { scenarioFlags } from '../scenario-flags.ts';
import { checkText } from '../terminal/check-text.ts';
import { timeLimitFlag, timeLimitOf } from '../time-limit.ts';

/** At 95 %, enough to show that something happens in less than one replication of a thousand. */
const USUAL_BUDGET = 12_800;
const MOST_REPLICATIONS = 1_000_000;
const USUAL_MARGIN = 0.01;

const EXIT_CODES: Readonly<Record<Verdict, ExitCode>> = {
  pass: EXIT.ok,
  fail: EXIT.failed,
  inconclusive: EXIT.inconclusive,
};

export const check: Command = {
  name: 'check',
  describe: 'Hold scenarios to their limits; exits 1 where one fails, 3 where one is not decided',
  word: '<scenario..>',
  wordMeans: 'YAML files, or names of shipped scenarios',
  leastWords: 1,
  mostWords: Number.POSITIVE_INFINITY,
  flags: {
    replications: {
      kind: 'text',
      value: 'N',
      describe: `play each at most N times. Default: ${formatCount(USUAL_BUDGET)}`,
    },
    'time-limit': timeLimitFlag,
    confidence: confidenceFlag,
    ...scenarioFlags,
    baseline: {
      kind: 'text',
      value: 'OLD.json',
      describe: 'compare with an earlier check --json, under the same weather',
    },
    margin: {
      kind: 'text',
      value: 'PERCENT',
      describe: 'how much worse than the baseline is still well. Default: 1%',
    },
    json: { kind: 'switch', describe: 'the whole result as JSON (plimsoll schema check)' },
    junit: { kind: 'text', value: 'FILE', describe: "write it as JUnit's XML as well" },
    github: { kind: 'switch', describe: 'annotate the lines, and add to the summary of the step' },
  },
  examples: [
    ['plimsoll check nightly.yaml', 'a file'],
    ['plimsoll check scenarios/*.yaml --junit plimsoll.xml', 'in CI'],
    ['plimsoll check nightly.yaml --baseline main.json', 'against what main gave'],
  ],
  async run(given, surroundings) {
    const { terminal, unfinished, interruption } = surroundings;
    const checking = readChecking(given);
    const junit = given.text('junit');
    if (junit !== undefined) checkResultFile('--junit', junit);
    const gates = openGates(given, checking, terminal);
    const result = await playGates(gates, checking, surroundings);
    if (junit !== undefined) writeResultFile(junit, junitXml(result), unfinished);
    terminal.answer(given.has('json') ? jsonText(result) : checkText(result, terminal.colours));
    if (given.has('github')) {
      tellGithub(result, (text) =>
        given.has('json') ? terminal.say(text.trimEnd()) : terminal.answer(text),
      );
    }
    return interruption.code ?? EXIT_CODES[result.verdict];
  },
};

function readChecking(given: Given): Checking {
  const limits = { fallback: USUAL_BUDGET, from: 1, upTo: MOST_REPLICATIONS };
  const earlier = baselineOf(given);
  const margin = percentOf(given, 'margin', { from: 0 });
  if (margin !== undefined && earlier === undefined) {
    const place = { flag: '--margin' };
    throw new InputError({ code: 'contradiction', message: 'this goes with --baseline', place });
  }
  return {
    confidence: confidenceOf(given),
    budget: numberOf(given, 'replications', limits),
    timeLimitMs: timeLimitOf(given) ?? Number.POSITIVE_INFINITY,
    baseline: earlier && { earlier, margin: margin ?? USUAL_MARGIN },
  };
}

function baselineOf(given: Given): Baseline | undefined {
  const path = given.text('baseline');
  if (path === undefined) return undefined;
  try {
    return readBaseline(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code !== 'ENOENT' && error.code !== 'EISDIR') throw fileFailure(error, 'read', path);
    const message = error.code === 'ENOENT' ? 'there is no such file' : 'this is a folder';
    throw new InputError({ code: 'missing-file', message, place: { flag: '--baseline' }, got: path });
  }
}

/** The runner reads commands from either stream; the summary goes where it says. */
function tellGithub(result: CheckResult, tell: (text: string) => void): void {
  const annotations = githubAnnotations(result);
  if (annotations !== '') tell(annotations);
  const summary = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (summary !== '') withFile(summary, 'written', () => appendFileSync(summary, githubSummary(result)));
}
