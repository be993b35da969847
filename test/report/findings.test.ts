// Every sentence over a chart, on nights where it must say one thing and on nights where it must say the
// opposite.

import { describe, expect, test } from 'vitest';
import { admittedFinding } from '../../src/report/charts/admitted.ts';
import { capacityFinding } from '../../src/report/charts/capacity.ts';
import { envelopesFinding } from '../../src/report/charts/envelopes.ts';
import { grantedFinding } from '../../src/report/charts/granted-timeouts.ts';
import { heldFinding } from '../../src/report/charts/held-consumed.ts';
import { lastMinutesFinding } from '../../src/report/charts/last-minutes.ts';
import { outcomesFinding } from '../../src/report/charts/outcomes.ts';
import { policiesFinding } from '../../src/report/charts/policies.ts';
import { poolFinding } from '../../src/report/charts/pool-over-time.ts';
import { worstCaseFinding } from '../../src/report/charts/worst-case.ts';
import { plainFigures } from '../../src/report/figures.ts';
import type { ReportContext } from '../../src/report/report-context.ts';
import { policySentence } from '../../src/report/sections/policies-section.ts';
import { summarize } from '../../src/report/summary.ts';
import { type Toy, type ToyClass, toyInput } from './toy-nights.ts';

function contextOf(toy: Toy): ReportContext {
  const input = toyInput(toy);
  return {
    summary: summarize(input),
    series: input.series,
    figures: plainFigures,
    className: (name) => name,
  };
}

function classOf(count: number, tokens: readonly [number, number], more: Partial<ToyClass> = {}): ToyClass {
  return { name: 'a', count, envelope: 10_000, tokens, ...more };
}

const SMALL = { nights: 1, capacity: 10_000_000, classes: [classOf(10, [1_000, 9_000])] } satisfies Toy;
const SLOW = {
  lanes: 1,
  callMs: [60_000, 60_000],
  windowMs: 600_000,
  reserveMs: 60_000,
} as const satisfies Toy;

describe('worst case', () => {
  test('fits where cap × jobs ÷ lanes fits', () => {
    // 10 × 2 min ÷ 8 + 7/8 × 2 min = 4 min 15 s
    expect(worstCaseFinding(contextOf(SMALL))).toMatch(
      /^Even the worst case fits: 4 min 15 s at most; the night as played took /,
    );
  });

  test('does not fit with more jobs than that', () => {
    const many = { ...SMALL, classes: [classOf(300, [1_000, 9_000])] };
    expect(worstCaseFinding(contextOf(many))).toMatch(
      /^The worst case does not fit: 1 h 17 min into 49 min 15 s/,
    );
  });

  test('says so where the night was killed', () => {
    const killed: Toy = { ...SMALL, ...SLOW, windowMs: 90_000, timeouts: 'fixed' };
    expect(worstCaseFinding(contextOf(killed))).toMatch(/the night as played was killed$/);
  });
});

describe('outcomes', () => {
  test('are all done', () => {
    expect(outcomesFinding(contextOf(SMALL))).toBe('The night ends with all 10 jobs done');
    expect(outcomesFinding(contextOf({ ...SMALL, nights: 2 }))).toBe(
      'Every night ends with all its jobs done',
    );
  });

  test('are left for later', () => {
    // 9 min before the reserve, one job a minute
    expect(outcomesFinding(contextOf({ ...SMALL, ...SLOW }))).toMatch(
      /^The night leaves 1 of 10 jobs for later$/,
    );
  });

  test('pile up from night to night, or are worked off', () => {
    const growing = { ...SMALL, ...SLOW, nights: 3 };
    expect(outcomesFinding(contextOf(growing))).toBe(
      'The backlog grows from night to night: 3 jobs wait at the end',
    );
    const once = { ...growing, classes: [classOf(30, [1_000, 9_000], { arrive: 'first-night' })] };
    expect(outcomesFinding(contextOf(once))).toBe('The backlog shrinks, but 3 jobs still wait at the end');
    expect(outcomesFinding(contextOf({ ...once, nights: 4 }))).toBe(
      'All 30 jobs are done, but it takes more than one night',
    );
  });
});

describe('granted timeouts', () => {
  test('are the whole cap where there is time', () => {
    expect(grantedFinding(contextOf(SMALL))).toBe(
      'Every call got the whole cap, and no lane had to be declined',
    );
  });

  test('shrink and are declined where there is none', () => {
    expect(grantedFinding(contextOf({ ...SMALL, ...SLOW }))).toBe(
      'Grants shrink as the night ends (1 below the cap), and 1 lane was declined in time',
    );
  });

  test('outlive the night where timeouts are fixed', () => {
    expect(grantedFinding(contextOf({ ...SMALL, ...SLOW, timeouts: 'fixed' }))).toMatch(
      /^1 call could outlive the night: granted more time than was left$/,
    );
  });
});

