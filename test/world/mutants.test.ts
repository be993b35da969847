// Mistakes made in a ledger on purpose: a played run finds each of them, says where, and how to see it again.
// The same runs on ledgers without the mistake find nothing.

import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { EXIT, explain } from '../../src/cli/exit.ts';
import { replayable } from '../../src/cli/replay-command.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { BrokenNight } from '../../src/world/broken-night.ts';
import { play } from '../../src/world/play.ts';
import {
  ChainWithoutParent,
  HastyLedger,
  LateSettleTwice,
  ReclaimOfSettled,
  RefillOfHeld,
  RenewOfClosed,
  SoundLedger,
  UnclampedRefund,
} from './mutant-ledgers.ts';
import { jobClass, pool, scenario } from './scenario-fixture.ts';

const fixed = { timeouts: 'fixed', admission: 'envelope', reclaim: 'refund' } as const;

/** Calls of 40 s with holds of 2,000 for 1,100 used, two nights; the second night's kill cuts a call off. */
function nights(over: Partial<Scenario> = {}): Scenario {
  const base = scenario();
  return scenario({
    nights: 2,
    lanes: 2,
    pool: pool({ leaseMs: 90_000 }),
    policy: { ...base.policy, ...fixed },
    provider: { ...base.provider, latency: { kind: 'direct', call: constant(40_000) } },
    window: { ...base.window, lastsMs: 180_000 },
    ...over,
  });
}

const small = jobClass({ envelope: { kind: 'tokens', tokens: 1_050 } });

/** The mistake, the run that finds it, the same run without it, and what is found. */
const MUTANTS: readonly (readonly [
  name: string,
  mutant: new () => Ledger,
  sound: new () => Ledger,
  played: Scenario,
  invariant: string,
])[] = [
  [
    'a refund without the clamp',
    UnclampedRefund,
    SoundLedger,
    nights({ jobs: [small] }),
    'a settle consumes what was used of the hold, less its shortfall',
  ],
  [
    'a reclaim that ignores settled',
    ReclaimOfSettled,
    SoundLedger,
    nights({ pool: pool({ leaseMs: 30_000 }) }),
    'a hold closes at most once',
  ],
  ['a renew on a closed hold', RenewOfClosed, HastyLedger, nights(), 'only an open hold is renewed'],
  ['a refill that resets held', RefillOfHeld, SoundLedger, nights(), 'held is the sum of the open holds'],
  [
    'a late settle debiting twice',
    LateSettleTwice,
    HastyLedger,
    nights(),
    'a settle consumes what was used of the hold, less its shortfall',
  ],
  [
    'a chain that forgets its parent',
    ChainWithoutParent,
    SoundLedger,
    nights(),
    'a hold debits every pool of its chain',
  ],
];

function brokenBy(played: Scenario, ledger: new () => Ledger): BrokenNight {
  try {
    play(played, { replication: 3, openLedger: () => new ledger() });
  } catch (error) {
    if (error instanceof BrokenNight) return error;
    throw error;
  }
  return expect.unreachable('nothing was found');
}

describe.each(MUTANTS)('%s', (_name, mutant, sound, played, invariant) => {
  it('is found by a played run', () => {
    expect(brokenBy(played, mutant).invariant).toBe(invariant);
  });

  it('is all that is wrong with it', () => {
    expect(() => play(played, { replication: 3, openLedger: () => new sound() })).not.toThrow();
  });

  it('is told with its seed, replication, night, time, last events and the command that replays it', async () => {
    const error = brokenBy(played, mutant);
    const { place, atMs, events, message } = error;
    expect(place).toMatchObject({ scenario: 'fixture', seed: 'fixture', replication: 3, variant: undefined });
    expect(events.length).toBeGreaterThan(0);
    expect(events.length).toBeLessThanOrEqual(20);
    for (const event of events) expect(message).toContain(`\n  ${JSON.stringify(event)}`);
    expect(message).toContain(`seed fixture, replication 3, night ${place.night}, `);
    if (atMs !== undefined) expect(message).toContain(`${atMs} ms after the opening`);
    const { code, stderr } = await told(error);
    expect(code).toBe(EXIT.invariantBroken);
    expect(stderr).toContain(
      `plimsoll replay-night nightly.yaml --set 'pool={ tokens: 1M }' --replication 3 --night ${place.night}\n`,
    );
  });
});

/** As somebody sees it who ran it from a file, with a setting over it. */
async function told(error: Error) {
  const colours = pc.createColors(false);
  let stderr = '';
  const terminal = {
    colours,
    errorColours: colours,
    answer: () => expect.unreachable('an error is no answer'),
    say: (line: string) => {
      stderr += `${line}\n`;
    },
    progress: () => undefined,
  };
  const broken = await replayable(['nightly.yaml', '--set', 'pool={ tokens: 1M }'], () => {
    throw error;
  }).catch((thrown: unknown) => thrown);
  return { code: explain(broken, ['run', 'nightly.yaml'], terminal), stderr };
}
