// What the report says of the calls and of what befell the nights, and that it says nothing where there was
// nothing.

import { describe, expect, test } from 'vitest';
import { callsChart, callsFinding } from '../../src/report/charts/calls.ts';
import { capacityChart, capacityFinding } from '../../src/report/charts/capacity.ts';
import { outcomesFinding } from '../../src/report/charts/outcomes.ts';
import { plainFigures } from '../../src/report/figures.ts';
import { renderReport } from '../../src/report/render-report.ts';
import type { ReportContext } from '../../src/report/report-context.ts';
import { summarize } from '../../src/report/summary.ts';
import { calmButFor, playedText } from './played-text.ts';

function contextOf(more: string): ReportContext {
  const input = playedText(calmButFor(more));
  return {
    summary: summarize(input),
    series: input.series,
    figures: plainFigures,
    className: (name) => name,
  };
}

async function textOf(more: string): Promise<string> {
  const files = await renderReport(playedText(calmButFor(more)));
  return files.find(({ name }) => name === 'report.md')?.text ?? '';
}

const LIMITS = 'provider: { latency: 10 s, limits: { requests: 6, retryAfter: false } }\nlanes: 8';
const OUTAGE = 'provider: { latency: 10 s, outages: { at: [{ night: 1, from: 30 s, lasts: 20 s }] } }';
const CLIENT = 'client: { attempts: 3 }\nprovider: { latency: 10 s, errors: 20% }';
const CRASH =
  'fleet: { crashes: { at: [{ night: 1, worker: 1, from: 35 s }], restart: 20 s } }\npool: { name: free, tokens: 1M, lease: 15 min }';

describe('the calls', () => {
  test('are all answered on a calm night, which has neither a section nor a chart of them', async () => {
    expect(callsFinding(contextOf(''))).toBe('All 40 calls were answered');
    expect(callsChart(contextOf(''))).toBeUndefined();
    expect(await textOf('')).not.toMatch(/## The calls|went wrong/);
  });

  test('are refused by limits, or meet an outage, or make more of their kind, or go with their worker', () => {
    expect(callsFinding(contextOf(LIMITS))).toBe(
      '68 of 74 calls came to nothing: refusals by the rate limits (HTTP 429)',
    );
    expect(callsFinding(contextOf(OUTAGE))).toMatch(
      /^\d+ of \d+ calls came to nothing: server errors while the provider was down$/,
    );
    expect(callsFinding(contextOf(CLIENT))).toBe(
      'All 40 calls were answered; the client made 12 calls more by itself',
    );
    expect(callsFinding(contextOf(CRASH))).toBe(
      '2 of 40 calls came to nothing: calls whose worker was gone, or hung, before they ended',
    );
  });

  test('have a row for each way in which they ended, and for those that the worker never saw', async () => {
    expect(await textOf(LIMITS)).toContain('| … refused by limits (429) | 68 |');
    expect(await textOf(LIMITS)).not.toContain('server error');
    expect(await textOf(OUTAGE)).toMatch(/\| the provider was down \| 1 \| for 20 s in all \|/);
    expect(await textOf(CLIENT)).toContain('| made beside them by the client, unseen by the worker | 12 |');
    expect(await textOf(CRASH)).toMatch(/\| workers crashed \| 1 \| took 2 jobs along/);
  });
});

describe('capacity', () => {
  test('is bounded by what the provider lets through, where that is least', () => {
    // Six requests a minute for the nine and a half minutes before the reserve.
    expect(capacityFinding(contextOf(LIMITS))).toBe(
      "The provider's rate limits would be the first limit, at about 57 jobs a night: more than the 40 that come",
    );
    expect(capacityFinding(contextOf('provider: { latency: 10 s, limits: { requests: 600 } }'))).toMatch(
      /^Lanes and time would be the first limit/,
    );
    expect(capacityFinding(contextOf('provider: { latency: 10 s, limits: { requests: 3 } }'))).toBe(
      "The provider's rate limits are the first limit, at about 28 jobs a night, and 40 arrive every night",
    );
  });
});

/** Of each bar: does its label stand in it? */
function labelsInside(more: string): Readonly<Record<string, boolean>> {
  const spec = JSON.stringify(capacityChart(contextOf(more))?.spec);
  const rows = [...spec.matchAll(/"name":"([^"]+)","jobs":[^}]*?"inside":(true|false)/g)];
  return Object.fromEntries(rows.map(([, name, inside]) => [name, inside === 'true']));
}

test('a label in the capacity chart leaves its bar where a line of the jobs that come would strike it through', () => {
  // 57 a night by the limits, 40 that come: the line crosses the end of the bar, and there is room behind it.
  expect(labelsInside(LIMITS)['provider limits']).toBe(false);
  // 285 by the limits: the line is far from the end of the bar.
  expect(
    labelsInside('provider: { latency: 10 s, limits: { requests: 30 } }\nlanes: 20')['provider limits'],
  ).toBe(true);
});

describe('deferred jobs', () => {
  test('are told with their cause', async () => {
    expect(await textOf(LIMITS)).toContain('which is no failure: 34 had used up their attempts.');
    expect(await textOf('window: { lasts: 100 s }')).toContain(
      'which is no failure: 26 were not reached, 2 had too little time left.',
    );
  });

  test('that come and go make no growing backlog', () => {
    const short = 'nights: 3\nwindow: { lasts: 100 s }';
    expect(outcomesFinding(contextOf(short))).toMatch(/^The backlog grows from night to night: /);
    const once = `${short}\nprovider: { latency: 2 s, slow: { at: [{ night: 2, from: 0 s, lasts: 90 s }], factor: 5 } }`;
    expect(outcomesFinding(contextOf(once))).not.toMatch(/grows/);
  });
});

describe('what was cut off', () => {
  test('was cut off by the kill, or by a crash, and the report says by which', async () => {
    expect(await textOf(CRASH)).toContain('Cut off means that a worker crashed in the middle of a call');
    const killed = await textOf('policy: { timeouts: fixed }\nwindow: { lasts: 65 s }');
    expect(killed).toContain('Cut off means that the kill came in the middle of a call');
    expect(killed).not.toMatch(/crash/);
  });
});
