// From a distribution as it was written to one that can be drawn from, once it agrees with itself: p50 below
// p95, min below max, tables that rise from 0% to 100%.

import { formatCount, formatDuration, parsePercent } from '../base/units.ts';
import type { Distribution } from '../sim/distribution.ts';
import { constant } from '../sim/distributions/constant.ts';
import { empirical } from '../sim/distributions/empirical.ts';
import { exponential } from '../sim/distributions/exponential.ts';
import { gamma } from '../sim/distributions/gamma.ts';
import { clipped, truncated } from '../sim/distributions/limits.ts';
import { fromTo, logNormal, p50p95 } from '../sim/distributions/log-normal.ts';
import { type Component, mixture } from '../sim/distributions/mixture.ts';
import { pareto } from '../sim/distributions/pareto.ts';
import { type QuantilePoint, quantileTable } from '../sim/distributions/quantile-table.ts';
import { uniform } from '../sim/distributions/uniform.ts';
import { weibull } from '../sim/distributions/weibull.ts';
import type { ColumnFiles } from './column-files.ts';
import type {
  DistributionSpec,
  DistributionUnit,
  FamilySpec,
  LimitsSpec,
  MixturePart,
} from './distribution-schema.ts';
import type { Findings } from './findings.ts';
import type { Path } from './source-tree.ts';

type SpecOf<Shape extends DistributionSpec['shape']> = Extract<DistributionSpec, { readonly shape: Shape }>;

/** The greatest uniform below 1 that a stream can give. */
const LAST_UNIFORM = 1 - Number.EPSILON / 2;
/**
 * Larger draws are a tail without an end. Tokens are booked, and sums of them must stay exact; a call or a
 * write that takes ages only outlasts the night, as long as its end can be computed at all; what is counted
 * is made one by one.
 */
const MOST_DRAWN: Readonly<Record<DistributionUnit, number>> = { tokens: 1e12, duration: 1e100, count: 1e5 };

export class DistributionBuilder {
  readonly #findings: Findings;
  readonly #columns: ColumnFiles;

  constructor(findings: Findings, columns: ColumnFiles) {
    this.#findings = findings;
    this.#columns = columns;
  }

