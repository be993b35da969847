// Refused jobs in a report: the way down from all to those admitted, and what would have admitted the rest.

import { describe, expect, test } from 'vitest';
import type { RefusalStudy } from '../../src/study/report-studies.ts';
import { rendered } from './rendered.ts';
import { refusalStudy, withStudies } from './toy-findings.ts';
import { toyInput } from './toy-nights.ts';

const input = toyInput({ nights: 1, capacity: 5_000_000 });
const NAMES = ['summarize', 'extract-json', 'agent-loop'];
const reportOf = (refusals: RefusalStudy | null) => rendered(withStudies(input, { refusals }));
const change = { refusedThen: 0, refusedBefore: 4 };

describe('refused jobs', () => {
  test('are told with the smallest change that would admit them, tokens before all others', async () => {
    const { finding, rows } = await reportOf(refusalStudy(NAMES));
    expect(finding('refusals')).toBe(
      'Of 1,000 jobs, 120 refused for want of tokens and 7 too large for the pool; a pool of 5,750,000 instead of 5,000,000 tokens would admit them all',
    );
    const labels = rows('refusals').flatMap(({ label }) => (label === undefined ? [] : [label]));
    expect(labels).toEqual([
      'Nobody is refused with',
      '5,750,000 instead of 5,000,000 tokens: 930 done',
      'no such change helps',
      '62 percent of what they are: 941 done',
      '3 instead of 8: 611 done',
    ]);
  });

  test('are told with whichever change helps, and with none where none does', async () => {
    const order = {
      ...change,
      from: 'listed',
      to: 'lightest-first',
      doneThen: 900,
      refusedBefore: null,
    } as const;
    const lanes = { ...change, from: 8, to: 3, doneThen: 1 };
    const none = { tokens: null, order: null, envelopePercent: null, lanes: null };
    const said = async (changes: RefusalStudy['changes']) =>
      (await reportOf(refusalStudy(NAMES, { changes }))).finding('refusals');
    expect(await said({ ...none, order, lanes })).toMatch(
      /; the order lightest-first instead of listed would admit them all$/,
    );
    expect(await said({ ...none, lanes })).toMatch(/; lanes: 3 instead of 8 would admit them all$/);
    expect(await said(none)).toMatch(/; no single change admits them all$/);
    expect(await said({ order: null })).toMatch(/too large for the pool$/);
  });

  test('are a way down that adds up', async () => {
    const { rows } = await reportOf(refusalStudy(NAMES));
    const bars = rows('refusals').filter((row) => 'from' in row);
    expect(bars.map(({ from, to, figure }) => [from, to, figure])).toEqual([
      [0, 1_000, '1,000'],
      [993, 1_000, '−7'],
      [953, 993, '−40'],
      [913, 953, '−40'],
      [873, 913, '−40'],
      [823, 873, '−50'],
      [0, 823, '823'],
    ]);
  });

  test('say which changes were not looked for, and how to find them', async () => {
    const looked = await reportOf(refusalStudy(NAMES));
    expect(looked.text).not.toContain('plimsoll refusals');
    expect(looked.text).toContain('steps of 50,000 tokens');
    expect(looked.text).toContain('Fewer lanes refuse nobody because they reach fewer.');
    const some = await reportOf(refusalStudy(NAMES, { changes: { order: null } }));
    expect(some.text).toContain('The other changes take longer to find');
    expect(some.text).toContain('plimsoll refusals toy.yaml');
    expect(some.text).not.toContain('Fewer lanes');
    const none = await reportOf(refusalStudy(NAMES, { changes: {} }));
    expect(none.text).toContain('What would have admitted them takes longer');
    expect(none.finding('refusals')).toMatch(/too large for the pool$/);
  });

  test('have no section where there are none', async () => {
    const { names, text } = await reportOf(null);
    expect(names).not.toContain('charts/refusals.svg');
    expect(text).not.toContain('## Refused jobs');
  });
});
