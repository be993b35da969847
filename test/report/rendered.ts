// A report's files by their names, and the finding of one of its charts.

import { renderReport } from '../../src/report/render-report.ts';
import type { ReportInput } from '../../src/report/report-input.ts';

export interface Rendered {
  readonly text: string;
  readonly names: readonly string[];
  /** In one line; undefined where there is no such chart. */
  finding(chart: string): string | undefined;
  /** The rows of all its layers. */
  rows(chart: string): readonly Readonly<Record<string, unknown>>[];
}

export async function rendered(input: ReportInput): Promise<Rendered> {
  const files = new Map((await renderReport(input)).map(({ name, text }) => [name, text]));
  const spec = (chart: string): unknown => {
    const text = files.get(`charts/${chart}.vl.json`);
    return text === undefined ? undefined : JSON.parse(text);
  };
  return {
    text: files.get('report.md') ?? '',
    names: [...files.keys()],
    // Numbers are kept with their units by spaces that do not break.
    finding: (chart) =>
      (spec(chart) as { title: { text: string[] } } | undefined)?.title.text
        .join(' ')
        .replaceAll('\u00A0', ' '),
    rows: (chart) => rowsIn(spec(chart)),
  };
}

function rowsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'values' ? (item as Record<string, unknown>[]) : rowsIn(item),
  );
}
