import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Offer } from '../../src/worker/effects.ts';
import { type ElsewhereClaim, JobQueue } from '../../src/worker/job-queue.ts';
import { MinTree } from '../../src/worker/min-tree.ts';

function queueOf(envelopes: readonly number[], elsewhere?: (jobId: string) => ElsewhereClaim) {
  return new JobQueue(
    envelopes.map((envelope, i) => ({ job: i, jobId: String(i), envelope })),
    elsewhere === undefined ? {} : { elsewhere, version: () => 7 },
  );
}

function take(queue: JobQueue<number>, amount?: number): Offer<number> {
  const taken = queue.take(amount === undefined ? undefined : { amount, version: 1 });
  if (taken.kind !== 'job') throw new Error(`no job, but ${taken.kind}`);
  return taken.offer;
}

describe('taking', () => {
  test('a job is handed out in order, to one lane at a time', () => {
    const queue = queueOf([5, 5]);
    expect([take(queue).jobId, take(queue).jobId, queue.take(undefined)]).toEqual([
      '0',
      '1',
      { kind: 'empty' },
    ]);
  });

  test('a job that is put back keeps its place, and its next try has another number', () => {
    const queue = queueOf([5, 5]);
    const first = take(queue);
    queue.leave(first, { as: 'waiting' });
    expect(take(queue)).toMatchObject({ jobId: '0', try: first.try + 1 });
  });

  test('below a bar only smaller jobs are handed out; where all are larger, the lane is barred', () => {
    const queue = queueOf([9, 5, 4]);
    expect(take(queue, 5).jobId).toBe('2');
    expect(queue.take({ amount: 5, version: 3 })).toEqual({ kind: 'barred', version: 3 });
  });

  test('a job with an outcome is not handed out again', () => {
    const queue = queueOf([5, 5, 5, 5]);
    queue.leave(take(queue), { as: 'refused' });
    queue.leave(take(queue), { as: 'inadmissible' });
    queue.leave(take(queue), { as: 'deferred', cause: 'hold-lost' });
    queue.checkpointed(take(queue), 'done', 'out-of-time');
    expect(queue.take(undefined)).toEqual({ kind: 'empty' });
    expect([...queue.standings()].map(({ standing }) => standing.state)).toEqual([
      'refused',
      'inadmissible',
      'deferred',
      'done',
    ]);
  });

  test('two jobs with one id are a mistake', () => {
    const job = { job: 0, jobId: 'twin', envelope: 1 };
    expect(() => new JobQueue([job, job])).toThrow(RangeError);
  });
});

describe('claims', () => {
  test('a lapsed claim frees the job, and its old offer may only write done', () => {
    const queue = queueOf([5]);
    const old = take(queue);
    queue.lapse('0', old.try);
    const renewed = take(queue);
    expect(queue.checkpointed(old, 'pending', 'hold-lost')).toBe(false);
    queue.leave(old, { as: 'refused' });
    expect(queue.standing('0')).toMatchObject({ state: 'claimed', offer: renewed });
    expect(queue.checkpointed(old, 'done', 'out-of-time')).toBe(true);
    expect(queue.checkpointed(renewed, 'failed', 'out-of-time')).toBe(false);
    expect(queue.checkpointed(renewed, 'done', 'out-of-time')).toBe(false);
    expect(queue.standing('0')).toEqual({ state: 'done' });
  });

  test('a job that another process has is passed over, and the lane waits for the books to move', () => {
    let standing: ElsewhereClaim['standing'] = 'claimed';
    const queue = queueOf([5, 5], (jobId) => ({ triesEver: 4, standing: jobId === '0' ? standing : 'free' }));
    expect(take(queue).jobId).toBe('1');
    expect(queue.take(undefined)).toEqual({ kind: 'barred', version: 7 });
    expect(queue.hasClaimedElsewhere).toBe(true);
    standing = 'free';
    expect(take(queue)).toMatchObject({ jobId: '0', try: 5 });
  });

  test('a job that another process was seen to have, and settled, is left to it', () => {
    let standing: ElsewhereClaim['standing'] = 'claimed';
    const queue = new JobQueue([{ job: 0, jobId: '0', envelope: 5, triesEver: 1 }], {
      elsewhere: () => ({ triesEver: 1, standing }),
    });
    queue.take(undefined);
    standing = 'settled';
    expect(queue.take(undefined)).toEqual({ kind: 'empty' });
    expect(queue.standing('0')).toEqual({ state: 'deferred', cause: 'claimed-elsewhere' });
  });

  test('a job that another process took and settled between two looks is left to it', () => {
    const queue = queueOf([5], () => ({ triesEver: 1, standing: 'settled' }));
    expect(queue.take(undefined)).toEqual({ kind: 'empty' });
    expect(queue.standing('0')).toEqual({ state: 'deferred', cause: 'claimed-elsewhere' });
  });

  test('a job that was settled before this queue was made is handed out', () => {
    const queue = new JobQueue([{ job: 0, jobId: '0', envelope: 5, triesEver: 1 }], {
      elsewhere: () => ({ triesEver: 1, standing: 'settled' }),
    });
    expect(take(queue)).toMatchObject({ jobId: '0', try: 2 });
  });

  test('a claim that cannot be read takes no job away, and the job can be skipped', () => {
    let isDown = true;
    const queue = queueOf([5, 5], () => {
      if (isDown) throw new Error('unreadable');
      return { triesEver: 0, standing: 'free' };
    });
    expect(() => queue.take(undefined)).toThrow('unreadable');
    expect(queue.skip(undefined, 'ledger-unavailable')).toBe(true);
    isDown = false;
    expect(take(queue).jobId).toBe('1');
    expect(queue.standing('0')).toEqual({ state: 'deferred', cause: 'ledger-unavailable' });
    expect(queue.skip(undefined, 'ledger-unavailable')).toBe(false);
  });
});

