// The last minutes of a night, from its events: whose bars they are, what the kill left open, which night
// is kept, and that nothing grows.

import { describe, expect, test } from 'vitest';
import { EdgeTally } from '../../src/report/edge-tally.ts';
import type { EdgeSeries } from '../../src/report/night-series.ts';

const WINDOW_MS = 1_000;

/** One call of one lane; without an end the kill cuts it off, without `writtenMs` its write too. */
interface ToyCall {
  readonly lane: number;
  readonly fromMs: number;
  readonly toMs?: number;
  readonly outcome?: 'ok' | 'timed-out';
  readonly writtenMs?: number;
}

function play(tally: EdgeTally, night: number, calls: readonly ToyCall[], finishedMs?: number): void {
  tally.opened(night);
  for (const [index, { lane, fromMs, toMs, outcome = 'ok', writtenMs }] of calls.entries()) {
    const job = `job-${index}`;
    const at = (atMs: number) => ({ night, atMs, job });
    tally.granted({ ...at(fromMs), type: 'granted', lane, attempt: 1, timeoutMs: 500 });
    if (toMs === undefined) continue;
    const record = { attempt: 1, remainingMs: 1, grantedMs: 500, elapsedMs: toMs - fromMs, tokens: 1 };
    tally.answered({ ...at(toMs), ...record, type: 'attempt', lane, outcome, billed: 1 });
    tally.queued({ ...at(toMs), type: 'write-queued', status: 'done' });
    if (writtenMs !== undefined) tally.written({ ...at(writtenMs), type: 'written', status: 'done' });
  }
  const atMs = finishedMs ?? WINDOW_MS;
  tally.ended({ night, atMs, type: finishedMs === undefined ? 'killed' : 'finished' });
}

function seriesOf(...nights: readonly (readonly [readonly ToyCall[], number?])[]): EdgeSeries | null {
  const tally = new EdgeTally(WINDOW_MS, 8);
  for (const [index, [calls, finishedMs]] of nights.entries()) play(tally, index + 1, calls, finishedMs);
  return tally.series();
}

describe('the last minutes', () => {
  test('hold each call and its write, on the lane of the call', () => {
    const series = seriesOf([
      [
        { lane: 0, fromMs: 100, toMs: 300, writtenMs: 340 },
        { lane: 3, fromMs: 100, toMs: 600, outcome: 'timed-out', writtenMs: 610 },
      ],
      700,
    ]);
    expect(series).toMatchObject({
      killed: false,
      lanes: 2,
      shownLanes: [0, 3],
      cutOff: 0,
      unwritten: 0,
      lastCallMs: 600,
      callMarginMs: 400,
      lastWriteMs: 610,
      writeMarginMs: 390,
      finishedMs: 700,
    });
    expect(series?.bars).toEqual([
      { lane: 0, fromMs: 100, toMs: 300, kind: 'answered' },
      { lane: 0, fromMs: 300, toMs: 340, kind: 'write' },
      { lane: 3, fromMs: 100, toMs: 600, kind: 'timed-out' },
      { lane: 3, fromMs: 600, toMs: 610, kind: 'write' },
    ]);
  });

  test('end at the kill for what it finds under way', () => {
    const series = seriesOf([
      [
        { lane: 1, fromMs: 100, toMs: 980 },
        { lane: 0, fromMs: 900 },
      ],
    ]);
    expect(series).toMatchObject({
      killed: true,
      cutOff: 1,
      unwritten: 1,
      finishedMs: null,
      lastWriteMs: null,
    });
    expect(series?.bars).toContainEqual({ lane: 0, fromMs: 900, toMs: WINDOW_MS, kind: 'cut-off' });
    expect(series?.bars).toContainEqual({ lane: 1, fromMs: 980, toMs: WINDOW_MS, kind: 'unwritten' });
  });

  test('are those of the night that was killed, else of the one that worked longest', () => {
    const early = [[{ lane: 0, fromMs: 1, toMs: 2, writtenMs: 3 }], 4] as const;
    const late = [[{ lane: 0, fromMs: 1, toMs: 900, writtenMs: 901 }], 902] as const;
    const killed = [[{ lane: 0, fromMs: 1 }]] as const;
    expect(seriesOf(early, late, early)?.night).toBe(2);
    expect(seriesOf(killed, late, early)?.night).toBe(1);
    expect(seriesOf(early, [[], 0])?.night).toBe(1);
    expect(seriesOf([[], 0])).toBeNull();
  });

  test.each([2, 100])('stay small, and are complete from where they begin, on %i lanes', (lanes) => {
    const calls = Array.from({ length: 200 * lanes }, (_, index): ToyCall => {
      const fromMs = Math.floor(index / lanes) * 5;
      return { lane: index % lanes, fromMs, toMs: fromMs + 4, writtenMs: fromMs + 5 };
    });
    const series = seriesOf([calls, 1_000])!;
    expect(series.lanes).toBe(lanes);
    expect(series.shownLanes).toHaveLength(Math.min(lanes, 10));
    expect(series.bars.length).toBeLessThanOrEqual(200);
    expect(series.spanMs).toBeGreaterThan(0);
    for (const lane of series.shownLanes) {
      const bars = series.bars.filter((bar) => bar.lane === lane);
      const covered = bars.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
      expect(covered).toBeCloseTo(series.spanMs, 6);
    }
  });
});

