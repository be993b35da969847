// What to change, told from what was played. Each piece of advice is data with the setting that carries it
// out, so that the report can print a command to try it; it is a next step, never a promise.

import { providerInTrouble } from './advice-on-provider.ts';
import { comingHome, timeShort } from './advice-on-time.ts';
import { envelopesWrong, tokensShort } from './advice-on-tokens.ts';
import { storesInTrouble, workersInTrouble } from './advice-on-workers.ts';
import type { Binding, FailedEnd } from './binding.ts';
import type { Findings, PolicyRow } from './findings.ts';
import type { ReportInput } from './report-input.ts';
import type { VerdictFacts } from './verdict.ts';

export type Advice =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'clamp'; readonly set: string }
  | { readonly kind: 'reserve'; readonly fromMs: number; readonly toMs: number; readonly set: string }
  | { readonly kind: 'hung'; readonly nights: number }
  | { readonly kind: 'clock'; readonly set: string }
  | { readonly kind: 'suspension'; readonly set: string }
  | {
      readonly kind: 'shorter-lease';
      /** That were lost with a worker, or waited for what it held. */
      readonly jobs: number;
      readonly fromMs: number;
      readonly toMs: number;
      readonly longestPauseMs: number | null;
      readonly set: string;
    }
  | {
      readonly kind: 'longer-lease';
      readonly duplicated: number;
      readonly lost: number;
      readonly fromMs: number;
      readonly toMs: number;
      readonly set: string;
    }
  | { readonly kind: 'renewals'; readonly duplicated: number; readonly lost: number; readonly set: string }
  | { readonly kind: 'workers'; readonly crashes: number; readonly from: number; readonly set: string }
  | { readonly kind: 'ledger'; readonly jobs: number }
  | { readonly kind: 'store'; readonly jobs: number }
  | { readonly kind: 'shed'; readonly jobs: number; readonly set: string }
  | {
      readonly kind: 'limits';
      readonly refusals: number;
      /** Lanes on each worker. */
      readonly from: number;
      /** Null where there are no more than the limits keep busy. */
      readonly to: number | null;
      readonly set: string;
      readonly also?: readonly string[];
    }
  | {
      readonly kind: 'outage';
      readonly count: number;
      readonly longestMs: number;
      readonly jobs: number;
      /** Null where pauses as long as that would cost more than they save. */
      readonly set: string | null;
      readonly also?: readonly string[];
    }
  | {
      readonly kind: 'attempts';
      readonly jobs: number;
      readonly class: string;
      readonly from: number;
      readonly on: readonly FailedEnd[];
      readonly set: string | null;
    }
  | {
      readonly kind: 'layers';
      readonly again: number;
      readonly attempts: number;
      readonly set: string;
    }
  | { readonly kind: 'admission'; readonly set: string }
  | {
      readonly kind: 'drain';
      readonly by: string;
      readonly starved: string;
      readonly share: number;
      /** Null where the queue is in that order already. */
      readonly set: string | null;
    }
  | { readonly kind: 'fund'; readonly from: number; readonly set: string }
  | { readonly kind: 'pool'; readonly from: number; readonly to: number; readonly set: string }
  | {
      readonly kind: 'envelope-too-large';
      readonly class: string;
      readonly envelope: number;
      readonly capacity: number;
      readonly set: string;
    }
  | {
      readonly kind: 'waiting';
      readonly jobs: number;
      /** Null where holds are per attempt already. */
      readonly set: string | null;
    }
  | { readonly kind: 'window'; readonly usableMs: number; readonly toMs: number; readonly set: string }
  | { readonly kind: 'lanes'; readonly from: number; readonly to: number; readonly set: string }
  | { readonly kind: 'writers'; readonly from: number; readonly to: number; readonly set: string }
  | { readonly kind: 'backlog'; readonly arrivals: number; readonly carries: number }
  | {
      readonly kind: 'variant';
      readonly name: string;
      readonly differences: readonly string[];
      /** Jobs done more, and calls or answers lost fewer; not both are 0. */
      readonly more: number;
      readonly fewerLost: number;
      /** Null where it takes more than one setting, or one that is advised already. */
      readonly set: string | null;
    }
  | {
      readonly kind: 'overspend';
      readonly class: string;
      readonly share: number;
      readonly allowed: number;
    }
  | { readonly kind: 'unspent'; readonly class: string; readonly ratio: number; readonly expected: number };

