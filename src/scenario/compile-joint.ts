// Tokens that have to do with each other: the correlation of input and output, as far as there is a joint draw
// that has it, and the sessions whose turns grow.

import type { Distribution } from '../sim/distribution.ts';
import { RankCorrelation } from '../sim/rank-correlation.ts';
import type { CompileContext } from './compile-jobs.ts';
import type { JobTokens, Sessions } from './scenario.ts';
import type { JobSpec, ScenarioRemainder } from './scenario-schema.ts';
import { sentInputs } from './session-inputs.ts';
import type { Path } from './source-tree.ts';

/**
 * The correlation of the normals that a class's input and output are drawn from: 0 where it states none, and
 * where it states one that cannot be, which then has been reported.
 */
export function compileCorrelation(
  { correlation: wanted = 0 }: JobSpec,
  { input, output }: { readonly input: Distribution; readonly output: Distribution },
  path: Path,
  { weather }: ScenarioRemainder,
  { findings }: CompileContext,
): number {
  if (wanted === 0) return 0;
  const key = [...path, 'correlation'];
  const ranks = new RankCorrelation(input, output);
  const coupling = ranks.reaching(wanted);
  if (!coupling.isReached) {
    const keys = [key, [...path, 'input'], [...path, 'output']] as const;
    findings.contradiction(keys, {
      message: 'no joint draw of this input and this output reaches it',
      expected: coupling.most === 0 ? '0: one of them is always the same' : limit(coupling.most),
      got: String(wanted),
    });
    return 0;
  }
  const { normals } = coupling;
  const strength = weather?.output?.strength ?? 0;
  if (normals * normals + strength <= 1) return normals;
  const most = ranks.of(Math.sqrt(1 - strength)) * Math.sign(wanted);
  findings.contradiction([key, ['weather', 'output', 'strength']], {
    message: 'weather of this strength leaves less of the output to its input',
    expected: limit(most),
    got: String(wanted),
  });
  return 0;
}

/** Towards 0, so that what is printed can be had. */
function limit(most: number): string {
  const digits = Math.trunc(most * 100) / 100;
  return `${most < 0 ? 'at least' : 'at most'} ${digits}`;
}

/** A correlation of its own is for tokens that are drawn from distributions. */
export function checkPairs(job: JobSpec, path: Path, { findings }: CompileContext): void {
  if (job.correlation === undefined) return;
  findings.contradiction(
    [
      [...path, 'correlation'],
      [...path, 'from'],
    ],
    {
      message: 'the rows of a file have the correlation that they have',
      expected: 'none beside from',
      got: String(job.correlation),
    },
  );
}

/** Its tokens are then those of a turn: of the input, all that is sent. */
export function compileSessions(
  job: JobSpec,
  tokens: JobTokens,
  path: Path,
  { distributions }: CompileContext,
): { readonly tokens: JobTokens; readonly sessions: Sessions | undefined } {
  const { sessions: spec } = job;
  const length = spec && distributions.build(spec.length, [...path, 'sessions', 'length'], 'count');
  if (spec === undefined || length === undefined) return { tokens, sessions: undefined };
  const sessions = { length, ownInput: tokens.input, contextTokens: spec.context };
  return { tokens: { ...tokens, input: sentInputs(sessions, tokens) }, sessions };
}
