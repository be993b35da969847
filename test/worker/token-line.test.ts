import { describe, expect, test } from 'vitest';
import { TokenLine } from '../../src/worker/token-line.ts';

function lineOf(lanes: number) {
  const line = new TokenLine();
  const letGo: number[] = [];
  const names = Array.from({ length: 3 }, (_, lane) => ({ lane }));
  const place = (lane: number, version = 1) => ({
    lane: names[lane]!,
    version,
    letGo: () => letGo.push(lane),
  });
  for (let lane = 0; lane < lanes; lane += 1) line.join(place(lane));
  return { line, letGo, place, passedOn: (lane: number) => line.passedOn(names[lane] ?? {}) };
}

describe('lanes in line for tokens', () => {
  test('when the books move, only the first is let go', () => {
    const { line, letGo } = lineOf(3);
    line.moved(2);
    line.moved(3);
    expect(letGo).toEqual([0]);
    expect(line.size).toBe(2);
  });

  test('while the books stand still nobody is', () => {
    const { line, letGo } = lineOf(1);
    line.moved(1);
    line.moved(0);
    expect(letGo).toEqual([]);
  });

  test('the next follows when the call of the first is out or it has ended, and so on', () => {
    const { line, letGo, passedOn } = lineOf(3);
    line.moved(2);
    passedOn(0);
    passedOn(1);
    passedOn(2);
    expect(letGo).toEqual([0, 1, 2]);
    expect(line.size).toBe(0);
  });

  test('one that comes back lets the others sleep until the books move again, then waits behind them', () => {
    const { line, letGo, place } = lineOf(2);
    line.moved(2);
    line.join(place(0, 2));
    expect(letGo).toEqual([0]);
    line.moved(3);
    expect(letGo).toEqual([0, 1]);
  });

  test('nobody follows who was refused at the version that the books still have', () => {
    const { line, letGo, place, passedOn } = lineOf(1);
    line.moved(2);
    line.join(place(1, 2));
    passedOn(0);
    expect(letGo).toEqual([0]);
    line.moved(3);
    expect(letGo).toEqual([0, 1]);
  });

  test('what a lane does that was not let go calls nobody', () => {
    const { line, letGo, passedOn } = lineOf(2);
    passedOn(1);
    line.moved(2);
    passedOn(7);
    expect(letGo).toEqual([0]);
  });

  test('a lane that has left is not let go', () => {
    const { line, letGo, place } = lineOf(0);
    const [first, second] = [place(0), place(1)];
    line.join(first);
    line.join(second);
    line.leave(first);
    line.moved(2);
    expect(letGo).toEqual([1]);
  });

  test('who clears the line lets everybody go, and the next move calls the next who joins', () => {
    const { line, letGo, place } = lineOf(2);
    line.moved(2);
    for (const waiting of line.clear()) waiting.letGo();
    expect(letGo).toEqual([0, 1]);
    line.join(place(1, 2));
    line.moved(3);
    expect(letGo).toEqual([0, 1, 1]);
  });
});
