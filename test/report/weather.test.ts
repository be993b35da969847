// Weather in a report: what is summed, what is said of it, and that it is nowhere where there is none.

import { describe, expect, it } from 'vitest';
import { planOf } from '../../src/cli/playing.ts';
import { plainFigures } from '../../src/report/figures.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { weatherSums } from '../../src/report/weather-sums.ts';
import type { Scenario, ScenarioWeather } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { play } from '../../src/world/play.ts';
import { jobClass, scenario } from '../world/scenario-fixture.ts';

const calm: ScenarioWeather = { latency: undefined, output: undefined, store: undefined };
const strong: ScenarioWeather = { ...calm, output: { strength: 0.5, lastsJobs: 300, shared: 'class' } };
const heavy = jobClass({
  name: 'heavy',
  count: 1_000,
  tokens: { kind: 'independent', input: constant(1), output: exponential({ mean: 500 }) },
});
const light = jobClass({
  name: 'light',
  count: 1_000,
  tokens: { kind: 'independent', input: constant(1), output: constant(9) },
});

function stormy(weather: ScenarioWeather | undefined, over: Partial<Scenario> = {}): Scenario {
  return scenario({ nights: 2, jobs: [light, heavy], weather, ...over });
}

async function reportOf(one: Scenario): Promise<ReadonlyMap<string, string>> {
  const plan = planOf(one);
  const recorder = new NightRecorder(one, plan);
  const run = play(one, { observe: (event) => recorder.record(event) });
  const files = await renderReport({
    scenario: one,
    plan,
    run,
    series: recorder.series(),
    rerun: ['stormy'],
    sources: [],
  });
  return new Map(files.map(({ name, text }) => [name, text]));
}

describe('sums in weather', () => {
  it('are of the class that generates most, over all its nights, a twentieth of the list at a time', () => {
    expect(weatherSums(stormy(strong))).toMatchObject({ class: 'heavy', jobs: 2_000, inRow: 100 });
    const once = { ...heavy, arrive: 'first-night' } as const;
    expect(weatherSums(stormy(strong, { jobs: [once] }))).toMatchObject({ jobs: 1_000, inRow: 50 });
  });

  it('have the same mean with and without it, and reach further with it', () => {
    const { points, most, mostAlone } = weatherSums(stormy(strong))!;
    expect(points.length).toBe(96);
    expect(points[0]!.job).toBe(100);
    expect(points.at(-1)!.job).toBe(2_000);
    for (const of of ['weather', 'alone'] as const) {
      const mean = points.reduce((sum, point) => sum + point[of], 0) / points.length;
      expect(Math.abs(mean - 1)).toBeLessThan(0.05);
    }
    expect(most).toBeGreaterThan(1.3 * mostAlone);
    expect(most).toBeGreaterThanOrEqual(Math.max(...points.map(({ weather }) => weather)));
  });

  it('are the same sums where the weather says nothing', () => {
    const faint = { ...calm, output: { strength: 1e-9, lastsJobs: 300, shared: 'class' as const } };
    const { most, mostAlone } = weatherSums(stormy(faint))!;
    expect(most).toBeCloseTo(mostAlone, 3);
  });

  it('are none without weather of outputs, of a handful of jobs, or of outputs of nothing', () => {
    const store = { ...calm, store: { strength: 0.5, lastsMs: 60_000 } };
    expect(weatherSums(stormy(undefined))).toBeUndefined();
    expect(weatherSums(stormy(store))).toBeUndefined();
    expect(weatherSums(stormy(strong, { jobs: [{ ...heavy, count: 5 }] }))).toBeUndefined();
    const silent = jobClass({
      count: 500,
      tokens: { kind: 'independent', input: constant(9), output: constant(0) },
    });
    expect(weatherSums(stormy(strong, { jobs: [silent] }))).toBeUndefined();
  });
});

describe('a report', () => {
  it('shows the weather of outputs, with its figures under names in the summary', async () => {
    const files = await reportOf(
      stormy({ ...strong, latency: { strength: 0.2, lastsMs: 1_200_000, shared: 'night' } }),
    );
    const { weather } = JSON.parse(files.get('summary.json')!);
    expect(weather.sums).toMatchObject({ class: 'heavy', inRow: 100 });
    const most = plainFigures.percent(weather.sums.most);
    const text = files.get('report.md')!;
    expect(text).toContain('## Weather');
    expect(text).toContain(`100 heavy jobs in a row use up to ${most} of their average output`);
    expect(text).toContain('Latency: 20% of what makes a call slow is shared');
    expect(files.get('charts/weather.svg')).toContain(`up to ${most}`);
  });

  it('has words and no picture where only latency or the store have weather', async () => {
    const store = { ...calm, store: { strength: 0.5, lastsMs: 60_000 } };
    const files = await reportOf(stormy(store, { jobs: [jobClass()] }));
    expect(files.get('report.md')).toContain('Store: 50% of what makes a checkpoint slow');
    expect(files.has('charts/weather.svg')).toBe(false);
  });

  it('says nothing of it where there is none', async () => {
    const files = await reportOf(stormy(undefined, { jobs: [jobClass()] }));
    expect(files.get('report.md')).not.toContain('## Weather');
    expect(JSON.parse(files.get('summary.json')!).weather).toBeNull();
  });
});
