import { describe, expect, test, vi } from 'vitest';
import { InputError, MemoryLedger, type RunQueueOptions, runQueue } from '../../src/index.ts';
import { jobs, night, type TestJob, tenMinutes } from './live-night.ts';

const ok = async () => ({ outcome: 'ok' as const, usage: { input: 1, output: 1 } });

function poolOf(capacity: number): MemoryLedger {
  const ledger = new MemoryLedger();
  ledger.openPool({ pool: 'free', capacity });
  return ledger;
}

type Options = RunQueueOptions<TestJob, unknown>;

/** What `runQueue` makes of an option that cannot be meant; nothing may have been called or reserved. */
async function complaint(wrong: object): Promise<Error> {
  const call = vi.fn(ok);
  const ledger = poolOf(1_000);
  const { options } = night({ jobs: jobs('a', 'b'), ledger, pool: 'free', envelope: () => 10, call });
  const error = await runQueue({ ...options, ...wrong } as Options).then(
    () => new Error('nothing was said'),
    (reason: Error) => reason,
  );
  expect(call).not.toHaveBeenCalled();
  expect(ledger.journal()).toHaveLength(1);
  return error;
}

describe('wrong options are told before anything is spent', () => {
  const inputErrors: [string, object, string][] = [
    ['an unknown option', { lane: 4 }, 'runQueue has no option "lane"'],
    ['an unknown option, with the right one', { envelop: () => 1 }, 'Did you mean "envelope"?'],
    ['an unknown setting of the backoff', { backoff: { base: 1 } }, 'backoff has no option "base"'],
    ['a ledger without a pool', { pool: undefined }, 'add pool: "its name"'],
    ['a ledger without an envelope', { envelope: undefined }, 'add envelope: (job) =>'],
    ['a pool without a ledger', { ledger: undefined, envelope: undefined }, '"pool" but no ledger'],
    ['an envelope without a ledger', { ledger: undefined, pool: undefined }, '"envelope" but no ledger'],
    ['a pool that is not open', { pool: 'fee' }, 'the ledger has no pool "fee"'],
    ['a pool that is not open, with the right one', { pool: 'fee' }, 'Did you mean "free"?'],
    ['a job without a name', { jobs: [{ id: 'a' }, { name: 'b' }] }, 'jobs[1] has no id'],
    ['an empty name', { id: () => '' }, 'add id: (job) => its name'],
    ['two jobs with one name', { id: () => 'twin' }, 'two jobs have the id "twin"'],
    ['no budget', { budget: undefined }, 'runQueue needs budget'],
    ['no call', { call: 'https://example.com' }, 'runQueue needs call'],
    ['no checkpoint', { checkpoint: undefined }, 'runQueue needs checkpoint'],
    ['a backfill that does not exist', { backfill: 'small' }, 'Did you mean "smaller"?'],
    ['an unknown setting of the trips', { trips: { onTrips: () => {} } }, 'Did you mean "onTrip"?'],
    ['an unknown threshold', { trips: { thresholds: { refusals: 0.1 } } }, 'trips.thresholds has no option'],
    [
      'something unknown of a class',
      { trips: { classes: { a: { slack: 1 } } } },
      'trips.classes.a has no option',
    ],
    ['a class that is no name', { trips: { class: () => '' } }, 'trips.class of job "a" is no name'],
    ['a suspension that does not exist', { suspension: 'off' }, 'expected shorten or ignore'],
  ];
  test.each(inputErrors)('%s', async (_, wrong, words) => {
    const error = await complaint(wrong);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toContain(words);
  });

  const rangeErrors: [object, string][] = [
    [
      { envelope: (job: TestJob) => (job.id === 'b' ? 1.5 : 1) },
      'envelope of job "b" must be a whole number of tokens from 0 to 2^53 - 1, got 1.5',
    ],
    [{ envelope: () => Number.NaN }, 'envelope of job "a"'],
    [{ trips: { thresholds: { windowMs: 0 } } }, 'trips.thresholds.windowMs must be above 0, got 0'],
    [{ trips: { thresholds: { leastEvents: 0.5 } } }, 'trips.thresholds.leastEvents'],
    [{ trips: { thresholds: { overspendConfidence: 1 } } }, 'trips.thresholds.overspendConfidence'],
    [{ trips: { thresholds: { refusalRate: Number.NaN } } }, 'trips.thresholds.refusalRate'],
    [{ trips: { classes: { a: { slackMs: 0 } } } }, 'trips.classes.a.slackMs must be above 0, got 0'],
    [
      { trips: { classes: { a: { quantile: 95 } } } },
      'trips.classes.a.quantile must be above 0, up to 1, got 95',
    ],
    [{ input: () => -1 }, 'input of job "a"'],
    [{ abandonedUsage: () => 0.1 }, 'abandonedUsage of job "a"'],
    [{ attempts: 0 }, 'attempts of job "a" must be a whole number from 1, got 0'],
    [{ attempts: () => 1.5 }, 'attempts of job "a"'],
    [{ attemptsEver: () => -1 }, 'attemptsEver of job "a"'],
    [{ lanes: 0 }, 'lanes must be a whole number from 1, got 0'],
    [{ lanes: 1.5 }, 'lanes'],
    [{ night: -1 }, 'night must be a whole number from 0, got -1'],
    [{ leaseMs: 0 }, 'leaseMs must be above 0'],
    [{ leaseMs: 1_000, renewEveryMs: 1_000 }, 'renewEveryMs must be below leaseMs'],
    [{ reclaimEveryMs: 0 }, 'reclaimEveryMs'],
    [{ pollEveryMs: Number.NaN }, 'pollEveryMs'],
    [{ busyWaitMs: -1 }, 'busyWaitMs'],
    [{ backoff: { factor: 0.5 } }, 'backoff.factor must be a number from 1, got 0.5'],
    [{ backoff: { baseMs: -1 } }, 'backoff.baseMs'],
  ];
  test.each(rangeErrors)('%j', async (wrong, words) => {
    const error = await complaint(wrong);
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toContain(words);
  });

  test('several at once', async () => {
    const error = await complaint({ lane: 4, pool: undefined, call: 1 });
    expect((error as InputError).problems).toHaveLength(3);
  });
});

