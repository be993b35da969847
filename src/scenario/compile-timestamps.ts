// The moments at which a trace's rows came, counted from the first of them. Files are not always in order, and
// clocks not always fine enough: what was out of order is sorted, and said.

import { formatCount } from '../base/units.ts';
import { type ArriveSpec, TIMESTAMP_UNITS } from './arrival-schema.ts';
import type { CompileContext } from './compile-jobs.ts';
import type { Path } from './source-tree.ts';

/** @returns milliseconds, in order, the first of them 0; undefined where something is wrong, which has been reported */
export function compileTimestamps(
  { file, column, unit }: Extract<ArriveSpec, { readonly kind: 'file' }>,
  path: Path,
  { columns, findings }: CompileContext,
): readonly number[] | undefined {
  const answer = columns.read({
    file,
    column,
    kind: unit === undefined ? 'moments' : 'numbers',
    filePlace: findings.tree.place([...path, 'file']),
    columnPlace: findings.tree.place([...path, 'column']),
  });
  if ('problems' in answer) {
    findings.problems.push(...answer.problems);
    return undefined;
  }
  const scale = unit === undefined ? 1 : TIMESTAMP_UNITS[unit];
  const written = answer.values.map((value) => value * scale);
  const sorted = written.toSorted((one, other) => one - other);
  const repeated = sorted.filter((atMs, row) => row > 0 && atMs === sorted[row - 1]).length;
  const said = [
    ...countRows(
      rowsBehind(written),
      'stands behind a later one and was sorted',
      'stand behind a later one and were sorted',
    ),
    ...countRows(repeated, 'has the same moment as another', 'have the same moment as another'),
  ];
  if (said.length > 0) {
    findings.warn([...path, 'column'], {
      code: 'unsorted',
      message: `of the ${formatCount(written.length)} rows of column "${column}", ${said.join(', and ')}`,
    });
  }
  return sorted.map((atMs) => atMs - sorted[0]!);
}

function rowsBehind(moments: readonly number[]): number {
  let latest = Number.NEGATIVE_INFINITY;
  let behind = 0;
  for (const atMs of moments) {
    if (atMs < latest) behind += 1;
    else latest = atMs;
  }
  return behind;
}

function countRows(rows: number, one: string, many: string): readonly string[] {
  if (rows === 0) return [];
  return [`${formatCount(rows)} ${rows === 1 ? one : many}`];
}
