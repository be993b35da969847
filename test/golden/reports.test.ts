// What the shipped scenarios produce lies in reports/, and is what they still produce, byte for byte. After
// a change that is meant: `npm run reports`, then read the diff. Pages and PNG are left out of it: they are
// large, and say what the Markdown and the SVG say.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { renderShipped, shippedNames } from '../report/shipped-report.ts';

const reports = fileURLToPath(new URL('../../reports', import.meta.url));

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
}

test('every scenario that ships has a report, and no other has', () => {
  expect(readdirSync(reports).sort()).toEqual([...shippedNames].sort());
});

describe.each(shippedNames)('the report of %s', (name) => {
  const folder = join(reports, name);

  test('is what lies in reports/, byte for byte', async () => {
    const rendered = new Map(await renderShipped(name));
    rendered.delete('report.html');
    expect([...rendered.keys()].sort()).toEqual(filesBelow(folder));
    for (const [file, text] of rendered) {
      expect(readFileSync(join(folder, file), 'utf8'), `${name}/${file}`).toBe(text);
    }
  });

  test('keeps each file within 80 KB and all of them within 600 KB', () => {
    const sizes = filesBelow(folder).map((file) => statSync(join(folder, file)).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(80_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(600_000);
  });
});
