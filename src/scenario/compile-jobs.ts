// The classes of jobs: their tokens, from distributions or as rows of a file, and their envelopes; with the
// check that no envelope is larger than anything that could be booked.

import { formatPercent } from '../base/units.ts';
import type { Distribution } from '../sim/distribution.ts';
import type { DistributionBuilder } from './build-distribution.ts';
import type { Calendar } from './calendar.ts';
import type { ColumnFiles } from './column-files.ts';
import { compileArrivals } from './compile-arrivals.ts';
import { checkPairs, compileCorrelation, compileSessions } from './compile-joint.ts';
import { compileDeclared } from './compile-provider.ts';
import type { Findings } from './findings.ts';
import type { Envelope, JobClass, JobTokens } from './scenario.ts';
import type { EnvelopeSpec, JobSpec, ScenarioRemainder } from './scenario-schema.ts';
import type { Path } from './source-tree.ts';
import { usualLengthMs } from './window-schema.ts';

/** What putting a scenario together needs at every step. */
export interface CompileContext {
  readonly findings: Findings;
  readonly distributions: DistributionBuilder;
  readonly columns: ColumnFiles;
  readonly calendar: Calendar | undefined;
}

/** Undefined where anything is missing or wrong, which then has been reported. */
export function compileJobs(
  spec: ScenarioRemainder,
  context: CompileContext,
): readonly JobClass[] | undefined {
  if (spec.jobs === undefined) return undefined;
  checkClassNames(spec.jobs, context.findings);
  const classes: JobClass[] = [];
  for (const [position, job] of spec.jobs.entries()) {
    const compiled = job && compileJob(job, ['jobs', position], spec, context);
    if (compiled !== undefined) classes.push(compiled);
  }
  return classes.length === spec.jobs.length ? classes : undefined;
}

function checkClassNames(jobs: readonly (JobSpec | undefined)[], findings: Findings): void {
  const seen = new Set<string>();
  for (const [position, job] of jobs.entries()) {
    if (job === undefined) continue;
    if (seen.has(job.class)) {
      const message = 'there already is a class of this name';
      findings.report(['jobs', position, 'class'], {
        code: 'duplicate-name',
        message,
        got: JSON.stringify(job.class),
      });
    }
    seen.add(job.class);
  }
}

function compileJob(
  job: JobSpec,
  path: Path,
  spec: ScenarioRemainder,
  context: CompileContext,
): JobClass | undefined {
  const attempts = job.attempts ?? spec.budget.attempts;
  const ofTurn = compileTokens(job, path, spec, context);
  const arrivals = compileArrivals(job, path, spec, context);
  const envelope = compileEnvelope(job.envelope, attempts);
  if (ofTurn === undefined || arrivals === undefined) return undefined;
  const { tokens, sessions } = compileSessions(job, ofTurn, path, context);
  if (spec.pool !== undefined) checkEnvelope({ tokens, envelope, attempts }, path, context.findings);
  return {
    name: job.class,
    ...arrivals,
    slackMs: job.slack ?? Math.max(0, usualWindowMs(spec) - spec.budget.reserve),
    isSlackDeclared: job.slack !== undefined,
    attempts,
    tokens,
    declaredOutput: compileDeclared(job, tokens.output, path, spec, context),
    envelope,
    sessions,
  };
}

function usualWindowMs({ window }: ScenarioRemainder): number {
  return (window && usualLengthMs(window)) ?? 0;
}

function compileTokens(
  job: JobSpec,
  path: Path,
  spec: ScenarioRemainder,
  context: CompileContext,
): JobTokens | undefined {
  const { findings, distributions } = context;
  const isBroken = (['from', 'input', 'output'] as const).some((key) => findings.isBroken([...path, key]));
  const input = job.input && distributions.build(job.input, [...path, 'input'], 'tokens');
  const output = job.output && distributions.build(job.output, [...path, 'output'], 'tokens');
  if (job.from !== undefined) {
    checkPairs(job, path, context);
    if (job.input === undefined && job.output === undefined) return compilePairs(job.from, path, context);
    const message = 'its tokens come either from a file or from input and output';
    findings.report([...path, 'from'], {
      code: 'contradiction',
      message,
      expected: 'one of the two',
      got: 'both',
    });
    return undefined;
  }
  for (const key of ['input', 'output'] as const) {
    if (job[key] !== undefined || isBroken) continue;
    const message = `the key "${key}" is missing`;
    const expected = `${key}: { p50: …, p95: … }, or from: { file, input, output }`;
    findings.report(path, { code: 'missing-key', message, expected });
  }
  if (input === undefined || output === undefined) return undefined;
  const normals = compileCorrelation(job, { input, output }, path, spec, context);
  return normals === 0 ? { kind: 'independent', input, output } : { kind: 'joint', input, output, normals };
}

function compilePairs(
  from: NonNullable<JobSpec['from']>,
  path: Path,
  context: CompileContext,
): JobTokens | undefined {
  const { findings, distributions, columns } = context;
  const { tree } = findings;
  const values = (['input', 'output'] as const).map((key) => {
    const request = { file: from.file, column: from[key], kind: 'tokens' } as const;
    const filePlace = tree.place([...path, 'from', 'file']);
    return columns.read({ ...request, filePlace, columnPlace: tree.place([...path, 'from', key]) });
  });
  const problems = values.flatMap((answer) => ('problems' in answer ? answer.problems : []));
  for (const problem of problems) {
    // One file that cannot be read fails both of its columns.
    if (!findings.problems.some((known) => known.message === problem.message))
      findings.problems.push(problem);
  }
  const [inputs, outputs] = values.map((answer) => ('values' in answer ? answer.values : undefined));
  if (inputs === undefined || outputs === undefined) return undefined;
  const column = (name: string): Distribution | undefined => {
    const spec = { shape: 'column', file: from.file, column: name, scale: 1, limits: {} } as const;
    return distributions.build(spec, [...path, 'from'], 'tokens');
  };
  const input = column(from.input);
  const output = column(from.output);
  const rows = inputs.map((tokens, row) => [tokens, outputs[row]!] as const);
  return input && output && { kind: 'pairs', input, output, rows };
}

function compileEnvelope(spec: EnvelopeSpec, attempts: number): Envelope {
  if ('tokens' in spec) return { kind: 'tokens', tokens: spec.tokens };
  const { quantile, fanout = attempts, overhead } = spec;
  return { kind: 'quantile', quantile, fanout, overhead };
}

function checkEnvelope(
  job: { readonly tokens: JobTokens; readonly envelope: Envelope; readonly attempts: number },
  path: Path,
  findings: Findings,
): void {
  const { tokens, envelope, attempts } = job;
  if (envelope.kind === 'tokens') return;
  const { quantile, fanout, overhead } = envelope;
  const size =
    tokens.input.quantile(quantile) * fanout + tokens.output.quantile(quantile) * attempts + overhead;
  if (size < Number.MAX_SAFE_INTEGER) return;
  findings.contradiction(
    [
      [...path, 'envelope'],
      [...path, 'input'],
      [...path, 'output'],
    ],
    {
      message: `at ${formatPercent(quantile)} there is no limit to it: give input and output a max, or take a lower quantile`,
      expected: 'an envelope below 2^53 tokens',
      got: size === Number.POSITIVE_INFINITY ? 'an infinite one' : size.toPrecision(2),
    },
  );
}
