// What in a plan should stop its reader, each in a sentence with the figures that make it so.

import { formatCount, formatDuration, formatPercent } from '../base/units.ts';
import { smallestBound } from './capacity.ts';
import type { CapacityBound, NightPlan, PlannedClass } from './night-plan.ts';
import type { PlanInput } from './plan-night.ts';

/** Timeouts rarer than this are the tail that a cap is there to cut off. */
const FEW_TIMEOUTS = 0.05;

/** The most urgent first; none where there is nothing to say. */
export function planWarnings(input: PlanInput, plan: Omit<NightPlan, 'warnings'>): readonly string[] {
  const bound = smallestBound(plan.bounds);
  return [
    ...noTimeToStart(input),
    ...plan.classes.flatMap((one) => inadmissible(one, input.pool?.capacityTokens)),
    ...growingBacklog(plan),
    ...overfullFirstNight(plan, bound),
    ...lateWorstCase(plan),
    ...multipliedRetries(plan),
    ...plan.classes.flatMap(meanBeyondEnvelope),
    ...plan.classes.flatMap((one) => frequentTimeouts(one, input.capMs)),
  ];
}

function noTimeToStart({ windowMs, reserveMs, floorMs }: PlanInput): string[] {
  if (windowMs - reserveMs >= floorMs) return [];
  return [
    `No call is ever started: the window of ${formatDuration(windowMs)} less the reserve of ` +
      `${formatDuration(reserveMs)} leaves less than the floor of ${formatDuration(floorMs)}.`,
  ];
}

function inadmissible({ name, count, envelope }: PlannedClass, capacity: number | undefined): string[] {
  if (envelope === null || capacity === undefined || envelope <= capacity || count === 0) return [];
  return [
    `${name}: its envelope of ${formatCount(envelope)} tokens exceeds the whole pool of ` +
      `${formatCount(capacity)}; none of its ${formatCount(count)} jobs is ever admitted.`,
  ];
}

function growingBacklog(plan: Omit<NightPlan, 'warnings'>): string[] {
  if (!plan.backlogGrows) return [];
  const arrivals = formatCount(plan.arrivalsPerNight);
  const left = formatCount(Math.ceil(plan.backlogPerNight));
  const carried = formatCount(Math.floor(plan.arrivalsPerNight - plan.backlogPerNight));
  return [
    `The backlog grows for ever: ${arrivals} jobs arrive every night and at most about ${carried} are carried, ` +
      `so that about ${left} more are left over each night.`,
  ];
}

function overfullFirstNight(
  plan: Omit<NightPlan, 'warnings'>,
  bound: (CapacityBound & { readonly jobsPerNight: number }) | undefined,
): string[] {
  const jobs = plan.worstCase.items;
  if (plan.backlogGrows || bound === undefined || jobs <= bound.jobsPerNight) return [];
  return [
    `The first opening brings ${formatCount(jobs)} jobs, and the ${bound.name} ${bound.name === 'pool' ? 'carries' : 'carry'} about ` +
      `${formatCount(Math.floor(bound.jobsPerNight))} in one night: the rest waits for later nights.`,
  ];
}

function lateWorstCase({ worstCase }: Omit<NightPlan, 'warnings'>): string[] {
  if (worstCase.fits) return [];
  const usableMs = Math.max(0, worstCase.windowMs - worstCase.reserveMs);
  return [
    `The worst case does not fit: ${formatDuration(worstCase.elapsedMs)} on ${lanesInWords(worstCase.lanes)} ` +
      `against ${formatDuration(usableMs)} of window before the reserve. A worker that looks at the deadline ` +
      `defers what does not fit; one that does not is killed in mid-call.`,
  ];
}

function multipliedRetries({ retries }: Omit<NightPlan, 'warnings'>): string[] {
  if (retries === null || retries.clientAttempts === 1 || retries.workerAttempts === 0) return [];
  const { workerAttempts, clientAttempts, withSignal, withoutSignal } = retries;
  return [
    `The client retries under the worker: ${formatCount(workerAttempts)} × ${formatCount(clientAttempts)} = ` +
      `${formatCount(withoutSignal.calls)} calls for one job, and ${formatDuration(withoutSignal.jobMs)} if every ` +
      `call hangs; ${formatCount(withSignal.calls)} calls and ${formatDuration(withSignal.jobMs)} where it ends at the ` +
      `worker's signal. Let one layer retry: one attempt for the client.`,
  ];
}

function lanesInWords(lanes: number): string {
  return lanes === 1 ? 'one lane' : `${formatCount(lanes)} lanes`;
}

function meanBeyondEnvelope({ name, envelope, meanUsedTokens, count }: PlannedClass): string[] {
  if (envelope === null || count === 0) return [];
  if (meanUsedTokens === null) {
    return [`${name}: its mean token use does not exist (a tail too heavy); give the distribution a max.`];
  }
  if (meanUsedTokens <= envelope) return [];
  return [
    `${name}: a job uses ${formatCount(Math.round(meanUsedTokens))} tokens on average, more than its envelope ` +
      `of ${formatCount(envelope)}: overspend is the rule, and the pool does not see it.`,
  ];
}

function frequentTimeouts({ name, timeoutRatio, count }: PlannedClass, capMs: number): string[] {
  if (timeoutRatio <= FEW_TIMEOUTS || count === 0) return [];
  return [
    `${name}: ${formatPercent(timeoutRatio)} of its attempts use up the cap of ${formatDuration(capMs)} ` +
      `without an answer; each is paid for in time and in input tokens, and tried again.`,
  ];
}