describe('envelopes', () => {
  test('hold everything, or one class outgrows them, or several do', () => {
    expect(envelopesFinding(contextOf(SMALL))).toBe('No job used more than its envelope');
    const one = { ...SMALL, classes: [classOf(10, [11_000, 12_000]), classOf(5, [1, 2], { name: 'b' })] };
    expect(envelopesFinding(contextOf(one))).toBe('Only a outgrows its envelope, in 100% of its jobs');
    const both = {
      ...SMALL,
      classes: [classOf(10, [9_000, 12_000]), classOf(5, [11_000, 12_000], { name: 'b' })],
    };
    expect(envelopesFinding(contextOf(both))).toBe(
      '2 classes outgrow their envelopes, b most often: in 100% of its jobs',
    );
  });
});

describe('admitted jobs', () => {
  test('are all of them where the pool is large', () => {
    expect(admittedFinding(contextOf(SMALL))).toBe("The pool holds every job's envelope at once: 10 jobs");
  });

  test('are more over the night than at once where refunds make room', () => {
    expect(admittedFinding(contextOf({ ...SMALL, capacity: 50_000, lanes: 1 }))).toMatch(
      /^At once the pool holds envelopes for 5 of 10 jobs; refunds let \d+ in over the first night$/,
    );
  });

  test('are no more where jobs use their whole envelope, or fewer where time runs out', () => {
    const full = { ...SMALL, capacity: 50_000, classes: [classOf(10, [10_000, 10_000])] };
    expect(admittedFinding(contextOf(full))).toMatch(
      /5 of 10 jobs, and no more came in over the first night$/,
    );
    const late: Toy = { ...SMALL, ...SLOW, windowMs: 180_000, capacity: 50_000 };
    expect(admittedFinding(contextOf(late))).toMatch(/5 of 10 jobs; only 2 came in over the first night$/);
  });
});

describe('the pool', () => {
  test('is never short, or runs short', () => {
    expect(poolFinding(contextOf(SMALL))).toMatch(
      /^The pool is never short: at the tightest 9\.9M of 10M tokens are free$/,
    );
    expect(poolFinding(contextOf({ ...SMALL, capacity: 20_000 }))).toMatch(
      /^The pool runs short: \d requests? for tokens refused, down to /,
    );
  });

  test('is not short for an envelope that is larger than itself', () => {
    const huge = {
      ...SMALL,
      classes: [...SMALL.classes, classOf(2, [1, 2], { name: 'b', envelope: 99_000_000 })],
    };
    expect(poolFinding(contextOf(huge))).toMatch(/^The pool is never short/);
  });
});

describe('the last minutes', () => {
  test('end before the reserve, with what is left until the kill', () => {
    // Nine jobs of a minute each before the reserve; the last write takes 50 ms.
    expect(lastMinutesFinding(contextOf({ ...SMALL, ...SLOW }))).toBe(
      'Every call ends before the reserve, and the last checkpoint is written 1 min before the kill',
    );
  });

  test('reach into the reserve where timeouts are fixed', () => {
    const late: Toy = { ...SMALL, ...SLOW, timeouts: 'fixed', reserveMs: 90_000, windowMs: 645_000 };
    expect(lastMinutesFinding(contextOf(late))).toBe(
      'The last call ends inside the reserve, 45 s before the kill; the last checkpoint is written 45 s before the kill',
    );
  });

  test('are cut off by the kill', () => {
    const killed: Toy = { ...SMALL, ...SLOW, windowMs: 90_000, timeouts: 'fixed' };
    expect(lastMinutesFinding(contextOf(killed))).toBe('The kill cuts off 1 call');
  });
});

describe('capacity', () => {
  const slow = { ...SMALL, ...SLOW } as const;

  test('is limited by lanes, or by the pool', () => {
    // One lane, 540 s, a minute each: nine of the ten that come every night.
    expect(capacityFinding(contextOf(slow))).toBe(
      'Lanes and time are the first limit, at about 9 jobs a night, and 10 arrive every night',
    );
    // 5,000 tokens a job on average: four of them.
    expect(capacityFinding(contextOf({ ...slow, capacity: 20_000 }))).toBe(
      'The token pool is the first limit, at about 4 jobs a night, and 10 arrive every night',
    );
  });

  test('is more than enough, or too little for the first night alone', () => {
    expect(capacityFinding(contextOf({ ...slow, lanes: 8 }))).toBe(
      'Lanes and time would be the first limit, at about 72 jobs a night: more than the 10 that come',
    );
    const once = [classOf(8, [1_000, 9_000]), classOf(5, [1, 2], { name: 'b', arrive: 'first-night' })];
    expect(capacityFinding(contextOf({ ...slow, nights: 2, classes: once }))).toBe(
      'Lanes and time are the first limit, at about 9 jobs a night: too few for the 13 of the first night, enough for the 8 of each later one',
    );
  });
});

