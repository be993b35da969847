import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.ts';

describe('nearest', () => {
  it.each([
    ['reserv', ['reserve', 'floor', 'cap'], 'reserve'],
    ['MaxLeaseMs', ['maxLeaseMs', 'capacity'], 'maxLeaseMs'],
    ['lanse', ['lanes', 'name'], 'lanes'],
    ['fre', ['free'], 'free'],
    ['q', ['p'], 'p'],
    ['rnu', ['plan', 'run'], 'run'],
  ])('"%s" among %j may have meant "%s"', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });

  it.each([
    ['colour', ['reserve', 'floor', 'cap']],
    ['ab', ['cd']],
    ['nur', ['run']],
    ['pool', []],
    ['considerably', ['considering it']],
  ])('"%s" among %j meant none of them', (word, candidates) => {
    expect(nearest(word, candidates)).toBeUndefined();
  });

  it('of two equally close names it is the first', () => {
    expect(nearest('cat', ['car', 'cap'])).toBe('car');
    expect(nearest('cat', ['cap', 'car'])).toBe('cap');
  });
});
