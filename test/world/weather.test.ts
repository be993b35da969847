// What weather changes and what it leaves alone: every draw keeps its own chance, and whatever else a scenario
// changes, it meets the same weather.

import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import type { JobClass, Scenario, ScenarioWeather, SharedBy } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { empirical } from '../../src/sim/distributions/empirical.ts';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { uniform } from '../../src/sim/distributions/uniform.ts';
import { normalCdf, normalQuantile } from '../../src/sim/special-functions.ts';
import { Draws, type SampledJob } from '../../src/world/draws.ts';
import { play } from '../../src/world/play.ts';
import { CALM, jobClass, scenario } from './scenario-fixture.ts';

const STRENGTH = 0.4;
const calm: ScenarioWeather = { latency: undefined, output: undefined, store: undefined };
const latency = (shared: SharedBy, lastsMs = 1_200_000): ScenarioWeather => ({
  ...calm,
  latency: { strength: STRENGTH, lastsMs, shared },
});
const output = (shared: SharedBy, lastsJobs = 200): ScenarioWeather => ({
  ...calm,
  output: { strength: STRENGTH, lastsJobs, shared },
});
const store: ScenarioWeather = { ...calm, store: { strength: STRENGTH, lastsMs: 1_200_000 } };

/** So many values that a drawn one tells the uniform behind it. */
const fine = uniform({ min: 0, max: 2 ** 40 });
const behind = (tokens: number) => normalQuantile(tokens / 2 ** 40);
const one = jobClass({ tokens: { kind: 'independent', input: fine, output: fine }, count: 300 });
const other = { ...one, name: 'other', count: 70 };

function drawsIn(weather: ScenarioWeather | undefined, over: Partial<Scenario> = {}): Draws {
  return new Draws(new RandomRoot('weather'), 0, scenario({ jobs: [one, other], weather, ...over }));
}

function jobsOf(draws: Draws, jobClass: JobClass, night = 1): readonly SampledJob[] {
  return Array.from({ length: jobClass.count }, (_, ordinal) => draws.job(jobClass, night, ordinal));
}

describe('a draw in weather', () => {
  const everything: ScenarioWeather = { ...latency('provider'), output: output('class').output };

  it('that the weather does not touch is the one without it', () => {
    const [fair, foul] = [drawsIn(undefined), drawsIn({ ...everything, store: store.store })];
    for (const job of jobsOf(fair, one)) {
      expect(foul.job(one, 1, job.ordinal)).toEqual(job);
      expect(foul.fault(job, 2)).toBe(fair.fault(job, 2));
      expect(foul.backoff(job, 2)).toBe(fair.backoff(job, 2));
      expect(foul.clientBackoff(job, 2)).toBe(fair.clientBackoff(job, 2));
      expect(foul.shuffle(job)).toBe(fair.shuffle(job));
    }
    expect(foul.source('outages').uniform(1, 2)).toBe(fair.source('outages').uniform(1, 2));
  });

  it('is still its own: what two attempts of a job differ by is what they differ by without weather', () => {
    const [fair, foul] = [drawsIn(undefined), drawsIn(output('class'))];
    for (const job of jobsOf(fair, one)) {
      const [first, second] = [fair, foul].map(
        (draws) => behind(draws.outputTokens(job, 1)) - behind(draws.outputTokens(job, 2)),
      );
      expect(second).toBeCloseTo(first! * Math.sqrt(1 - STRENGTH), 4);
    }
  });

  it('of latency is its own at the same moment, and each part of a call meets one weather', () => {
    const [fair, foul] = [drawsIn(undefined), drawsIn(latency('provider'))];
    const pull = foul.weather!.latencyPull(one, 1, 60_000);
    for (const job of jobsOf(fair, one).slice(0, 50)) {
      for (const part of ['firstTokenMs', 'perTokenMs', 'callMs'] as const) {
        const own = behind(fair[part](job, 1, fine)) * Math.sqrt(1 - STRENGTH);
        expect(behind(foul[part](job, 1, fine, pull))).toBeCloseTo(own + pull, 6);
      }
    }
  });

  it('of a job that its client tries again is pulled as the first was', () => {
    const [fair, foul] = [drawsIn(undefined), drawsIn(output('class'))];
    const job = fair.job(one, 1, 7);
    const pull = foul.weather!.outputPull(job);
    for (const call of [1, 2, 3]) {
      const own = behind(fair.ofCall(call).outputTokens(job, 1)) * Math.sqrt(1 - STRENGTH);
      expect(behind(foul.ofCall(call).outputTokens(job, 1))).toBeCloseTo(own + pull, 4);
    }
  });
});

