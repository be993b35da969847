// docs/report.md explains every chart that a report has, with a picture that is there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const reports = fileURLToPath(new URL('../../reports', import.meta.url));
const page = readFileSync(join(docs, 'report.md'), 'utf8');

test('the page of the report has a chapter and a picture for every chart, and for no other', () => {
  const drawn = readdirSync(reports).flatMap((name) =>
    readdirSync(join(reports, name, 'charts'))
      .filter((file) => file.endsWith('.svg'))
      .map((file) => file.replace(/\.svg$/, '')),
  );
  const chapters = [...page.matchAll(/^### .* \(`([a-z-]+)`\)$/gm)].map(([, chart]) => chart);
  expect(chapters.toSorted()).toEqual([...new Set(drawn)].sort());
  const pictures = [...page.matchAll(/^!\[[^\]]+\]\(([^)]+)\)$/gm)].map(([, file = '']) => file);
  expect(pictures).toHaveLength(chapters.length);
  for (const file of pictures) expect(existsSync(join(docs, file)), file).toBe(true);
});
