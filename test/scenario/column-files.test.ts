import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../src/base/errors.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { edit, files, NIGHTLY, problemsOf, read, SMALLEST } from './nightly.ts';

const rowsOf = (csv: string) => {
  const { tokens } = read(NIGHTLY, files({ 'trace.csv': csv })).jobs[1]!;
  return tokens.kind === 'pairs' ? tokens.rows : undefined;
};
const messages = (csv: string) => problemsOf(NIGHTLY, files({ 'trace.csv': csv })).map(describeProblem);

describe('a CSV file is read', () => {
  const rows = [
    [10, 20],
    [30, 40],
  ];

  test.each([
    ['with LF and a final newline', 'ContextTokens,GeneratedTokens\n10,20\n30,40\n'],
    ['with CRLF and none', 'ContextTokens,GeneratedTokens\r\n10,20\r\n30,40'],
    ['with a byte order mark', '\uFEFFContextTokens,GeneratedTokens\n10,20\n30,40\n'],
    ['with a byte order mark before a quote', '\uFEFF"ContextTokens",GeneratedTokens\n10,20\n30,40\n'],
    ['with quoted cells', '"ContextTokens","GeneratedTokens"\n"10","20"\n"30",40\n'],
    [
      'with commas and line ends inside quotes',
      'Note,ContextTokens,GeneratedTokens\n"a,\n""b""",10,20\nc,30,40\n',
    ],
    ['with other columns, in any order', 'GeneratedTokens,x,ContextTokens\n20,,10\n40,,30\n'],
    ['with spaces around cells', 'ContextTokens, GeneratedTokens\n10, 20\n30 ,40\n'],
    ['with empty lines', 'ContextTokens,GeneratedTokens\n\n10,20\n\n30,40\n\n'],
    ['with whole numbers that were written as decimals', 'ContextTokens,GeneratedTokens\n10.0,2e1\n30,40\n'],
  ])('%s', (_, csv) => {
    expect(rowsOf(csv)).toEqual(rows);
  });

  test('a column of durations is read in its unit', () => {
    const text = edit(
      NIGHTLY,
      '{ p50: 20 ms, p95: 200 ms }',
      '{ file: writes.csv, column: seconds, unit: s, max: 2 s }',
    );
    const io = files({
      'trace.csv': 'ContextTokens,GeneratedTokens\n1,2\n',
      'writes.csv': 'seconds\n0.25\n1\n7.5\n',
    });
    const { write } = read(text, io).store;
    expect([0, 0.5, 1].map((p) => write.quantile(p))).toEqual([250, 1000, 2000]);
  });
});

describe('a CSV file is refused', () => {
  test('for a value that is no number on line 4,711, naming file, line, column and value', () => {
    const lines = Array.from({ length: 9000 }, (_, row) => `${row},5`);
    lines[4709] = '12,n/a';
    expect(messages(['ContextTokens,GeneratedTokens', ...lines].join('\r\n'))).toEqual([
      'trace.csv:4711: column "GeneratedTokens" has no number of tokens here (expected a whole number, 0 or more, got "n/a")',
    ]);
  });

  test.each([
    ['n/a', '"n/a"'],
    ['', 'an empty cell'],
    ['-1', '"-1"'],
    ['1.5', '"1.5"'],
    ['NaN', '"NaN"'],
    ['Infinity', '"Infinity"'],
    ['0x10', '"0x10"'],
    ['1e300', '"1e300"'],
  ])('for %j among its tokens', (cell, got) => {
    expect(messages(`ContextTokens,GeneratedTokens\n1,2\n3,${cell}\n`)).toEqual([
      `trace.csv:3: column "GeneratedTokens" has no number of tokens here (expected a whole number, 0 or more, got ${got})`,
    ]);
  });

  test('for many of them with the first and how many more, in each column', () => {
    expect(messages('ContextTokens,GeneratedTokens\n1,x\n2,y\nz,3\n')).toEqual([
      'trace.csv:4: column "ContextTokens" has no number of tokens here (expected a whole number, 0 or more, got "z")',
      'trace.csv:2: column "GeneratedTokens" has no number of tokens here, and 1 more like it (expected a whole number, 0 or more, got "x")',
    ]);
  });

  test.each([
    ['', 'nightly.yaml:18:19: trace.csv is empty'],
    ['\n\n', 'nightly.yaml:18:19: trace.csv is empty'],
    ['ContextTokens,GeneratedTokens\n', 'nightly.yaml:18:19: trace.csv has a header, but no rows'],
    [
      'contexttokens,GeneratedTokens\n1,2\n',
      'nightly.yaml:18:37: trace.csv has no column "ContextTokens" (expected contexttokens, GeneratedTokens). Did you mean "contexttokens"?',
    ],
    [
      'ContextTokens,GeneratedTokens\n1,2\n3\n',
      'trace.csv:3: this is no CSV: Invalid Record Length: expect 2, got 1 on line 3',
    ],
    [
      'ContextTokens,GeneratedTokens\n1,"2\n',
      'trace.csv:2: this is no CSV: Quote Not Closed: the parsing is finished with an opening quote at line 2',
    ],
  ])('%j', (csv, message) => {
    expect(messages(csv)).toEqual([message]);
  });

  test('in a column of durations for what is no number', () => {
    const text = edit(SMALLEST, 'whole-grant', '{ file: calls.csv, column: ms, unit: ms }');
    expect(problemsOf(text, files({ 'calls.csv': 'ms\n12\nfast\n' })).map(describeProblem)).toEqual([
      'calls.csv:3: column "ms" has no number here (expected a number, 0 or more, got "fast")',
    ]);
  });
});

test('a file beside the scenario is asked for as it is written, and named beside it', () => {
  const asked: string[] = [];
  const io = {
    readText: (path: string) => {
      asked.push(path);
      throw Object.assign(new Error('no'), { code: 'ENOENT' });
    },
  };
  expect(() => readScenario({ name: 'scenarios/deep/nightly.yaml', text: NIGHTLY }, io)).toThrow(
    'scenarios/deep/nightly.yaml:18:19: there is no file scenarios/deep/trace.csv',
  );
  expect(asked).toEqual(['trace.csv']);
  const absolute = edit(NIGHTLY, 'trace.csv', '/data/trace.csv');
  expect(() => readScenario({ name: 'scenarios/nightly.yaml', text: absolute }, io)).toThrow(
    'there is no file /data/trace.csv',
  );
});
