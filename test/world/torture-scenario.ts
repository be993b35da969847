// Whole scenarios made up at random, as somebody might write them: every policy, every fault, in numbers small
// enough that a failing one can be read, and a night takes milliseconds to play.

import fc from 'fast-check';

/** As YAML has it. */
export type Written = Readonly<Record<string, unknown>>;

/** What the other values have to agree with. */
interface Frame {
  readonly nights: number;
  readonly windowSeconds: number;
  readonly workers: number;
  /** From one opening to the next; undefined: a day. */
  readonly everySeconds: number | undefined;
  /** Its nights are on the calendar, and a day apart. */
  readonly isDated: boolean;
}

const within = (min: number, max: number) => fc.integer({ min, max });
const seconds = (min: number, max: number) => within(min, max).map((value) => `${value} s`);
const percent = (min: number, max: number) => within(min, max).map((value) => `${value}%`);
const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values);
/** Mostly left out, so that a scenario is troubled by a few things at a time; what fails shrinks to that. */
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) => sometimes(arbitrary, { out: 3, in: 1 });
const often = <Value>(arbitrary: fc.Arbitrary<Value>) => sometimes(arbitrary, { out: 1, in: 2 });

function sometimes<Value>(
  arbitrary: fc.Arbitrary<Value>,
  weight: { readonly out: number; readonly in: number },
): fc.Arbitrary<Value | undefined> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: weight.out, arbitrary: fc.constant(undefined) },
    { weight: weight.in, arbitrary },
  );
}

/** A map without what is left out. */
function map(keys: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Written> {
  return fc
    .record(keys)
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
}

const spread = (median: fc.Arbitrary<number>, unit: string, most: number) =>
  fc.oneof(
    { withCrossShrink: true },
    median.map((value) => `${value} ${unit}`.trim()),
    fc.tuple(median, within(1, 6)).map(([p50, times]) => ({
      p50: `${p50} ${unit}`.trim(),
      p95: `${p50 * times} ${unit}`.trim(),
      max: `${most} ${unit}`.trim(),
    })),
    median.map((mean) => ({
      exponential: { mean: `${mean} ${unit}`.trim() },
      max: `${most} ${unit}`.trim(),
    })),
  );
const tokenAmounts = spread(within(1, 500), '', 3_000);

/** All at an opening, or one by one, about as many from one opening to the next. */
function arrivals({ everySeconds = 86_400, isDated }: Frame): fc.Arbitrary<Written> {
  const profile = isDated
    ? seldom(fc.constant({ '00:00': 1, '08:00': 5, '20:00': 0 }))
    : fc.constant(undefined);
  const perNight = (jobs: number) => everySeconds / jobs;
  const oneByOne = fc.oneof(
    { withCrossShrink: true },
    map({ poisson: within(1, 12).map((jobs) => `${3_600 / perNight(jobs)} per hour`), profile }),
    map({
      gaps: fc
        .tuple(oneOf(0.3, 1, 5), within(1, 12))
        .map(([shape, jobs]) => ({ gamma: { shape, mean: `${perNight(jobs)} s` } })),
      profile,
    }),
  );
  const volume = isDated ? seldom(map({ weekdays: map({ sun: percent(0, 200) }) })) : fc.constant(undefined);
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: map({ count: within(0, 12), volume }) },
    { weight: 1, arbitrary: map({ count: within(0, 12), arrive: fc.constant('first-night') }) },
    { weight: 1, arbitrary: map({ arrive: oneByOne, volume }) },
  );
}

/** The second of two classes is of another name. */
const jobClass = (name: string, frame: Frame) =>
  fc.tuple(tokensOf(name), arrivals(frame)).map(([tokens, come]) => ({ ...tokens, ...come }));

const tokensOf = (name: string) =>
  map({
    class: fc.constant(name),
    slack: seldom(seconds(0, 4_000)),
    attempts: seldom(within(1, 4)),
    input: tokenAmounts,
    output: tokenAmounts,
    envelope: often(
      fc.oneof(
        { withCrossShrink: true },
        map({ tokens: within(1, 4_000) }),
        map({ quantile: percent(1, 99), fanout: seldom(within(0, 3)), overhead: seldom(within(0, 200)) }),
      ),
    ),
  });

