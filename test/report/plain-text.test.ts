// What stands between a user's names and the report: escaping, shortening, quoting, measuring.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bullets, listing, paragraph, table } from '../../src/report/document.ts';
import { createFigures, plainFigures } from '../../src/report/figures.ts';
import { escapeHtml } from '../../src/report/html.ts';
import { jsonText } from '../../src/report/json-text.ts';
import { escapeMarkdown, markdownOf } from '../../src/report/markdown.ts';
import { distinctNames, isolated, plainName, shortName } from '../../src/report/names.ts';
import { plimsollCommand } from '../../src/report/shell.ts';
import { sourceString } from '../../src/report/source-string.ts';
import { fitText, textWidthPx, wrapText } from '../../src/report/text-width.ts';

describe('Markdown', () => {
  test('for any text, neither HTML nor a table cell nor a line begins in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeMarkdown(text);
        expect(escaped).not.toMatch(/[<>\n\r@]/);
        expect(escaped.replace(/\\\\|\\[^\\]/g, '')).not.toMatch(/[|`*[\]\\]/);
      }),
    );
  });

  test('a paragraph that begins like a list or a heading is still a paragraph', () => {
    expect(markdownOf([paragraph('1. first')])).toBe('1\\. first\n');
    expect(markdownOf([paragraph('- first')])).toBe('\\- first\n');
    expect(markdownOf([paragraph('# first')])).toBe('\\# first\n');
    expect(markdownOf([bullets(['+ a'])])).toBe('- \\+ a\n');
  });

  test('a table holds its cells', () => {
    const cells = table([{ head: 'a|b', align: 'left' }, { head: 'n' }], [['x|y\nz', '1']]);
    expect(markdownOf([cells])).toBe('| a\\|b | n |\n| :--- | ---: |\n| x\\|y z | 1 |\n');
  });

  test('no command closes its own fence', () => {
    expect(markdownOf([listing('sh', ["echo '```'"])])).toBe("````sh\necho '```'\n````\n");
  });
});

describe('names', () => {
  test('become one line without control or reordering marks', () => {
    expect(plainName('a\n\tb\u0000c\u202Ed\uD800')).toBe('a b cd\uFFFD');
    expect(plainName(' \n')).toBe('(no name)');
  });

  test('for any names, those that differ are shown differently', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 60 })), (names) => {
        expect(new Set(distinctNames(names).values()).size).toBe(names.length);
      }),
    );
    const long = ['A', 'B'].map((middle) => `${'x'.repeat(60)}${middle}${'x'.repeat(60)}`);
    expect([...distinctNames(long).values()][1]).toMatch(/ \(2\)$/);
  });

  test('are at most 40 characters long', () => {
    expect([...shortName('🚢'.repeat(200))]).toHaveLength(40);
    expect(shortName('x'.repeat(40))).toBe('x'.repeat(40));
  });
});

describe('what runs from right to left', () => {
  test('is set apart as a whole, its inner spaces and digits included', () => {
    expect(isolated('a שלום 12 עולם b')).toBe('a \u2068שלום 12 עולם\u2069 b');
    expect(isolated('plain')).toBe('plain');
  });
});

describe('the page', () => {
  test('for any text, no element and no attribute begins or ends in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']/);
      }),
    );
    expect(escapeHtml('&<>"\'')).toBe('&amp;&lt;&gt;&quot;&#39;');
  });
});

describe('programs', () => {
  test('for any name, the string that is printed is that name, on one line, and ends no script', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const source = sourceString(text);
        expect(JSON.parse(source)).toBe(text);
        expect(source).not.toMatch(/[<\n\r\u2028\u2029\u202E]/);
      }),
    );
    expect(sourceString('a\u202E"<b')).toBe('"a\\u202e\\"\\u003cb"');
  });
});

describe('commands', () => {
  test('are quoted only where they must be', () => {
    expect(plimsollCommand('report', ['nightly.yaml', '--set', 'lanes=4'])).toBe(
      'plimsoll report nightly.yaml --set lanes=4',
    );
    expect(plimsollCommand('report', ["it's here; rm -rf /"])).toBe(
      "plimsoll report 'it'\\''s here; rm -rf /'",
    );
    expect(plimsollCommand('report', ['a\n```'])).toBe("plimsoll report $'a\\u000a```'");
    expect(plimsollCommand('report', [''])).toBe("plimsoll report ''");
  });
});

describe('figures', () => {
  test('say so where there is nothing to say', () => {
    expect(plainFigures.tokens(null)).toBe('–');
    expect(plainFigures.count(undefined)).toBe('–');
    expect(plainFigures.percent(Number.NaN)).toBe('–');
    expect(plainFigures.tokens(Number.POSITIVE_INFINITY)).toBe('unbounded');
  });

  test('read as a person would write them', () => {
    expect(plainFigures.counted(1, 'job')).toBe('1 job');
    expect(plainFigures.counted(1_200, 'job')).toBe('1,200 jobs');
    expect(plainFigures.tokens(4_200_000)).toBe('4.2M');
    expect(plainFigures.whole(12.9)).toBe('12');
    expect([-1_200, 0, 3].map(plainFigures.difference)).toEqual(['−1,200', '±0', '+3']);
    expect(plainFigures.quantile(0.975)).toBe('p97.5');
    expect([0, 999, 45_000, 10_000_000].map(plainFigures.literal)).toEqual([
      '0',
      '999',
      '45_000',
      '10_000_000',
    ]);
  });

  test('carry their mark, and the value that they were printed from', () => {
    const figures = createFigures((text, value) => `<${text}|${value}>`);
    expect(figures.tokens(14_000)).toBe('<14k|14000>');
  });
});

describe('text widths', () => {
  const style = { sizePx: 10 };

  test('are those of Helvetica', () => {
    expect(textWidthPx('0Wi', style)).toBeCloseTo((556 + 944 + 222) / 100, 6);
  });

  test('for any text, no line is wider than it may be, and no letter is lost', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 20, max: 200 }), (text, width) => {
        const lines = wrapText(text, style, width);
        for (const line of lines) expect(textWidthPx(line, style)).toBeLessThanOrEqual(width);
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });

  test('a number stays with its unit', () => {
    const width = textWidthPx('it took 34 min', style) + 1;
    expect(wrapText('it took 34 min 18 s', style, width)).toEqual(['it took', '34\u00A0min\u00A018\u00A0s']);
  });

  test('a name that is too wide keeps its head and its tail', () => {
    expect(fitText('abcdefghij-final', style, 60)).toMatch(/^abc.*….*al$/);
    expect(fitText('short', style, 60)).toBe('short');
  });
});

test('JSON has a row of data on each line, whatever its length', () => {
  const row = { a: 'x'.repeat(120) };
  expect(jsonText({ values: [row, { a: 1 }], mean: Number.POSITIVE_INFINITY })).toBe(
    `{\n  "values": [\n    {"a":"${row.a}"},\n    {"a":1}\n  ],\n  "mean": null\n}\n`,
  );
});

test('JSON can stand in a script element: nothing in it ends one', () => {
  const text = jsonText({ name: '</script>\u2028' });
  expect(text).not.toMatch(/[<\u2028]/);
  expect(JSON.parse(text)).toEqual({ name: '</script>\u2028' });
});