describe('a worker that crashes', () => {
  /** Lanes 0 and 1 are worker 1's, lane 2 worker 2's. */
  function crashed(): EdgeSeries | null {
    const tally = new EdgeTally(WINDOW_MS, 2);
    tally.opened(1);
    const granted = (lane: number, job: string, atMs: number) =>
      tally.granted({ night: 1, atMs, type: 'granted', job, lane, attempt: 1, timeoutMs: 500 });
    const answered = (lane: number, job: string, atMs: number) => {
      const record = { attempt: 1, remainingMs: 1, grantedMs: 500, elapsedMs: 1, tokens: 1, billed: 1 };
      tally.answered({ night: 1, atMs, type: 'attempt', job, lane, outcome: 'ok', ...record });
      tally.queued({ night: 1, atMs, type: 'write-queued', job, status: 'done' });
    };
    granted(0, 'a', 100);
    granted(1, 'b', 100);
    granted(2, 'c', 100);
    answered(1, 'b', 300);
    expect(tally.crashed({ night: 1, atMs: 400, type: 'crashed', worker: 1, stranded: 0 })).toEqual(['b']);
    tally.restarted({ night: 1, atMs: 600, type: 'restarted', worker: 1 });
    answered(2, 'c', 700);
    tally.written({ night: 1, atMs: 710, type: 'written', job: 'c', status: 'done' });
    tally.ended({ night: 1, atMs: 800, type: 'finished' });
    return tally.series();
  }

  test('takes its calls and writes with it there and then, and those of no other', () => {
    const bars = crashed()?.bars ?? [];
    expect(bars).toContainEqual({ lane: 0, fromMs: 100, toMs: 400, kind: 'crashed' });
    expect(bars).toContainEqual({ lane: 1, fromMs: 300, toMs: 400, kind: 'lost-write' });
    expect(bars).toContainEqual({ lane: 2, fromMs: 100, toMs: 700, kind: 'answered' });
    expect(bars).toContainEqual({ lane: 2, fromMs: 700, toMs: 710, kind: 'write' });
  });

  test('is gone until it is back, and leaves nothing for the kill to cut off', () => {
    const series = crashed();
    expect(series?.bars).toContainEqual({ lane: 0, fromMs: 400, toMs: 600, kind: 'down' });
    expect(series?.bars.filter(({ lane, kind }) => lane === 2 && kind === 'down')).toEqual([]);
    expect(series).toMatchObject({ killed: false, cutOff: 0, unwritten: 0 });
  });
});
