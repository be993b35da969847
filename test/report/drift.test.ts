// The bill and the books: what is said of a drift of either sign, and that its parts sum to it.

import { describe, expect, test } from 'vitest';
import { rendered } from './rendered.ts';
import { withDrift } from './toy-findings.ts';
import { toyInput } from './toy-nights.ts';

const CLASS = { name: 'a', count: 60, envelope: 14_000, tokens: [2_000, 9_000] } as const;
const input = toyInput({ nights: 1, capacity: 5_000_000, classes: [CLASS] });

describe('the drift', () => {
  test('above 0 is what the provider bills and the books do not have, with its greatest cause', async () => {
    const { finding, text } = await rendered(withDrift(input, { overspend: 300_000, hiddenCalls: 20_000 }));
    expect(finding('drift')).toBe(
      'The provider bills 320k tokens more than the books have, above all for use beyond envelopes',
    );
    expect(text).toContain('Use beyond envelopes is never debited');
    expect(text).toContain('no ledger hears of');
    expect(text).not.toContain('Corrections bring');
  });

  test('below 0 is what the books have and nobody bills, with its greatest cause of that sign', async () => {
    const { finding } = await rendered(
      withDrift(input, { chargedNotSpent: -90_000, abandonedCalls: 89_000 }),
    );
    expect(finding('drift')).toBe(
      'The books have 1k tokens more than the provider bills, above all for expired holds that were charged in full',
    );
  });

  test('names the greatest cause of its own sign, also where one of the other sign is greater', async () => {
    const causes = { overspend: 200_000, hiddenCalls: 210_000, chargedNotSpent: -300_000 };
    expect((await rendered(withDrift(input, causes))).finding('drift')).toBe(
      'The provider bills 110k tokens more than the books have, above all for calls that the client made by itself',
    );
  });

  test('of one cause alone is all of that', async () => {
    const { finding } = await rendered(withDrift(input, { neverSettled: 46_000 }));
    expect(finding('drift')).toMatch(/46k tokens more .*, all of it for calls that were cut off/);
  });

  test('of 0 with causes is said to cancel out, and without causes has no section', async () => {
    const cancelled = await rendered(withDrift(input, { overspend: 500, estimatedUsage: -500 }));
    expect(cancelled.finding('drift')).toBe(
      'What the bill and the books lack of each other cancels out in the end',
    );
    const none = await rendered(withDrift(input, {}));
    expect(none.names).not.toContain('charts/drift.svg');
    expect(none.text).not.toContain('The bill and the books');
  });

  test('is drawn bar by bar, each from where the last ended, the last of all from 0 to the drift', async () => {
    const causes = { overspend: 300, chargedNotSpent: -700, hiddenCalls: 50 };
    const { rows } = await rendered(withDrift(input, causes));
    const bars = rows('drift').filter((row) => 'from' in row);
    expect(bars.map(({ from, to, label }) => [from, to, label])).toEqual([
      [0, -700, '−700'],
      [-700, -400, '+300'],
      [-400, -350, '+50'],
      [0, -350, '−350'],
    ]);
  });

  test('is told for each variant, with the greatest cause of each', async () => {
    const compared = toyInput({
      nights: 1,
      capacity: 5_000_000,
      classes: [CLASS],
      compare: [{ name: 'other', toy: { nights: 1, capacity: 5_000_000, classes: [CLASS] } }],
    });
    const { text } = await rendered(withDrift(compared, { overspend: 300_000 }));
    expect(text).toMatch(/\| this scenario \| .* \| \+300,000 \| beyond envelopes \| \+300,000 \|/);
    expect(text).toMatch(/\| other \| .* \| ±0 \| {2}\| {2}\|/);
  });
});
