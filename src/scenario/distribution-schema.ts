// How a distribution may be written, for tokens, durations and counts. The shape is picked by the keys that are
// there, so that an error inside says what is wrong inside.

import { z } from 'zod';
import { nearest } from '../base/nearest.ts';
import {
  count,
  duration,
  flag,
  hold,
  oneOf,
  percent,
  plainNumber,
  type Range,
  refuse,
  type SchemaProblem,
  strictMap,
  text,
  tokenAmount,
  tokens,
  unknownWord,
} from './quantity-schema.ts';
import { shaped } from './shape-schema.ts';

export type DistributionUnit = 'tokens' | 'duration' | 'count';

export interface LimitsSpec {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly truncate?: boolean | undefined;
}

export type FamilySpec =
  | { readonly uniform: { readonly min: number; readonly max: number } }
  | { readonly exponential: { readonly mean: number } }
  | { readonly logNormal: { readonly mean: number; readonly sd: number } }
  | {
      readonly gamma: {
        readonly shape: number;
        readonly mean?: number | undefined;
        readonly scale?: number | undefined;
      };
    }
  | { readonly weibull: { readonly shape: number; readonly scale: number } }
  | { readonly pareto: { readonly min: number; readonly alpha: number } };

/** A distribution as it was written, in milliseconds, tokens or plain numbers, not yet checked against itself. */
export type DistributionSpec =
  | { readonly shape: 'constant'; readonly value: number }
  | { readonly shape: 'range'; readonly from: number; readonly to: number }
  | { readonly shape: 'p50p95'; readonly p50: number; readonly p95: number; readonly limits: LimitsSpec }
  | {
      readonly shape: 'quantiles';
      readonly quantiles: Readonly<Record<string, number>>;
      readonly limits: LimitsSpec;
    }
  | { readonly shape: 'family'; readonly family: FamilySpec; readonly limits: LimitsSpec }
  | { readonly shape: 'mixture'; readonly parts: readonly MixturePart[]; readonly limits: LimitsSpec }
  | {
      readonly shape: 'column';
      readonly file: string;
      readonly column: string;
      /** What one in the file is worth, in milliseconds; 1 for what has no unit. */
      readonly scale: number;
      readonly limits: LimitsSpec;
    };

export interface MixturePart {
  readonly weight: number;
  readonly of: DistributionSpec;
}

/** What a value of the distribution is, what a parameter that is no value is, and how both are written. */
const UNITS = {
  tokens: {
    id: 'tokenDistribution',
    value: tokens,
    parameter: tokenAmount,
    constant: '3000',
    range: '500 to 8000',
    median: '3000',
    tail: '6000',
  },
  duration: {
    id: 'durationDistribution',
    value: duration,
    parameter: duration,
    constant: '45 s',
    range: '5 s to 40 s',
    median: '0.9 s',
    tail: '3 s',
  },
  count: {
    id: 'countDistribution',
    value: count,
    parameter: plainNumber,
    constant: '5',
    range: '2 to 20',
    median: '3',
    tail: '12',
  },
} as const;
const COLUMN_UNITS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 } as const;
const FAMILIES = ['uniform', 'exponential', 'logNormal', 'gamma', 'weibull', 'pareto'] as const;
/** The key that gives a shape away, in order of precedence. */
const MARKS = ['quantiles', 'mixture', 'file', ...FAMILIES, 'p50', 'p95'] as const;
/** Outside, the families are numerically a constant or nothing at all. */
const SHAPES: Range = { from: 0.01, upTo: 10_000 };
const LIMITS = ['min', 'max', 'truncate'];

export const tokenDistribution = distributionSchema('tokens');
export const durationDistribution = distributionSchema('duration');
export const countDistribution = distributionSchema('count');

/** A distribution of tokens, of durations or of counts. */
function distributionSchema(unit: DistributionUnit): (description: string) => z.ZodType<DistributionSpec> {
  /** A value of the distribution, as in a table or at a limit. */
  const value = (description: string, range: Range = {}) => UNITS[unit].value(description, range);
  /** A parameter that is no value: where values are whole, it need not be. */
  const parameter = (description: string) => UNITS[unit].parameter(description, { above: 0 });
  const limits = {
    min: value('What is less becomes this.').optional(),
    max: value('What is more becomes this.').optional(),
    truncate: flag(
      'true: what lies outside min and max is never drawn, instead of becoming the limit.',
    ).optional(),
  };
  const shape = plainNumber('The shape.', SHAPES);

  const simple = simpleSchema(unit);
  const families = {
    uniform: strictMap({ min: value('The least.'), max: value('The most.') }),
    exponential: strictMap({ mean: parameter('The mean.') }),
    logNormal: strictMap({ mean: parameter('The mean.'), sd: value('The standard deviation.') }),
    gamma: strictMap({
      shape,
      mean: parameter('The mean; or give the scale.').optional(),
      scale: parameter('The scale: mean ÷ shape; or give the mean.').optional(),
    }),
    weibull: strictMap({ shape, scale: parameter('The quantile at 63.2 %.') }),
    pareto: strictMap({
      min: parameter('The least.'),
      alpha: plainNumber('The tail: up to 1 there is no mean.', SHAPES),
    }),
  };
  const familySchemas = Object.fromEntries(
    FAMILIES.map((family) => [family, familySchema(family, families[family], limits)]),
  ) as Record<(typeof FAMILIES)[number], z.ZodType<DistributionSpec>>;
  const percentiles = strictMap({
    p50: value('The median.', { above: 0 }),
    p95: value('The 95 % quantile.', { above: 0 }),
    ...limits,
  }).transform(({ p50, p95, ...rest }): DistributionSpec => ({ shape: 'p50p95', p50, p95, limits: rest }));
  const table = strictMap({
    quantiles: z
      .record(z.string(), value('The value at this quantile.'), {
        error: () => 'a map such as { 0%: 1, 50%: 400, 100%: 2000 }',
      })
      .describe('Values by quantile, with 0% and 100%; between two, the logarithm is linear.'),
    ...limits,
  }).transform(
    ({ quantiles, ...rest }): DistributionSpec => ({ shape: 'quantiles', quantiles, limits: rest }),
  );
  const mixture = strictMap({
    mixture: z
      .array(
        strictMap({
          weight: weightSchema(),
          of: z.lazy(() => whole('What is drawn with this weight.')),
        }),
        { error: () => 'a list of { weight: …, of: … }' },
      )
      .describe('One of several distributions, each drawn as often as its weight says.'),
    ...limits,
  }).transform(
    ({ mixture: parts, ...rest }): DistributionSpec => ({ shape: 'mixture', parts, limits: rest }),
  );
  const column = columnSchema(unit, limits);

  const all = (): readonly z.ZodType<DistributionSpec>[] => [
    simple,
    percentiles,
    table,
    mixture,
    column,
    ...Object.values(familySchemas),
  ];
  const byMark: Record<(typeof MARKS)[number], z.ZodType<DistributionSpec>> = {
    quantiles: table,
    mixture,
    file: column,
    ...familySchemas,
    p50: percentiles,
    p95: percentiles,
  };
  const whole = (description: string): z.ZodType<DistributionSpec> =>
    shaped({
      id: UNITS[unit].id,
      description,
      all,
      pick: (written) => {
        if (typeof written !== 'object' || written === null) return simple;
        const mark = MARKS.find((key) => Object.hasOwn(written, key));
        return mark === undefined ? noShape(unit, written) : byMark[mark];
      },
    });
  return whole;
}