describe('a job that is to come', () => {
  const queueWith = (arrivals: readonly (number | undefined)[]) =>
    new JobQueue(
      arrivals.map((arrivesAtMs, i) => ({ job: i, jobId: String(i), envelope: 5, class: 'a', arrivesAtMs })),
    );

  test('is handed out once it is here, in its place', () => {
    const queue = queueWith([30, undefined]);
    expect([take(queue).jobId, queue.take(undefined)]).toEqual(['1', { kind: 'empty' }]);
    queue.arrived('0');
    expect([take(queue).jobId, queue.take(undefined)]).toEqual(['0', { kind: 'empty' }]);
  });

  test('is shed before it comes, and then not handed out', () => {
    const queue = queueWith([30]);
    queue.shed(['a']);
    queue.arrived('0');
    expect(queue.take(undefined)).toEqual({ kind: 'empty' });
    expect(queue.standing('0')).toEqual({ state: 'deferred', cause: 'shed' });
  });

  test('waits since it came, and one that was there from the start since ever', () => {
    const queue = queueWith([30, 20, undefined, 10]);
    expect(queue.waitsSince('a')).toBe(Number.NEGATIVE_INFINITY);
    const first = take(queue);
    expect(queue.waitsSince('a')).toBeUndefined();
    for (const jobId of ['1', '0']) queue.arrived(jobId);
    expect(queue.waitsSince('a')).toBe(20);
    const [third, second] = [take(queue), take(queue)];
    expect([third.jobId, second.jobId, queue.waitsSince('a')]).toEqual(['0', '1', undefined]);
    queue.leave(third, { as: 'waiting' });
    expect(queue.waitsSince('a')).toBe(30);
    queue.leave(first, { as: 'waiting' });
    expect([queue.waitsSince('a'), queue.waitsSince('b')]).toEqual([Number.NEGATIVE_INFINITY, undefined]);
  });
});

test('for any row of numbers and any limit, the tree finds the first one below it', () => {
  const value = fc.oneof(fc.nat(20), fc.constant(Number.POSITIVE_INFINITY));
  fc.assert(
    fc.property(fc.array(value), fc.array(fc.tuple(fc.nat(), value)), fc.nat(21), (row, changes, limit) => {
      const tree = new MinTree(row);
      for (const [at, to] of row.length === 0 ? [] : changes) {
        tree.set(at % row.length, to);
        row[at % row.length] = to;
      }
      const first = row.findIndex((its) => its < limit);
      expect(tree.firstBelow(limit)).toBe(first === -1 ? undefined : first);
      expect(tree.least).toBe(Math.min(Number.POSITIVE_INFINITY, ...row));
    }),
  );
});
