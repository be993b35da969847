import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from '../../src/ledger/compare-text.ts';

describe('compareText', () => {
  it('for any two texts orders them as their UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const bytes = Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
        expect(Math.sign(compareText(a, b))).toBe(bytes);
      }),
    );
  });

  it('puts characters beyond U+FFFF last, unlike the comparison of JavaScript', () => {
    expect('\uFF5E' < '\u{1F6A2}').toBe(false);
    expect(compareText('\uFF5E', '\u{1F6A2}')).toBeLessThan(0);
  });
});