describe('held and consumed', () => {
  const one = (tokens: readonly [number, number]): Toy => ({ ...SMALL, classes: [classOf(10, tokens)] });

  test('lie far apart, as they are built, or further', () => {
    expect(heldFinding(contextOf(one([1_000, 1_000])))).toBe(
      'Envelopes keep 90% of what they hold idle, about the 90% that they are built for',
    );
    const { summary, ...context } = contextOf(one([1_000, 1_000]));
    const envelopes = { ...summary.findings.envelopes!, expectedIdleRatio: 0.5 };
    const wasteful = { ...context, summary: { ...summary, findings: { ...summary.findings, envelopes } } };
    expect(heldFinding(wasteful)).toBe(
      'Envelopes keep 90% of what they hold idle, more than the 50% that they are built for',
    );
  });

  test('lie close together where jobs use what is held for them', () => {
    expect(heldFinding(contextOf(one([9_000, 9_000])))).toBe(
      'Envelopes are mostly used: 10% of what they hold comes back, about the 10% that they are built for',
    );
  });

  test('name the class that has most lying idle', () => {
    const two = [classOf(10, [1_000, 1_000]), classOf(10, [8_000, 8_000], { name: 'b' })];
    expect(heldFinding(contextOf({ ...SMALL, classes: two }))).toMatch(
      /^Envelopes keep 55% .* idle \(a most of all\), about/,
    );
  });
});

describe('policies', () => {
  const fixed: Toy = { ...SMALL, ...SLOW, windowMs: 90_000, reserveMs: 10_000, timeouts: 'fixed' };
  const clamped: Toy = { ...fixed, timeouts: 'clamp' };
  const rows = (own: Toy, other: Toy) =>
    contextOf({ ...own, compare: [{ name: 'other', toy: other }] }).summary.findings.policies;

  test('lose answers, or save them, as they did', () => {
    const context = contextOf(SMALL);
    expect(policySentence(rows(clamped, fixed)[1]!, context)).toBe(
      'other: as many jobs done, 1 more call or answer cut off or lost.',
    );
    expect(policySentence(rows(fixed, clamped)[1]!, context)).toBe(
      'other: as many jobs done, 1 fewer call or answer cut off or lost.',
    );
  });

  test('get more done, or fewer, or none does, and lose more or fewer', () => {
    const finding = (own: Toy, other: Toy) =>
      policiesFinding(contextOf({ ...own, compare: [{ name: 'other', toy: other }] }));
    const wide: Toy = { ...clamped, lanes: 3 };
    expect(finding(clamped, wide)).toBe('other gets 2 jobs more done than this scenario');
    expect(finding(wide, clamped)).toBe('No variant gets more done; other gets 2 jobs fewer done');
    expect(finding(clamped, clamped)).toBe('other gets as many jobs done as this scenario');
    expect(finding(clamped, fixed)).toMatch(
      /as many jobs done as this scenario and loses 1 more call or answer$/,
    );
    expect(finding(fixed, clamped)).toMatch(
      /as many jobs done as this scenario and loses 1 call or answer fewer$/,
    );
  });

  test('are compared night by night, in pairs', () => {
    const over = { ...clamped, nights: 3 };
    expect(rows(over, { ...over, lanes: 3 })[1]?.nightDifferences).toEqual([2, 2, 2]);
    expect(rows({ ...over, lanes: 3 }, over)[1]?.nightDifferences).toEqual([-2, -2, -2]);
  });

  test('name the settings that differ', () => {
    expect(rows(fixed, clamped)[1]?.differences).toEqual(['policy.timeouts: clamp']);
    expect(rows(fixed, fixed)[1]?.differences).toEqual([]);
    const wider = { ...fixed, classes: [classOf(12, [1_000, 9_000], { envelope: 12_345 })] };
    expect(rows(fixed, wider)[1]?.differences).toEqual(['jobs.a.count: 12', 'jobs.a.envelope: 12.3k']);
  });
});

describe('a drain', () => {
  const heavy = classOf(20, [10_000, 10_000], { name: 'heavy' });
  const light = classOf(50, [100, 100], { name: 'light', envelope: 1_000 });
  const drained: Toy = {
    nights: 1,
    capacity: 200_000,
    lanes: 1,
    callMs: [1_000, 1_000],
    classes: [heavy, light],
  };

  test('is named where one class took the pool and another got nothing', () => {
    expect(contextOf(drained).summary.findings.drain).toEqual({
      by: 'heavy',
      share: 1,
      starved: 'light',
      starvedRefused: 50,
    });
  });

  test('is not named once the light ones go first', () => {
    expect(contextOf({ ...drained, classes: [light, heavy] }).summary.findings.drain).toBeNull();
  });
});
