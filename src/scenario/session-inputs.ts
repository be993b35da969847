// What the turns of a session send: all that was said before, and what is new. There is no formula for how
// such inputs are distributed, so it is taken from many sessions, always the same ones.

import { RandomRoot } from '../base/random-streams.ts';
import { coupled } from '../sim/copula.ts';
import { type Distribution, integerQuantile } from '../sim/distribution.ts';
import { empirical } from '../sim/distributions/empirical.ts';
import type { JobTokens, Sessions } from './scenario.ts';

/** Enough for the 95 % quantile to be right to about a percent. */
const TURNS = 20_000;
const PURPOSE = { length: 1, input: 2, output: 3 } as const;

/** Tokens that a turn sends: its own, after the input and the output of the turn before, up to the context. */
export function turnInput(
  ownTokens: number,
  before: { readonly input: number; readonly output: number } | undefined,
  { contextTokens }: Pick<Sessions, 'contextTokens'>,
): number {
  const said = before === undefined ? 0 : before.input + before.output;
  return Math.min(said + ownTokens, contextTokens ?? MOST_TOKENS);
}

/** What is larger is no input, and could not be booked. */
const MOST_TOKENS = 1e12;

/** Turns of a session that was drawn to be so long. */
export function turnCount(drawn: number): number {
  return Math.max(1, Math.round(drawn));
}

/** The inputs that turns send, over whole sessions and without weather. */
export function sentInputs(sessions: Sessions, tokens: JobTokens): Distribution {
  const stream = new RandomRoot('what sessions send').stream(0, 'turns');
  const sent: number[] = [];
  for (let session = 0; sent.length < TURNS; session += 1) {
    const turns = turnCount(sessions.length.quantile(stream.uniform(PURPOSE.length, session)));
    let before: { readonly input: number; readonly output: number } | undefined;
    for (let turn = 0; turn < turns; turn += 1) {
      const uniforms = [PURPOSE.input, PURPOSE.output].map((use) => stream.uniform(use, session, turn));
      const [own, output] = drawTurn(sessions, tokens, uniforms[0]!, uniforms[1]!);
      before = { input: turnInput(own, before, sessions), output };
      sent.push(before.input);
    }
  }
  return empirical(sent);
}

function drawTurn(
  { ownInput }: Sessions,
  tokens: JobTokens,
  forInput: number,
  forOutput: number,
): readonly [input: number, output: number] {
  if (tokens.kind === 'pairs') return tokens.rows[Math.floor(forInput * tokens.rows.length)]!;
  const output = tokens.kind === 'joint' ? coupled(forOutput, forInput, tokens.normals) : forOutput;
  return [integerQuantile(ownInput, forInput), integerQuantile(tokens.output, output)];
}