/** What each reason is cured by; where it decided the nights, that comes first. */
const CURES: Readonly<Record<Binding, readonly Advice['kind'][]>> = {
  tokens: ['admission', 'drain', 'fund', 'pool'],
  envelope: ['envelope-too-large'],
  time: ['window', 'lanes', 'writers'],
  waiting: ['waiting'],
  stranded: ['shorter-lease', 'workers'],
  retries: ['limits', 'outage', 'attempts', 'layers'],
  holds: ['renewals', 'longer-lease'],
  ledger: ['ledger'],
  store: ['store'],
  shed: ['shed'],
  crash: ['shorter-lease', 'workers'],
  kill: [],
};

/**
 * In the order in which to act: what does not come home, what decided the nights, what else loses work, leaves
 * work or wastes tokens.
 */
export function adviseOn(input: ReportInput, findings: Findings, facts: VerdictFacts): readonly Advice[] {
  const cures = facts.binds === null ? [] : CURES[facts.binds];
  const others: readonly Advice[] = [
    ...workersInTrouble(input, findings),
    ...storesInTrouble(input),
    ...providerInTrouble(input, findings, facts),
    ...tokensShort(input, findings),
    ...timeShort(input, findings),
    ...growing(input, findings),
    ...envelopesWrong(input, findings),
  ];
  const advice: Advice[] = [
    ...comingHome(input, facts),
    ...others.filter(({ kind }) => cures.includes(kind)),
    ...others.filter(({ kind }) => !cures.includes(kind)),
  ];
  advice.push(...betterVariant(findings, advice));
  return advice.length === 0 ? [{ kind: 'nothing' }] : advice;
}

function growing({ plan }: ReportInput, { capacity }: Findings): readonly Advice[] {
  if (!capacity.backlogGrows) return [];
  return [{ kind: 'backlog', arrivals: plan.arrivalsPerNight, carries: capacity.carriedLater }];
}

/** What follows `--set` in its command, one for each. */
export function settingsOf(advice: Advice): readonly string[] {
  if (!('set' in advice) || advice.set === null) return [];
  return [advice.set, ...('also' in advice ? (advice.also ?? []) : [])];
}

/** Settings that `--set` takes in the words in which differences are told. */
const PLAIN_SETTING =
  /^(policy\.\w+|order|backfill|lanes|pool\.lease|backoff\.\w+|fleet\.(?:workers|renewals)): ([\w-]+(?: \w+)?)$/;
/** Nobody can choose these: a variant without crashes shows what crashes cost, and is no advice. */
const NO_CHOICE =
  /^(?:fleet\.(?:crashes|pauses|zombies)|provider\.|clock\.(?:steps|suspensions)|store\.(?:outages|full)|ledger\.|weather)/;

/** The compared variant that got the most done, or lost the least, if neither is worse than in the scenario. */
function betterVariant(findings: Findings, others: readonly Advice[]): readonly Advice[] {
  const [, ...variants] = findings.policies;
  const better = variants
    .filter(({ differences }) => !differences.some((difference) => NO_CHOICE.test(difference)))
    .filter(
      ({ doneDifference, cutOffDifference }) =>
        doneDifference >= 0 && cutOffDifference <= 0 && doneDifference - cutOffDifference > 0,
    )
    .reduce<(typeof variants)[number] | undefined>(
      (best, row) => (best === undefined || isBetter(row, best) ? row : best),
      undefined,
    );
  if (better === undefined || better.name === null) return [];
  const { name, differences, doneDifference, cutOffDifference } = better;
  const [, key, value] = PLAIN_SETTING.exec(differences.join(', ')) ?? [];
  const set = key === undefined ? null : `${key}=${value?.replace(' ', '')}`;
  const isSaid = others.some((advice) => settingsOf(advice)[0] === set);
  return [
    {
      kind: 'variant',
      name,
      differences,
      more: doneDifference,
      fewerLost: cutOffDifference === 0 ? 0 : -cutOffDifference,
      set: isSaid ? null : set,
    },
  ];
}

function isBetter(one: PolicyRow, other: PolicyRow): boolean {
  if (one.doneDifference !== other.doneDifference) return one.doneDifference > other.doneDifference;
  return one.cutOffDifference < other.cutOffDifference;
}