describe('weather is shared', () => {
  const places = [0, 1, 40, 69];
  const outputs = (draws: Draws, jobClass: JobClass, night: number) =>
    places.map((ordinal) => draws.weather!.outputPull(draws.job(jobClass, night, ordinal)));
  const latencies = (draws: Draws, jobClass: JobClass, night: number) =>
    places.map((place) => draws.weather!.latencyPull(jobClass, night, place * 5_000));

  it.each([
    ['output', output, outputs],
    ['latency', latency, latencies],
  ] as const)('by night, class or provider: %s', (_, weather, pulls) => {
    const byNight = drawsIn(weather('night'));
    expect(pulls(byNight, other, 1)).toEqual(pulls(byNight, one, 1));
    expect(pulls(byNight, one, 2)).not.toEqual(pulls(byNight, one, 1));
    const byClass = drawsIn(weather('class'));
    expect(pulls(byClass, other, 1)).not.toEqual(pulls(byClass, one, 1));
    const byProvider = drawsIn(weather('provider'));
    expect(pulls(byProvider, other, 2)).toEqual(pulls(byProvider, one, 2));
    expect(pulls(byProvider, one, 2)).not.toEqual(pulls(byProvider, one, 1));
  });

  it('over nights, where it is not of one: it goes on where it was', () => {
    for (const shared of ['class', 'provider'] as const) {
      const byJob = drawsIn(output(shared, 20_000));
      const last = byJob.weather!.outputPull(byJob.job(one, 1, one.count - 1));
      expect(byJob.weather!.outputPull(byJob.job(one, 2, 0))).toBeCloseTo(last, 1);
      const byTime = drawsIn(latency(shared, 8_640_000_000));
      expect(byTime.weather!.latencyPull(one, 2, 0)).toBeCloseTo(
        byTime.weather!.latencyPull(one, 1, 86_399_999),
        5,
      );
    }
  });

  it('by whatever a scenario is compared with', () => {
    const all = { ...latency('class'), output: output('class').output, store: store.store };
    const base = drawsIn(all);
    const variants: readonly Partial<Scenario>[] = [
      { lanes: 7 },
      { nights: 9 },
      { window: { lastsMs: 10_000, everyMs: 86_400_000 } },
      { jobs: [one, { ...other, count: 5_000 }] },
      { jobs: [one] },
      { order: 'shuffled' },
    ];
    for (const over of variants) {
      const draws = drawsIn(all, over);
      for (const night of [3, 1, 2]) {
        expect(outputs(draws, one, night)).toEqual(outputs(base, one, night));
        expect(latencies(draws, one, night)).toEqual(latencies(base, one, night));
        expect(draws.weather!.storePull(night, 777)).toBe(base.weather!.storePull(night, 777));
      }
    }
  });

  it('by one replication, and is another in the next', () => {
    const setup = scenario({ jobs: [one], weather: output('class') });
    const pulls = [0, 1].map((replication) => {
      const draws = new Draws(new RandomRoot('weather'), replication, setup);
      return draws.weather!.outputPull(draws.job(one, 1, 0));
    });
    expect(pulls[0]).not.toBe(pulls[1]);
  });
});

describe('rows of a file in weather', () => {
  const rows = Array.from({ length: 500 }, (_, i) => [i, (i * 263) % 500] as const);
  const paired = jobClass({
    count: 40_000,
    tokens: {
      kind: 'pairs',
      input: empirical(rows.map(([input]) => input)),
      output: empirical(rows.map(([, length]) => length)),
      rows,
    },
  });
  const draws = drawsIn(output('class'), { jobs: [paired] });
  const drawn = jobsOf(draws, paired).map((job) => [job.inputTokens, draws.outputTokens(job, 1)] as const);

  it('stay pairs', () => {
    for (const [input, length] of drawn) expect(length).toBe((input * 263) % 500);
  });

  it('come up as often as each other, and neighbours have long outputs together', () => {
    const counts = rows.map(([input]) => drawn.filter((row) => row[0] === input).length);
    expect(Math.min(...counts)).toBeGreaterThan(30);
    expect(Math.max(...counts)).toBeLessThan(150);
    const off = drawn.map(([, length]) => length - 249.5);
    const product = (lag: number) => off.reduce((sum, value, i) => sum + value * (off[i + lag] ?? 0), 0);
    expect(product(1) / product(0)).toBeGreaterThan(0.3);
    expect(product(1) / product(0)).toBeLessThan(0.45);
  });
});

