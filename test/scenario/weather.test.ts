// Weather, correlations and sessions as they are written: what is read, and what is refused where it stands.

import { describe, expect, it } from 'vitest';
import { edit, NIGHTLY, problemsOf, read } from './nightly.ts';

const withWeather = (weather: string) => `${NIGHTLY}weather: ${weather}\n`;
const withKeys = (keys: string) => edit(NIGHTLY, '    attempts: 2\n', `    attempts: 2\n    ${keys}\n`);
const told = (text: string) =>
  problemsOf(text).map(({ message, expected, got, nearest, place }) => ({
    message,
    expected,
    got,
    nearest,
    line: place?.line,
  }));

describe('weather', () => {
  it('is read with its units, and who shares it unless told otherwise', () => {
    const text =
      '{ latency: { strength: 20%, lasts: 20 min }, output: { strength: 15%, lasts: 4_000 jobs }, store: { strength: 5%, lasts: 90 s } }';
    expect(read(withWeather(text)).weather).toEqual({
      latency: { strength: 0.2, lastsMs: 1_200_000, shared: 'provider' },
      output: { strength: 0.15, lastsJobs: 4_000, shared: 'class' },
      store: { strength: 0.05, lastsMs: 90_000 },
    });
    expect(read(withWeather('{ output: { strength: 1%, lasts: 1 job, shared: night } }')).weather).toEqual({
      latency: undefined,
      output: { strength: 0.01, lastsJobs: 1, shared: 'night' },
      store: undefined,
    });
  });

  it('is none where nothing is said, where its strength is 0, and where a variant takes it away', () => {
    expect(read(NIGHTLY).weather).toBeUndefined();
    expect(read(withWeather('{ output: { strength: 0%, lasts: 10 jobs } }')).weather).toBeUndefined();
    expect(read(withWeather('none')).weather).toBeUndefined();
    const text = withWeather('{ latency: { strength: 20%, lasts: 20 min } }');
    expect(read(text, undefined, ['weather=none']).weather).toBeUndefined();
    expect(read(text, undefined, ['weather.latency.strength=0%']).weather).toBeUndefined();
  });

  it.each([
    [
      '{ latency: { strength: 120%, lasts: 20 min } }',
      'weather.latency.strength: this is too much',
      undefined,
    ],
    [
      '{ latency: { strength: 20, lasts: 20 min } }',
      'weather.latency.strength: a percentage needs its sign',
      '20%',
    ],
    [
      '{ latency: { strength: 20%, lasts: 2000 jobs } }',
      'weather.latency.lasts: "jobs" is no unit of time',
      undefined,
    ],
    ['{ latency: { strength: 20%, lasts: 1 s } }', 'weather.latency.lasts: this is too little', undefined],
    [
      '{ output: { strength: 20%, lasts: 2000 } }',
      'weather.output.lasts: which unit? 2000 has none',
      '2000 jobs',
    ],
    [
      '{ output: { strength: 20%, lasts: 20 min } }',
      'weather.output.lasts: the order of jobs is counted in jobs, not in time',
      undefined,
    ],
    ['{ output: { strength: 20%, lasts: 0 jobs } }', 'weather.output.lasts: this is too little', undefined],
    [
      '{ output: { strength: 20%, lasts: 1.5 jobs } }',
      'weather.output.lasts: a count is a whole number',
      undefined,
    ],
    ['{ output: { strength: 20% } }', 'weather.output lacks the key "lasts"', undefined],
    [
      '{ store: { strength: 20%, lasts: 20 min, shared: class } }',
      'weather.store has no key "shared"',
      undefined,
    ],
    ['{ outputs: { strength: 20%, lasts: 2 jobs } }', 'weather has no key "outputs"', 'output'],
  ])('%s is refused at its line', (weather, message, nearest) => {
    const problems = told(withWeather(weather));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ nearest, line: NIGHTLY.split('\n').length });
    expect(problems[0]!.message).toBe(message);
  });
});