describe('what runQueue answers', () => {
  test('each job is in exactly one list', async () => {
    const outcomes: Record<string, 'ok' | 'rejected' | 'invalid' | 'server-error'> = {
      fine: 'ok',
      rejected: 'rejected',
      invalid: 'invalid',
      flaky: 'server-error',
    };
    const { options } = night({
      jobs: jobs('fine', 'rejected', 'invalid', 'flaky', 'huge', 'late'),
      ledger: poolOf(100),
      pool: 'free',
      envelope: ({ id }) => (id === 'huge' ? 101 : id === 'late' ? 95 : 10),
      attempts: 1,
      call: async ({ id }) => ({
        outcome: outcomes[id]!,
        result: id,
        usage: { input: 2, output: 0 },
        ...(id === 'rejected' ? { error: 'content filter' } : {}),
      }),
    });
    const result = await runQueue(options);
    expect(result.done).toEqual([{ job: { id: 'fine' }, id: 'fine', result: 'fine' }]);
    expect(result.failed).toEqual([
      { job: { id: 'rejected' }, id: 'rejected', cause: 'rejected', error: 'content filter' },
      { job: { id: 'invalid' }, id: 'invalid', cause: 'invalid' },
    ]);
    expect(result.deferred).toEqual([{ job: { id: 'flaky' }, id: 'flaky', cause: 'attempts-used-up' }]);
    expect(result.inadmissible).toEqual([{ job: { id: 'huge' }, id: 'huge' }]);
    expect(result.refused).toEqual([{ job: { id: 'late' }, id: 'late' }]);
    expect(result.records.map(({ job }) => job)).toEqual(['fine', 'rejected', 'invalid', 'flaky']);
    expect(result.unsettled).toBe(0);
  });

  test('no jobs are done at once', async () => {
    const { options } = night({ jobs: [], lanes: 8, call: ok });
    expect(await runQueue(options)).toEqual({
      done: [],
      deferred: [],
      refused: [],
      inadmissible: [],
      failed: [],
      records: [],
      unsettled: 0,
    });
  });

  test('ten thousand lanes do one job', async () => {
    const { options } = night({ jobs: jobs('a'), lanes: 10_000, call: ok });
    expect((await runQueue(options)).done).toHaveLength(1);
  });

  test('a job may be named by a number or by a function', async () => {
    const budget = tenMinutes();
    const checkpoint = () => {};
    const numbered = await runQueue({ jobs: [{ id: 7 }], budget, call: ok, checkpoint });
    expect(numbered.done[0]?.id).toBe('7');
    const id = (job: string) => `job ${job}`;
    const named = await runQueue({ jobs: ['x', 'y'], id, budget, call: ok, checkpoint });
    expect(named.done.map((job) => job.id)).toEqual(['job x', 'job y']);
  });

  test('a checkpoint that fails is tried again, and warned about once', async () => {
    let failures = 2;
    vi.useFakeTimers();
    try {
      const { options, warnings } = night({
        jobs: jobs('a'),
        call: ok,
        checkpoint: async () => {
          if (failures-- > 0) throw new Error('disk full');
        },
      });
      const running = runQueue(options);
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await running).done).toHaveLength(1);
      expect(warnings).toMatchObject([
        { code: 'checkpoint-failed', message: expect.stringContaining('disk full') },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('attempts count on from earlier nights', async () => {
    const seen: number[] = [];
    const { options } = night({
      jobs: jobs('a'),
      attemptsEver: () => 4,
      call: async (_job, { attempt }) => {
        seen.push(attempt);
        return { outcome: 'ok' };
      },
    });
    await runQueue(options);
    expect(seen).toEqual([5]);
  });
});

describe('an attempt that nobody said the cost of', () => {
  async function settled(options: Partial<Options>) {
    const ledger = poolOf(1_000);
    const its = night({
      jobs: jobs('a', 'b'),
      ledger,
      pool: 'free',
      envelope: () => 100,
      attempts: 3,
      call: async () => ({ outcome: 'ok' }),
      ...options,
    });
    await runQueue(its.options);
    return { actual: ledger.hold('a/0/1')?.actual, warnings: its.warnings.map(({ code }) => code) };
  }

  test('costs what abandonedUsage says', async () => {
    expect(await settled({ abandonedUsage: () => 17, input: () => 40 })).toEqual({
      actual: 17,
      warnings: [],
    });
  });

  test('costs the declared input', async () => {
    expect(await settled({ input: () => 40 })).toEqual({ actual: 40, warnings: [] });
  });

  test('costs its share of the envelope, rounded up, with one warning for all jobs', async () => {
    expect(await settled({})).toEqual({ actual: 34, warnings: ['estimated-usage'] });
  });

  test('costs nothing without a ledger', async () => {
    const { options, warnings } = night({ jobs: jobs('a'), call: async () => ({ outcome: 'ok' }) });
    const { records } = await runQueue(options);
    expect(records[0]?.tokens).toBe(0);
    expect(warnings).toEqual([]);
  });
});
