// Scenarios made up at random, read and played with everything checked. A failing one is shrunk, and what is
// left of it is written to a file, to be run by itself:
//   PLIMSOLL_TORTURE=10000 npx vitest run test/world/torture.test.ts

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { InputError } from '../../src/base/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { play } from '../../src/world/play.ts';
import { ReclaimOfSettled } from './mutant-ledgers.ts';
import { auditRun } from './torture-audit.ts';
import { tortureScenario, type Written } from './torture-scenario.ts';

const scenarios = Number(process.env.PLIMSOLL_TORTURE ?? 300);
const HOUR_MS = 3_600_000;

/** Undefined where it contradicts itself, which a few do. */
function readWritten(written: Written): Scenario | undefined {
  try {
    return readScenario({ name: 'torture.yaml', text: stringify(written) }, { readText: () => '' });
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function tortures(written: Written, openLedger: () => Ledger): void {
  const scenario = readWritten(written);
  fc.pre(scenario !== undefined);
  auditRun(play(scenario!, { openLedger }));
}

/** Writes down the smallest scenario that fails, and fails. */
function torture(
  numRuns: number,
  openLedger: () => Ledger = () => new MemoryLedger({ journal: false }),
): void {
  const property = fc.property(tortureScenario, (written) => tortures(written, openLedger));
  const { failed, counterexample, counterexamplePath, errorInstance, seed } = fc.check(property, { numRuns });
  if (!failed) return;
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const [smallest] = counterexample ?? [];
  if (smallest === undefined) throw new Error(message);
  const written = withoutIdleKeys(smallest, (less) => lawBroken(less, openLedger) === lawOf(errorInstance));
  const file = join(tmpdir(), `plimsoll-torture-${seed}.yaml`);
  const says = message.split('\n').map((line) => `# ${line}`.trimEnd());
  writeFileSync(file, `${says.join('\n')}\n${stringify(written)}`);
  throw new Error(
    `${message}\n\nthe smallest scenario that fails so: ${file}\nPLIMSOLL_TEST_SEED=${seed}, path ${counterexamplePath}`,
    { cause: errorInstance },
  );
}

/** Drops every key, at any depth, without which the scenario still fails so: defaults need not be spelt out. */
function withoutIdleKeys(written: Written, stillFails: (less: Written) => boolean): Written {
  let kept = written;
  for (const key of Object.keys(written)) {
    const { [key]: value, ...less } = kept;
    if (stillFails(less)) {
      kept = less;
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const inner = withoutIdleKeys(value as Written, (part) => stillFails({ ...kept, [key]: part }));
      kept = { ...kept, [key]: inner };
    }
  }
  return kept;
}

function lawBroken(written: Written, openLedger: () => Ledger): string | undefined {
  try {
    tortures(written, openLedger);
    return undefined;
  } catch (error) {
    return lawOf(error);
  }
}

/** What the message says before it tells the particulars. */
function lawOf(error: unknown): string {
  return String(error).split(':').slice(0, 3).join(':');
}

describe('a played scenario', () => {
  it(
    'for any faults and policies, keeps every invariant, and its outcomes and its drift sum',
    () => torture(scenarios),
    2 * HOUR_MS,
  );

  it('for any faults and policies, comes out the same when it is played again', () => {
    const property = fc.property(tortureScenario, (written) => {
      const scenario = readWritten(written);
      fc.pre(scenario !== undefined);
      expect(play(scenario!)).toEqual(play(scenario!));
    });
    fc.assert(property, { numRuns: Math.ceil(scenarios / 20) });
  });
});

describe('the scenarios made up', () => {
  it('are nearly all sound, and meet what there is to meet', () => {
    const sample = fc.sample(tortureScenario, { numRuns: 900, seed: 2 });
    const read = sample.map(readWritten).filter((scenario) => scenario !== undefined);
    expect(read.length).toBeGreaterThan(810);
    const met = new Set<string>();
    for (const scenario of read) {
      const { total, pools } = play(scenario, {
        observe: (event) => {
          met.add(event.type);
          if (event.type === 'books' && event.operation === 'refill' && event.atMs > 0) {
            met.add('refilled in the middle of a night');
          }
        },
      });
      for (const [outcome, count] of Object.entries(total)) if (count > 0) met.add(outcome);
      for (const { driftCauses } of Object.values(pools)) {
        for (const [cause, tokens] of Object.entries(driftCauses)) if (tokens !== 0) met.add(cause);
      }
    }
    expect(EVERYTHING.filter((one) => !met.has(one))).toEqual([]);
  });

  it('find a mistake in the ledger, and shrink it to a small scenario on disk that still shows it', () => {
    const thrown = failureOf(() => torture(2_000, () => new ReclaimOfSettled()));
    const file = /the smallest scenario that fails so: (\S+)/.exec(thrown)?.[1] ?? '';
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    const scenario = readScenario({ name: file, text }, { readText: () => '' });
    expect(() => play(scenario, { openLedger: () => new ReclaimOfSettled() })).toThrow(
      'a hold closes at most once',
    );
    expect(text.split('\n').filter((line) => !line.startsWith('#')).length).toBeLessThan(30);
  });
});

function failureOf(work: () => void): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

const EVERYTHING = [
  ...['done', 'deferred', 'refused', 'inadmissible', 'failed', 'unknown', 'lostWrites', 'unsettled'],
  ...['overspend', 'chargedNotSpent', 'estimatedUsage', 'abandonedCalls', 'hiddenCalls', 'neverSettled'],
  ...['lateShortfall', 'stillOpen'],
  ...['crashed', 'restarted', 'paused', 'suspended', 'zombie', 'clock-set', 'duplicated', 'superseded'],
  ...['write-failed', 'terminating', 'called-again', 'tripped', 'killed', 'finished'],
  ...['arrived', 'refilled in the middle of a night'],
];
