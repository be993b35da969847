// From other traffic as it was written to what the world plays beside the batch.

import type { BackgroundSpec } from './background-schema.ts';
import { compileArrivals } from './compile-arrivals.ts';
import type { CompileContext } from './compile-jobs.ts';
import { compileDeclared } from './compile-provider.ts';
import type { Background } from './scenario.ts';
import type { ScenarioRemainder } from './scenario-schema.ts';

const PATH = ['background'];

/** @returns undefined where there is none, or where something is wrong, which has been reported */
export function compileBackground(spec: ScenarioRemainder, context: CompileContext): Background | undefined {
  const { background } = spec;
  if (background === undefined) return undefined;
  const { distributions } = context;
  const input = distributions.build(background.input, [...PATH, 'input'], 'tokens');
  const output = distributions.build(background.output, [...PATH, 'output'], 'tokens');
  const arrivals = compileTraffic(background, spec, context);
  if (input === undefined || output === undefined || arrivals === undefined) return undefined;
  const declaredOutput = compileDeclared(background, output, PATH, spec, context);
  return { arrivals, input, output, declaredOutput, timeoutMs: background.timeout };
}

function compileTraffic(
  { arrive, volume }: BackgroundSpec,
  spec: ScenarioRemainder,
  context: CompileContext,
): Background['arrivals'] | undefined {
  const { findings } = context;
  if (arrive.kind === 'every-night' || arrive.kind === 'first-night') {
    findings.report([...PATH, 'arrive'], {
      code: 'contradiction',
      message: 'others come one by one, at whatever hour',
      expected: '{ poisson: 120 per hour }, { gaps: … } or { file: …, column: … }',
      got: arrive.kind,
    });
    return undefined;
  }
  // Their day goes on when the last night is over: until there would be another opening.
  const untilMs = spec.window?.every ?? 0;
  return compileArrivals({ arrive, volume, count: undefined }, PATH, spec, context, untilMs)?.arrivals;
}