/** A constant, or `a to b`. */
function simpleSchema(unit: DistributionUnit): z.ZodType<DistributionSpec> {
  const { constant, range } = UNITS[unit];
  const quantity = UNITS[unit].value('');
  return z
    .union([z.string(), z.number()], { error: () => `${forms(unit)}` })
    .transform((written, context): DistributionSpec => {
      const ends = String(written).split(/\s+to\s+/);
      const values = ends.map((end) => hold(context, quantity, end));
      const [from, to, tooMany] = values;
      if (context.issues.length > 0 || from === undefined) return z.NEVER;
      if (to === undefined) return { shape: 'constant', value: from };
      if (tooMany === undefined) return { shape: 'range', from, to };
      return refuse(context, {
        code: 'wrong-type',
        message: 'a range has two ends',
        expected: `${constant} to …`,
      });
    })
    .describe(`A constant (${constant}), or the 5 % and 95 % quantiles of a log-normal (${range}).`);
}

function familySchema<Family extends (typeof FAMILIES)[number], Shape extends z.ZodRawShape>(
  family: Family,
  parameters: z.ZodType,
  limits: Shape,
): z.ZodType<DistributionSpec> {
  return strictMap({ [family]: parameters, ...limits }).transform((written): DistributionSpec => {
    const { [family]: own, ...rest } = written as Record<string, unknown>;
    return { shape: 'family', family: { [family]: own } as unknown as FamilySpec, limits: rest };
  });
}

function columnSchema<Shape extends z.ZodRawShape>(
  unit: DistributionUnit,
  limits: Shape,
): z.ZodType<DistributionSpec> {
  const common = {
    file: text('A CSV file with a header line; relative to the scenario.'),
    column: text('The name of the column.'),
    ...limits,
  };
  const written =
    unit !== 'duration'
      ? strictMap(common)
      : strictMap({
          ...common,
          unit: oneOf('The unit of the numbers in the column.', ['ms', 's', 'min', 'h']),
        });
  return written.transform((spec): DistributionSpec => {
    const {
      file,
      column,
      unit: word,
      ...rest
    } = spec as {
      file: string;
      column: string;
      unit?: keyof typeof COLUMN_UNITS;
    };
    return {
      shape: 'column',
      file,
      column,
      scale: word === undefined ? 1 : COLUMN_UNITS[word],
      limits: rest,
    };
  });
}

/** `70%` or `7`: only the proportions count. */
function weightSchema() {
  const share = percent('', { upTo: Number.POSITIVE_INFINITY });
  const ratio = plainNumber('');
  return z
    .union([z.string(), z.number()], { error: () => 'a weight: 70%, or a plain number' })
    .transform((written, context): number => {
      return hold(context, String(written).includes('%') ? share : ratio, written);
    })
    .describe('How often, in proportion to the other weights: 70%, or a plain number.');
}

function noShape(
  unit: DistributionUnit,
  written: object,
): { problem: SchemaProblem; path?: readonly string[] } {
  const known = [...MARKS, ...LIMITS];
  const odd = Array.isArray(written) ? undefined : Object.keys(written).find((key) => !LIMITS.includes(key));
  if (odd !== undefined && nearest(odd, MARKS) !== undefined) {
    return {
      problem: unknownWord('unknown-key', `a distribution has no key "${odd}"`, odd, known),
      path: [odd],
    };
  }
  return { problem: { code: 'wrong-type', message: 'this is no distribution', expected: forms(unit) } };
}

function forms(unit: DistributionUnit): string {
  const { constant, range, median, tail } = UNITS[unit];
  return `${constant}, ${range}, { p50: ${median}, p95: ${tail} }, { quantiles: … }, { mixture: … }, { file: …, column: … } or { ${FAMILIES.join(' | ')}: … }`;
}
