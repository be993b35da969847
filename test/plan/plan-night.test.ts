import { describe, expect, it } from 'vitest';
import { type PlanInput, type PlanInputClass, planNight } from '../../src/plan/plan-night.ts';

const summarize: PlanInputClass = {
  name: 'summarize',
  count: 500,
  arrivesEveryNight: true,
  slackMs: 2_955_000,
  attempts: 2,
  longestBackoffsMs: 1_000,
  meanPausesMs: 50,
  envelopeTokens: 14_000,
  meanInputTokens: 3_000,
  meanOutputTokens: 400,
  p95InputTokens: 6_000,
  p95OutputTokens: 1_000,
  successRatio: 0.9,
  timeoutRatio: 0.01,
  meanAttemptMs: 9_000,
  meanAttemptTokens: 3_200,
};

const input: PlanInput = {
  scenario: 'plain',
  nights: 3,
  windowMs: 3_000_000,
  everyMs: 86_400_000,
  reserveMs: 45_000,
  floorMs: 3_000,
  capMs: 120_000,
  lanes: 8,
  pool: { capacityTokens: 10_000_000, refilled: 'night' },
  classes: [summarize],
  order: 'listed',
  backfill: 'smaller',
  writers: 1,
  meanWriteMs: 50,
  client: null,
};

const planOf = (change: Partial<PlanInput>) => planNight({ ...input, ...change });
const withClass = (change: Partial<PlanInputClass>) => planOf({ classes: [{ ...summarize, ...change }] });

describe('a plan', () => {
  it('says of each class what one of its jobs takes, all attempts together', () => {
    const [planned] = planOf({}).classes;
    expect(planned).toMatchObject({
      envelope: 14_000,
      admitted: 714,
      maxInFlight: 714,
      expectedAttempts: 1.1,
    });
    expect(planned!.meanJobMs).toBeCloseTo(1.1 * 9_000 + 50 + 50, 9);
    expect(planned!.meanUsedTokens).toBeCloseTo(3_520, 9);
    expect(planned!.expectedUnspentRatio).toBeCloseTo(1 - 3_520 / 14_000, 12);
  });

  it('names the smallest bound', () => {
    const plan = planOf({});
    const lanes = (8 * 2_955_000) / 10_000;
    expect(plan.bounds[0]!.jobsPerNight).toBeCloseTo(lanes, 9);
    expect(plan.bounds[1]!.jobsPerNight).toBeCloseTo(10_000_000 / 3_520, 9);
    expect(plan.binding).toBe('lanes');
    expect(planOf({ lanes: 16 }).binding).toBe('pool');
    expect(planOf({ meanWriteMs: 10_000 }).binding).toBe('writers');
  });

  it('counts at most the envelope as taken out of the pool', () => {
    const plan = withClass({ envelopeTokens: 2_000 });
    expect(plan.bounds[1]!.jobsPerNight).toBe(5_000);
  });

  it('spreads a pool that is never refilled over the nights', () => {
    const plan = planOf({ pool: { capacityTokens: 10_000_000, refilled: 'never' } });
    expect(plan.bounds[1]!.jobsPerNight).toBeCloseTo(10_000_000 / 3 / 3_520, 9);
  });

  it('without a pool, has no envelopes, no mix, no share and no pool bound', () => {
    const plan = planOf({ pool: null });
    const nothing = { envelope: null, admitted: null, maxInFlight: null, expectedUnspentRatio: null };
    expect(plan.classes[0]).toMatchObject(nothing);
    expect(plan).toMatchObject({ mix: null, meanShare: null });
    expect(plan.numbers).toMatchObject({ poolTokens: null, envelopeTokens: null, envelopeClass: null });
    expect(plan.bounds[1]).toEqual({ name: 'pool', jobsPerNight: null });
  });

  it('has room for another try only where the next opening comes before the slack ends', () => {
    expect(planOf({}).numbers.roomForAnotherTry).toBe(false);
    expect(withClass({ slackMs: 86_400_000 }).numbers.roomForAnotherTry).toBe(false);
    expect(withClass({ slackMs: 86_400_001 }).numbers.roomForAnotherTry).toBe(true);
  });

  it('takes the largest envelope and the smallest slack of the classes that have jobs', () => {
    const heavy = { ...summarize, name: 'agent-loop', envelopeTokens: 180_000, slackMs: 9e9 };
    const idle = { ...summarize, name: 'idle', count: 0, envelopeTokens: 1e6, slackMs: 1 };
    expect(planOf({ classes: [summarize, heavy, idle] }).numbers).toEqual({
      poolTokens: 10_000_000,
      envelopeTokens: 180_000,
      envelopeClass: 'agent-loop',
      deadlineSlackMs: 2_955_000,
      nextOpeningMs: 86_400_000,
      roomForAnotherTry: false,
    });
  });

  it('of no jobs, and of no classes, answers', () => {
    expect(withClass({ count: 0 })).toMatchObject({ binding: null, meanShare: null, backlogGrows: false });
    const empty = planOf({ classes: [] });
    expect(empty).toMatchObject({ classes: [], binding: null, warnings: [] });
    expect(empty.numbers).toMatchObject({ envelopeTokens: null, deadlineSlackMs: null });
  });

  it('survives JSON: nothing in it is infinite', () => {
    const plan = withClass({
      meanInputTokens: Number.POSITIVE_INFINITY,
      meanAttemptTokens: Number.POSITIVE_INFINITY,
    });
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    expect(plan.classes[0]).toMatchObject({ meanInputTokens: null, meanUsedTokens: null });
  });
});