describe('a correlation', () => {
  it('is read where a joint draw reaches it, and is none where it is 0', () => {
    expect(read(withKeys('correlation: 0.4')).jobs[0]!.tokens).toMatchObject({ kind: 'joint' });
    expect(read(withKeys('correlation: -1')).jobs[0]!.tokens).toMatchObject({ kind: 'joint', normals: -1 });
    expect(read(withKeys('correlation: 0')).jobs[0]!.tokens.kind).toBe('independent');
  });

  it.each([
    ['correlation: 1.2', 'this is no correlation', 'a number from -1 to 1'],
    ['correlation: 40%', '"%" does not belong here', 'a number from -1 to 1'],
    ['correlation: high', 'this is no number', 'a number from -1 to 1'],
  ])('%s is refused', (keys, message, expected) => {
    expect(told(withKeys(keys))).toMatchObject([
      { message: `jobs.summarize.correlation: ${message}`, expected, line: 14 },
    ]);
  });

  it('that no joint draw reaches is refused, with the most that there is', () => {
    const constant = edit(withKeys('correlation: 0.1'), '{ p50: 3000, p95: 6000, max: 8000 }', '3000');
    const message = 'jobs.summarize.correlation: no joint draw of this input and this output reaches it';
    expect(told(constant)).toMatchObject([
      { message, expected: '0: one of them is always the same', got: '0.1', line: 14 },
    ]);
    const coin = edit(
      withKeys('correlation: -0.9'),
      '{ p50: 3000, p95: 6000, max: 8000 }',
      '{ mixture: [{ weight: 1, of: 100 }, { weight: 1, of: 900 }] }',
    );
    expect(told(coin)).toMatchObject([{ message, expected: 'at least -0.86', got: '-0.9' }]);
  });

  it('leaves room for the weather: together they are not more than the output varies', () => {
    const strong = `${withKeys('correlation: 0.8')}weather: { output: { strength: 50%, lasts: 100 jobs } }\n`;
    expect(told(strong)).toMatchObject([
      {
        message:
          'jobs.summarize.correlation: weather of this strength leaves less of the output to its input',
        expected: 'at most 0.68',
        got: '0.8',
      },
    ]);
    expect(read(edit(strong, '0.8', '0.68')).jobs[0]!.tokens.kind).toBe('joint');
  });

  it('is not for rows of a file, which have their own', () => {
    const text = edit(NIGHTLY, '    slack: 6 h\n', '    slack: 6 h\n    correlation: 0.3\n');
    expect(told(text)).toMatchObject([
      { message: 'jobs.code.correlation: the rows of a file have the correlation that they have' },
    ]);
  });
});

describe('sessions', () => {
  it('are read, of rows of a file too', () => {
    const { jobs } = read(edit(NIGHTLY, '    slack: 6 h\n', '    slack: 6 h\n    sessions: { length: 3 }\n'));
    expect(jobs[0]!.sessions).toBeUndefined();
    expect(jobs[1]!.sessions!.length.quantile(0.5)).toBe(3);
    expect(jobs[1]!.tokens.input.quantile(1)).toBeGreaterThan(3 * 3_180);
  });

  it.each([
    ['sessions: { length: 5 s }', 'sessions.length: a count has no unit'],
    ['sessions: { length: { p50: 9, p95: 3 } }', 'sessions.length.p50: this is above p95'],
    [
      'sessions: { length: { pareto: { min: 1, alpha: 0.5 } } }',
      'sessions.length: draws of such a size cannot be played: give it a max',
    ],
    ['sessions: { turns: 5 }', 'sessions has no key "turns"'],
    ['sessions: { length: 5, context: 0 }', 'sessions.context: this is too little'],
  ])('%s is refused', (keys, message) => {
    expect(told(withKeys(keys)).map((problem) => problem.message)).toContain(`jobs.summarize.${message}`);
  });
});