  /** Undefined where something is wrong, which then has been reported. */
  build(spec: DistributionSpec, path: Path, unit: DistributionUnit): Distribution | undefined {
    const distribution = this.#build(spec, path, unit);
    const most = distribution?.quantile(LAST_UNIFORM) ?? 0;
    if (most <= MOST_DRAWN[unit]) return distribution;
    this.#findings.report(path, {
      code: 'out-of-range',
      message: 'draws of such a size cannot be played: give it a max',
      expected: `draws up to ${MOST_DRAWN[unit].toPrecision(1)}`,
      got: `draws up to ${most.toPrecision(2)}`,
    });
    return undefined;
  }

  #build(spec: DistributionSpec, path: Path, unit: DistributionUnit): Distribution | undefined {
    const before = this.#findings.problems.length;
    const base = this.#findings.locate(path, () => this.#base(spec, path, unit));
    const limits = 'limits' in spec ? spec.limits : {};
    this.#checkLimits(limits, path, unit);
    if (base === undefined || this.#findings.problems.length > before) return undefined;
    const { min, max, truncate = false } = limits;
    if (min === undefined && max === undefined) return base;
    return this.#findings.locate(path, () => (truncate ? truncated : clipped)(base, { min, max }));
  }

  #base(spec: DistributionSpec, path: Path, unit: DistributionUnit): Distribution | undefined {
    switch (spec.shape) {
      case 'constant':
        return constant(spec.value);
      case 'range':
        return this.#range(spec, path, unit);
      case 'p50p95':
        return this.#p50p95(spec, path, unit);
      case 'quantiles':
        return this.#table(spec, [...path, 'quantiles'], unit);
      case 'family':
        return this.#family(spec.family, path, unit);
      case 'mixture':
        return this.#mixture(spec.parts, [...path, 'mixture'], unit);
      case 'column':
        return this.#column(spec, path, unit);
    }
  }

  #range({ from, to }: SpecOf<'range'>, path: Path, unit: DistributionUnit): Distribution | undefined {
    if (from > 0 && from <= to) return fromTo({ from, to });
    this.#findings.report(path, {
      code: from > to ? 'contradiction' : 'out-of-range',
      message: from > to ? 'this range runs backwards' : 'a range cannot start at 0',
      expected: from > to ? `a start of at most ${formatOf(unit)(to)}` : 'a start above 0',
      got: formatOf(unit)(from),
    });
    return undefined;
  }

  #p50p95({ p50, p95 }: SpecOf<'p50p95'>, path: Path, unit: DistributionUnit): Distribution | undefined {
    if (p50 <= p95) return p50p95({ p50, p95 });
    return this.#above([...path, 'p50'], 'p95', { value: p50, limit: p95 }, unit);
  }

  #table({ quantiles }: SpecOf<'quantiles'>, path: Path, unit: DistributionUnit): Distribution | undefined {
    const points: (QuantilePoint & { readonly key: string })[] = [];
    for (const [key, x] of Object.entries(quantiles)) {
      const percent = parsePercent(key);
      if (!percent.ok) this.#reportKey([...path, key], { ...percent.problem, got: JSON.stringify(key) });
      else if (percent.value > 1) {
        this.#reportKey([...path, key], { code: 'out-of-range', message: 'no quantile lies above 100%' });
      } else points.push({ p: percent.value, x, key });
    }
    if (points.length < Object.keys(quantiles).length) return undefined;
    points.sort((one, other) => one.p - other.p);
    let isSound = true;
    for (const [position, { p, x, key }] of points.entries()) {
      const before = points[position - 1];
      if (before === undefined) continue;
      if (p === before.p) {
        this.#reportKey([...path, key], {
          code: 'duplicate-key',
          message: `this is the same quantile as ${before.key}`,
        });
        isSound = false;
      } else if (x < before.x) {
        const message = `this is less than at ${before.key}`;
        const expected = `at least ${formatOf(unit)(before.x)}`;
        this.#findings.report([...path, key], {
          code: 'contradiction',
          message,
          expected,
          got: formatOf(unit)(x),
        });
        isSound = false;
      }
    }
    const ends = [points[0]?.p === 0 ? '' : '0%', points.at(-1)?.p === 1 ? '' : '100%'].filter(
      (end) => end !== '',
    );
    if (ends.length > 0) {
      const message = `a table needs its ends: there is no ${ends.join(' and no ')}`;
      this.#findings.report(path, { code: 'missing-key', message, expected: '{ 0%: …, 50%: …, 100%: … }' });
    }
    return isSound && ends.length === 0 ? quantileTable(points) : undefined;
  }

  #family(family: FamilySpec, path: Path, unit: DistributionUnit): Distribution | undefined {
    if ('exponential' in family) return exponential(family.exponential);
    if ('logNormal' in family) return logNormal(family.logNormal);
    if ('weibull' in family) return weibull(family.weibull);
    if ('pareto' in family) return pareto(family.pareto);
    if ('gamma' in family) {
      const { shape, mean, scale } = family.gamma;
      if (mean !== undefined && scale === undefined) return gamma({ shape, mean });
      if (scale !== undefined && mean === undefined) return gamma({ shape, scale });
      const message = 'give either the mean or the scale';
      const expected = '{ shape: 2, mean: … } or { shape: 2, scale: … }';
      const got = mean === undefined ? 'neither' : 'both';
      this.#findings.report([...path, 'gamma'], { code: 'contradiction', message, expected, got });
      return undefined;
    }
    const { min, max } = family.uniform;
    if (min <= max) return uniform({ min, max });
    return this.#above([...path, 'uniform', 'min'], 'max', { value: min, limit: max }, unit);
  }

  #mixture(parts: readonly MixturePart[], path: Path, unit: DistributionUnit): Distribution | undefined {
    const components: Component[] = [];
    for (const [position, { weight, of }] of parts.entries()) {
      const distribution = this.#build(of, [...path, position, 'of'], unit);
      if (distribution !== undefined && weight > 0) components.push({ weight, distribution });
    }
    if (parts.every(({ weight }) => weight === 0)) {
      const message = parts.length === 0 ? 'there is nothing to mix' : 'the weights sum to nothing';
      this.#findings.report(path, {
        code: 'contradiction',
        message,
        expected: 'at least one weight above 0',
      });
      return undefined;
    }
    return components.length === 0 ? undefined : mixture(components);
  }

  #column(
    { file, column, scale }: SpecOf<'column'>,
    path: Path,
    unit: DistributionUnit,
  ): Distribution | undefined {
    const answer = this.#columns.read({
      file,
      column,
      kind: unit === 'tokens' ? 'tokens' : 'numbers',
      filePlace: this.#findings.tree.place([...path, 'file']),
      columnPlace: this.#findings.tree.place([...path, 'column']),
    });
    if ('values' in answer) return empirical(answer.values.map((value) => value * scale));
    this.#findings.problems.push(...answer.problems);
    return undefined;
  }

  #checkLimits({ min, max, truncate = false }: LimitsSpec, path: Path, unit: DistributionUnit): void {
    if (min !== undefined && max !== undefined && min > max) {
      this.#above([...path, 'min'], 'max', { value: min, limit: max }, unit);
    }
    if (truncate && min === undefined && max === undefined) {
      const message = 'there is nothing to truncate at';
      this.#findings.report([...path, 'truncate'], {
        code: 'contradiction',
        message,
        expected: 'min or max beside it',
      });
    }
  }

  #above(
    path: Path,
    limitName: string,
    { value, limit }: { value: number; limit: number },
    unit: DistributionUnit,
  ): undefined {
    const format = formatOf(unit);
    this.#findings.report(path, {
      code: 'contradiction',
      message: `this is above ${limitName}`,
      expected: `at most ${format(limit)}`,
      got: format(value),
    });
    return undefined;
  }

  #reportKey(
    path: Path,
    finding: { code: string; message: string; expected?: string; nearest?: string; got?: string },
  ): void {
    this.#findings.problems.push({ ...finding, place: this.#findings.tree.keyPlace(path) });
  }
}

function formatOf(unit: DistributionUnit): (value: number) => string {
  return unit === 'duration' ? formatDuration : formatCount;
}
