// The only way to yield an effect: each builder yields one and hands back its answer with the right type.
// To be called with `yield*`; a builder that is not yielded does nothing at all.

import type {
  Answers,
  Bar,
  CheckpointDetail,
  CheckpointStatus,
  Effect,
  EffectKind,
  Leave,
  Offer,
  Step,
} from './effects.ts';

type Asked<Job, Kind extends EffectKind> = Extract<Effect<Job>, { readonly kind: Kind }>;

function* ask<Job, Kind extends EffectKind>(effect: Asked<Job, Kind>): Step<Job, Answers<Job>[Kind]> {
  // The driver's contract, held by a test for both: an effect is resumed with the answer of its own kind.
  return (yield effect) as Answers<Job>[Kind];
}

export const take = <Job>(bar: Bar | undefined) => ask<Job, 'take'>({ kind: 'take', bar });

export const leave = <Job>(offer: Offer<Job>, how: Leave) =>
  ask<Job, 'leave'>({ kind: 'leave', offer, leave: how });

export const call = <Job>(request: Omit<Asked<Job, 'call'>, 'kind'>) =>
  ask<Job, 'call'>({ kind: 'call', ...request });

export const sleep = <Job>(ms: number) => ask<Job, 'sleep'>({ kind: 'sleep', ms });

export const checkpoint = <Job>(offer: Offer<Job>, status: CheckpointStatus, detail: CheckpointDetail) =>
  ask<Job, 'checkpoint'>({ kind: 'checkpoint', offer, status, detail });

export const tokensReturned = <Job>(pool: string, version: number, untilMs: number) =>
  ask<Job, 'tokens-returned'>({ kind: 'tokens-returned', pool, version, untilMs });

export const reserve = <Job>(request: Asked<Job, 'reserve'>['request']) =>
  ask<Job, 'reserve'>({ kind: 'reserve', request });

export const dispatch = <Job>(id: string) => ask<Job, 'dispatch'>({ kind: 'dispatch', id });

export const renew = <Job>(id: string, leaseMs: number) => ask<Job, 'renew'>({ kind: 'renew', id, leaseMs });

export const extendTo = <Job>(id: string, total: number) =>
  ask<Job, 'extend-to'>({ kind: 'extend-to', id, total });

export const release = <Job>(id: string) => ask<Job, 'release'>({ kind: 'release', id });

export const settle = <Job>(id: string, actual: number) => ask<Job, 'settle'>({ kind: 'settle', id, actual });

export const reclaim = <Job>(pool: string) => ask<Job, 'reclaim'>({ kind: 'reclaim', pool });
