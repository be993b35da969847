// A limit on what the planner says: nothing is drawn, so that it holds or does not.

import { InputError, type Problem } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import {
  parseDuration,
  parseNumber,
  parsePercent,
  parseTokenAmount,
  type Quantity,
} from '../../base/units.ts';
import type { NightPlan } from '../../plan/night-plan.ts';
import { type Comparison, type PlanLimit, readCondition } from '../../scenario/gate-schema.ts';
import type { SourceTree } from '../../scenario/source-tree.ts';
import { holds } from './judge.ts';

/** A field of the plan, and what it has to be. */
export interface PlannedFigure {
  /** Null: this scenario has none. */
  readonly value: Scalar;
  readonly expected:
    | { readonly kind: 'is'; readonly value: Scalar }
    | { readonly kind: 'compared'; readonly comparison: Comparison; readonly limit: number };
}

type Scalar = number | string | boolean | null;

/**
 * Finds the field and reads what it is held to, in its unit.
 *
 * @param position in the list of limits
 * @throws InputError at the limit, for a field that there is not, or that is nothing to be compared with this
 */
export function readPlanLimit(
  { field, is }: PlanLimit,
  position: number,
  plan: NightPlan,
  tree: SourceTree,
): PlannedFigure {
  const fail = (key: 'plan' | 'is', problem: Problem): never => {
    throw new InputError({ ...problem, place: tree.place(['gate', position, key]) });
  };
  const found = lookUp(plan, field);
  if ('problem' in found) return fail('plan', found.problem);
  const { key, value } = found;
  if (typeof value === 'boolean') {
    if (typeof is !== 'boolean') return fail('is', wrongKind(field, 'true or false', is));
    return { value, expected: { kind: 'is', value: is } };
  }
  if (typeof value === 'string') return { value, expected: { kind: 'is', value: String(is) } };
  const written = String(is);
  const hasSign = /^\s*[<>≤≥]/.test(written);
  const condition = readCondition(hasSign ? written : `<= ${written}`, parserOf(key));
  if ('problem' in condition) return fail('is', { ...condition.problem, got: JSON.stringify(is) });
  const { comparison, limit } = condition;
  return {
    value,
    expected: hasSign ? { kind: 'compared', comparison, limit } : { kind: 'is', value: limit },
  };
}

/** No data fails, as everywhere. */
export function isMet({ value, expected }: PlannedFigure): boolean {
  if (value === null) return false;
  if (expected.kind === 'is') return value === expected.value;
  return typeof value === 'number' && holds(value, expected.comparison, expected.limit);
}

function parserOf(key: string): (amount: string) => Quantity {
  if (key.endsWith('Ms')) return parseDuration;
  if (key.endsWith('Ratio')) return parsePercent;
  return /tokens$|^envelope$|^meanShare$/i.test(key) ? parseTokenAmount : parseNumber;
}

type Found = { readonly key: string; readonly value: Scalar } | { readonly problem: Problem };

/** Step by step into the plan; entries of its lists go by their names. Spaces may stand for capitals. */
function lookUp(plan: NightPlan, field: string): Found {
  let at: unknown = plan;
  let last = '';
  const steps = field.replace(/\s+/g, '').split('.');
  for (const [depth, step] of steps.entries()) {
    const inside = entriesOf(at);
    const known = [...inside.keys()];
    const key = inside.has(step) ? step : known.find((one) => one.toLowerCase() === step.toLowerCase());
    if (key === undefined) {
      const meant = nearest(step, known);
      const before = steps.slice(0, depth).join('.');
      const where = depth === 0 ? 'the plan' : `${before} of the plan`;
      return {
        problem: {
          code: 'unknown-field',
          message: `${where} has no "${step}"`,
          expected: known.length === 0 ? `${before} alone` : known.join(', '),
          ...(meant === undefined ? {} : { nearest: [...steps.slice(0, depth), meant].join('.') }),
        },
      };
    }
    at = inside.get(key);
    last = key;
  }
  if (typeof at !== 'object' || at === null) return { key: last, value: at as Scalar };
  const expected = [...entriesOf(at).keys()].map((key) => `${field}.${key}`).join(', ');
  return { problem: { code: 'wrong-type', message: `${field} is more than one figure`, expected } };
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map();
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  return new Map(value.filter(isNamed).map((item) => [item.name, item]));
}

function isNamed(item: unknown): item is { readonly name: string } {
  return typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string';
}

function wrongKind(field: string, expected: string, is: unknown): Problem {
  return { code: 'wrong-type', message: `${field} is ${expected}`, expected, got: JSON.stringify(is) };
}
