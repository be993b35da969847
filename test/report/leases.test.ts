// Lengths of lease in a report: what is said of the scenario's own beside the others.

import { describe, expect, test } from 'vitest';
import type { LeaseStudy } from '../../src/study/report-studies.ts';
import { rendered } from './rendered.ts';
import { lease, leaseStudy, withStudies } from './toy-findings.ts';
import { toyInput } from './toy-nights.ts';

const CLASS = { name: 'a', count: 60, envelope: 14_000, tokens: [2_000, 9_000] } as const;
const input = toyInput({ nights: 1, capacity: 5_000_000, classes: [CLASS] });
const reportOf = (leases: LeaseStudy | null, asked: number | null = null) =>
  rendered(withStudies(input, { leases, asked }));

describe('the lengths of lease', () => {
  test('are told by the shortest that does no more work twice, where it strands less', async () => {
    const study = leaseStudy(15, lease(2, { duplicatedJobs: 3 }), lease(5), lease(15), lease(45));
    const { finding } = await reportOf(study);
    expect(finding('leases')).toBe(
      'Leases of 5 min would strand 500k token-minutes instead of 1.5M, with no job done twice',
    );
  });

  test('are told by a longer one, where the own runs out under living workers', async () => {
    const study = leaseStudy(
      2,
      lease(1, { duplicatedJobs: 9 }),
      lease(2, { duplicatedJobs: 3 }),
      lease(5, { duplicatedJobs: 1 }),
    );
    const { finding } = await reportOf(study);
    expect(finding('leases')).toBe(
      'Leases of 2 min run out under living workers, 3 jobs done twice; of 5 min, 1',
    );
  });

  test('are told by the own where none is better', async () => {
    const study = leaseStudy(5, lease(1, { duplicatedJobs: 9 }), lease(5), lease(15));
    const { finding } = await reportOf(study);
    expect(finding('leases')).toBe(
      'Leases of 5 min are well chosen among these: no job is done twice, and none that is as safe strands fewer tokens',
    );
  });

  test('stand each on its row, the own one marked', async () => {
    const { text, rows } = await reportOf(leaseStudy(15, lease(5, { duplicatedJobs: 2 }), lease(15)));
    expect(text).toContain('| 5 min | 500 | 2 | 500k | 0 |');
    expect(text).toContain('| 15 min (as it is) | 500 | 0 | 1.5M | 0 |');
    expect(rows('leases')).toContainEqual({ row: 1, name: '15 min, as it is' });
  });

  test('say how to see more of them, unless more were asked for', async () => {
    const study = leaseStudy(15, lease(5), lease(15));
    expect((await reportOf(study)).text).toContain('plimsoll leases toy.yaml');
    expect((await reportOf(study, 20)).text).not.toContain('plimsoll leases toy.yaml');
  });

  test('have no picture where no length costs anything, or none was played', async () => {
    const free = { strandedTokenMinutes: 0 };
    const study = leaseStudy(15, lease(5, free), lease(15, free));
    for (const leases of [study, null]) {
      const { names, text } = await reportOf(leases);
      expect(names).not.toContain('charts/leases.svg');
      expect(text).not.toContain('Stranded tokens');
    }
  });
});