describe('a backlog', () => {
  it('grows by what arrives above the smallest bound', () => {
    const plan = withClass({ count: 3_000 });
    expect(plan).toMatchObject({ arrivalsPerNight: 3_000, backlogGrows: true });
    expect(plan.backlogPerNight).toBeCloseTo(3_000 - 2_364, 9);
  });

  it('does not grow where nothing limits', () => {
    const instant = { meanAttemptMs: 0, meanPausesMs: 0, count: 1e9 };
    const plan = planOf({ pool: null, meanWriteMs: 0, classes: [{ ...summarize, ...instant }] });
    expect(plan).toMatchObject({ binding: null, backlogGrows: false, backlogPerNight: 0 });
  });

  it('does not grow where what arrives is carried, or nothing arrives', () => {
    expect(planOf({})).toMatchObject({ backlogGrows: false, backlogPerNight: 0 });
    const once = withClass({ count: 3_000, arrivesEveryNight: false });
    expect(once).toMatchObject({ arrivalsPerNight: 0, backlogGrows: false, backlogPerNight: 0 });
  });

  it('grows by every job that no pool will ever admit', () => {
    const plan = planOf({
      classes: [summarize, { ...summarize, name: 'huge', count: 7, envelopeTokens: 1e8 }],
    });
    expect(plan).toMatchObject({ backlogGrows: true, backlogPerNight: 7 });
  });
});

describe('a plan warns', () => {
  const calm = { windowMs: 3e9 };
  const warnings = (change: Partial<PlanInput>) => planOf({ ...calm, ...change }).warnings;
  const classWarnings = (change: Partial<PlanInputClass>) =>
    warnings({ classes: [{ ...summarize, ...change }] });

  it('of nothing where nothing is wrong', () => {
    expect(warnings({})).toEqual([]);
  });

  it('of a backlog that grows for ever', () => {
    expect(classWarnings({ count: 3_000 })).toEqual([
      'The backlog grows for ever: 3,000 jobs arrive every night and at most about 2,840 are carried, ' +
        'so that about 160 more are left over each night.',
    ]);
  });

  it('of a first opening that one night cannot carry', () => {
    expect(classWarnings({ count: 3_000, arrivesEveryNight: false })).toEqual([
      'The first opening brings 3,000 jobs, and the pool carries about 2,840 in one night: ' +
        'the rest waits for later nights.',
    ]);
  });

  it('of a class that is larger than the pool', () => {
    expect(classWarnings({ envelopeTokens: 10_000_001 })[0]).toBe(
      'summarize: its envelope of 10,000,001 tokens exceeds the whole pool of 10,000,000; ' +
        'none of its 500 jobs is ever admitted.',
    );
    expect(classWarnings({ envelopeTokens: 10_000_000 })).toEqual([]);
  });

  it('of a worst case that does not fit', () => {
    expect(planNight(input).warnings).toEqual([
      'The worst case does not fit: 4 h 15 min on 8 lanes against 49 min 15 s of window before the reserve. ' +
        'A worker that looks at the deadline defers what does not fit; one that does not is killed in mid-call.',
    ]);
  });

  it('of a window in which nothing can start', () => {
    const [first] = planOf({ windowMs: 47_999 }).warnings;
    expect(first).toMatch(/^No call is ever started: the window of 48 s less the reserve of 45 s/);
    expect(planOf({ windowMs: 48_000 }).warnings[0]).not.toMatch(/^No call/);
  });

  it('of a mean that is more than the envelope, or none at all', () => {
    expect(classWarnings({ envelopeTokens: 3_000 })[0]).toMatch(
      /uses 3,520 tokens on average, more than .* 3,000/,
    );
    expect(classWarnings({ meanAttemptTokens: Number.POSITIVE_INFINITY })[0]).toMatch(
      /mean token use does not exist/,
    );
  });

  it('of attempts that often use up the cap', () => {
    expect(classWarnings({ timeoutRatio: 0.2 })[0]).toMatch(
      /^summarize: 20% of its attempts use up the cap of 2 min/,
    );
    expect(classWarnings({ timeoutRatio: 0.05 })).toEqual([]);
  });
});
