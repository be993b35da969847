import { expect, test } from 'vitest';
import { roundTimes } from '../../src/cli/microseconds.ts';

test('times lose their dust, at any depth, and nothing else is touched', () => {
  const value = {
    atMs: 0.1 + 0.2,
    list: [{ finishedMs: 1234.5678, ratio: 1 / 3, note: '0.12345 Ms' }],
    lastWriteMs: null,
    neverMs: Number.POSITIVE_INFINITY,
    lateMs: 9e15 + 1,
  };
  expect(roundTimes(value)).toEqual({
    atMs: 0.3,
    list: [{ finishedMs: 1234.568, ratio: 1 / 3, note: '0.12345 Ms' }],
    lastWriteMs: null,
    neverMs: Number.POSITIVE_INFINITY,
    lateMs: 9e15 + 1,
  });
});