const latency = fc.oneof(
  { withCrossShrink: true },
  fc.constant('whole-grant'),
  spread(within(1, 60), 's', 600),
  map({ firstToken: spread(within(1, 20), 's', 120), perToken: spread(within(1, 60), 'ms', 500) }),
);

function moment({ nights, windowSeconds }: Frame) {
  return { night: within(1, nights), from: seconds(0, windowSeconds - 1) };
}

function periods(frame: Frame, more: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) {
  const period = { ...moment(frame), lasts: seconds(1, frame.windowSeconds) };
  return fc.oneof(
    { withCrossShrink: true },
    map({ at: fc.array(map({ ...period, ...more }), { minLength: 1, maxLength: 3 }) }),
    map({ between: seconds(60, 3_000), lasts: spread(within(1, frame.windowSeconds), 's', 4_000) }),
  );
}

function provider(frame: Frame): fc.Arbitrary<Written> {
  return map({
    latency,
    hangs: seldom(percent(0, 30)),
    errors: seldom(percent(0, 30)),
    invalid: seldom(percent(0, 30)),
    usage: seldom(oneOf('reported', 'none')),
    limits: seldom(
      map({
        requests: often(within(1, 60)),
        tokens: seldom(within(100, 20_000)),
        counts: seldom(oneOf('input', 'output', 'both')),
        enforced: seldom(oneOf('minute', 'second')),
        concurrency: seldom(within(1, 8)),
        retryAfter: seldom(fc.boolean()),
      }),
    ),
    slowdown: seldom(map({ from: within(1, 6), factor: oneOf(1, 1.05, 2) })),
    outages: seldom(periods(frame)),
    slow: seldom(
      fc.tuple(periods(frame), oneOf(1, 2, 10)).map(([incidents, factor]) => ({ ...incidents, factor })),
    ),
    billing: seldom(map({ abandoned: oneOf('generated', 'input') })),
  });
}

/** Nights over midnight, on which clocks change, and with a holiday between them. */
const dates = map({
  opens: oneOf('01:30', '02:30', '23:55'),
  zone: seldom(oneOf('Europe/Berlin', 'America/New_York')),
  from: oneOf('2026-03-28', '2026-10-24', '2026-01-30'),
  clockChange: seldom(oneOf('literal', 'once')),
  holidays: seldom(fc.constant(['2026-03-30', '2026-10-25'])),
});

function windowOf({ windowSeconds, everySeconds, isDated }: Frame): fc.Arbitrary<Written> {
  const length = map({ lasts: fc.constant(`${windowSeconds} s`), grace: seldom(seconds(0, 20)) });
  const every = everySeconds === undefined ? {} : { every: `${everySeconds} s` };
  return isDated
    ? fc.tuple(length, dates).map(([own, dated]) => ({ ...own, ...dated }))
    : length.map((own) => ({ ...own, ...every }));
}

function fleet(frame: Frame): fc.Arbitrary<Written> {
  const worker = within(1, frame.workers);
  const moments = fc.array(map({ ...moment(frame), worker }), { minLength: 1, maxLength: 3 });
  return map({
    workers: fc.constant(frame.workers),
    renewals: seldom(fc.boolean()),
    crashes: seldom(
      fc.oneof(
        { withCrossShrink: true },
        map({ at: moments, restart: seldom(seconds(0, 300)) }),
        map({ between: seconds(300, 3_000), restart: seconds(0, 120) }),
      ),
    ),
    pauses: often(periods(frame, { worker })),
    zombies: seldom(map({ at: moments })),
  });
}

function clock(frame: Frame): fc.Arbitrary<Written> {
  const { night, from: at } = moment(frame);
  const by = fc.tuple(oneOf('', '-'), within(1, 4_000)).map(([sign, value]) => `${sign}${value} s`);
  const worker = seldom(within(1, frame.workers));
  return map({
    steps: seldom(fc.array(map({ night, at, by, worker }), { minLength: 1, maxLength: 2 })),
    suspensions: seldom(
      fc.array(map({ night, at, lasts: seconds(1, frame.windowSeconds), worker }), {
        minLength: 1,
        maxLength: 2,
      }),
    ),
    suspension: seldom(oneOf('shorten', 'ignore')),
  });
}