describe('a file of few rows in weather', () => {
  it('has each of them as often as without', () => {
    const rows = [
      [1, 10],
      [2, 30],
      [3, 20],
    ] as const;
    const few = jobClass({
      count: 30_000,
      tokens: {
        kind: 'pairs',
        input: empirical([1, 2, 3]),
        output: empirical([10, 20, 30]),
        rows,
      },
    });
    const draws = drawsIn(output('class', 5), { jobs: [few] });
    const inputs = jobsOf(draws, few).map(({ inputTokens }) => inputTokens);
    for (const [input] of rows) {
      const share = inputs.filter((drawn) => drawn === input).length / few.count;
      expect(Math.abs(share - 1 / 3)).toBeLessThan(0.015);
    }
  });
});

describe('a night in weather', () => {
  const busy = scenario({
    nights: 3,
    lanes: 2,
    jobs: [
      jobClass({
        count: 60,
        tokens: { kind: 'independent', input: constant(100), output: uniform({ min: 1, max: 500 }) },
      }),
    ],
    provider: {
      ...scenario().provider,
      latency: { kind: 'direct', call: exponential({ mean: 5_000 }) },
      ...CALM,
    },
    store: { write: exponential({ mean: 500 }), writers: 1, flushMs: 0 },
  });

  function playedIn(weather: ScenarioWeather | undefined) {
    const calls: { key: string; night: number; elapsedMs: number; tokens: number; billed: number }[] = [];
    const writes: { queuedMs: number; night: number; tookMs: number }[] = [];
    const queued = new Map<string, number>();
    let startedMs = 0;
    play(
      { ...busy, weather },
      {
        observe: (event) => {
          if (event.type === 'attempt') {
            const { job, attempt, night, elapsedMs, tokens, billed } = event;
            calls.push({ key: `${job}#${attempt}`, night, elapsedMs, tokens, billed });
          }
          if (event.type === 'write-started') startedMs = event.atMs;
          if (event.type === 'write-queued') queued.set(event.job, event.atMs);
          if (event.type !== 'written') return;
          const { job, night, atMs } = event;
          writes.push({ queuedMs: queued.get(job)!, night, tookMs: atMs - startedMs });
        },
      },
    );
    return { calls, writes };
  }

  it('has calls that are slow together: nights differ by more than their calls would by themselves', () => {
    const means = (weather: ScenarioWeather | undefined) => {
      const { calls } = playedIn(weather);
      return [1, 2, 3].map((night) => {
        const ofNight = calls.filter((call) => call.night === night);
        return ofNight.reduce((sum, call) => sum + Math.log(call.elapsedMs), 0) / ofNight.length;
      });
    };
    const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
    const strong = { ...calm, latency: { strength: 0.9, lastsMs: 86_400_000, shared: 'night' as const } };
    expect(spread(means(strong))).toBeGreaterThan(3 * spread(means(undefined)));
  });

  it('on the store alone changes how long writes take, and nothing that a call draws', () => {
    const [fair, foul] = [playedIn(undefined), playedIn(store)];
    const bare = ({ calls }: typeof fair) =>
      new Map(calls.map(({ key, elapsedMs, tokens }) => [key, [elapsedMs.toFixed(3), tokens]]));
    expect(bare(foul)).toEqual(bare(fair));
    expect(foul.writes).not.toEqual(fair.writes);
  });

  it('on the store, where it is all there is, says how long every write takes', () => {
    const weather = { ...calm, store: { strength: 1, lastsMs: 60_000 } };
    const draws = new Draws(new RandomRoot(busy.seed), 0, { ...busy, weather });
    const { writes } = playedIn(weather);
    expect(writes.length).toBeGreaterThan(100);
    expect(new Set(writes.map(({ tookMs }) => tookMs.toFixed(3))).size).toBeGreaterThan(100);
    for (const { queuedMs, night, tookMs } of writes) {
      const level = normalCdf(draws.weather!.storePull(night, queuedMs));
      expect(tookMs).toBeCloseTo(busy.store.write.quantile(level), 6);
    }
  });

  it('on latency alone changes no tokens, and on outputs alone no latency', () => {
    const fair = playedIn(undefined).calls;
    const byKey = <Value>(value: (call: (typeof fair)[number]) => Value, calls: typeof fair) =>
      new Map(calls.map((call) => [call.key, value(call)]));
    const ofLatency = playedIn(latency('provider')).calls;
    expect(byKey(({ tokens }) => tokens, ofLatency)).toEqual(byKey(({ tokens }) => tokens, fair));
    const elapsed = (call: (typeof fair)[number]) => call.elapsedMs.toFixed(3);
    expect(byKey(elapsed, ofLatency)).not.toEqual(byKey(elapsed, fair));
    const ofOutput = playedIn(output('class')).calls;
    expect(byKey(elapsed, ofOutput)).toEqual(byKey(elapsed, fair));
    expect(byKey(({ tokens }) => tokens, ofOutput)).not.toEqual(byKey(({ tokens }) => tokens, fair));
  });
});