const policy = map({
  timeouts: seldom(oneOf('clamp', 'fixed')),
  admission: seldom(oneOf('envelope', 'shared-counter')),
  reclaim: often(oneOf('charge', 'refund')),
  clock: seldom(oneOf('monotonic', 'wall')),
  hold: seldom(oneOf('whole-job', 'per-attempt')),
});

const client = map({
  attempts: often(within(1, 4)),
  timeout: often(seconds(1, 300)),
  honoursSignal: seldom(fc.boolean()),
  timerEndsAtHeaders: seldom(fc.boolean()),
});

const frames: fc.Arbitrary<Frame> = fc
  .record({
    nights: within(1, 3),
    windowSeconds: within(120, 1_200),
    pauseSeconds: seldom(within(0, 900)),
    isDated: oneOf(false, false, true),
    workers: fc.oneof(
      { withCrossShrink: true },
      { weight: 2, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: within(1, 3) },
    ),
  })
  .map(({ pauseSeconds, ...frame }) => ({
    ...frame,
    everySeconds:
      frame.isDated || pauseSeconds === undefined ? undefined : frame.windowSeconds + pauseSeconds,
  }));

function inFrame(frame: Frame): fc.Arbitrary<Written> {
  const { nights, isDated } = frame;
  return map({
    name: fc.constant('torture'),
    seed: within(0, 999).map(String),
    nights: fc.constant(nights),
    window: windowOf(frame),
    budget: map({
      reserve: seconds(20, 100),
      floor: seldom(seconds(0, 30)),
      cap: seconds(30, 200),
      attempts: often(within(1, 4)),
    }),
    lanes: within(1, 5),
    pool: often(
      map({
        tokens: fc.oneof({ withCrossShrink: true }, within(1_000, 40_000), within(1, 4_000)),
        funded: seldom(percent(1, 100)),
        lease: often(fc.oneof({ withCrossShrink: true }, seconds(5, 60), seconds(10, 900))),
        refill: isDated ? oneOf('night', 'never', 'day', 'month') : seldom(oneOf('night', 'never')),
      }),
    ),
    jobs: fc.oneof(
      { withCrossShrink: true },
      jobClass('a', frame).map((only) => [only]),
      fc.tuple(jobClass('a', frame), jobClass('b', frame)).map((both) => [...both]),
    ),
    order: seldom(oneOf('listed', 'shuffled', 'heaviest-first', 'lightest-first')),
    backfill: seldom(oneOf('smaller', 'none')),
    backoff: seldom(
      map({ base: seconds(0, 10), max: seldom(seconds(0, 60)), jitter: seldom(oneOf('full', 'none')) }),
    ),
    provider: provider(frame),
    client: seldom(client),
    store: often(
      map({
        write: often(spread(within(1, 5_000), 'ms', 60_000)),
        writers: seldom(within(1, 3)),
        contention: seldom(percent(0, 100)),
        flush: seldom(seconds(0, 30)),
        outages: seldom(periods(frame)),
        full: seldom(periods(frame)),
      }),
    ),
    ledger: seldom(
      map({
        latency: often(spread(within(1, 2_000), 'ms', 20_000)),
        contention: seldom(percent(0, 100)),
        outages: seldom(periods(frame)),
      }),
    ),
    fleet: often(fleet(frame)),
    clock: seldom(clock(frame)),
    trips: seldom(map({ onTrip: oneOf('none', 'shed'), least: within(1, 5), queueAge: percent(1, 100) })),
    policy: often(policy),
  });
}

export const tortureScenario: fc.Arbitrary<Written> = frames.chain((frame) =>
  // A fleet of more than one worker has to say so.
  inFrame(frame).map((written) =>
    frame.workers > 1 && written.fleet === undefined
      ? { ...written, fleet: { workers: frame.workers } }
      : written,
  ),
);
