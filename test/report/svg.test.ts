// Pictures that can stand side by side in one page, and come out the same however often they are drawn.

import { expect, test } from 'vitest';
import { type Chart, chart } from '../../src/report/charts/chart.ts';
import { drawCharts } from '../../src/report/svg.ts';

/** Clipped marks are what Vega gives ids to. */
function clipped(name: string): Chart {
  return chart({
    name,
    finding: 'a < b & c',
    reading: '',
    description: 'one bar',
    heightPx: 20,
    leftPx: 20,
    abovePx: 0,
    layer: [
      {
        data: { values: [{ x: 1 }] },
        mark: { type: 'bar', clip: true },
        encoding: { x: { field: 'x', type: 'quantitative' } },
      },
    ],
  });
}

test('ids begin with the name of the chart, every reference finds its own, and a second drawing is the same', async () => {
  const drawn = await drawCharts([clipped('one'), clipped('two')]);
  for (const [name, svg] of drawn) {
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(2);
    expect(ids.filter((id) => !id?.startsWith(`${name}-`))).toEqual([]);
    const references = [...svg.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id);
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
  }
  expect(await drawCharts([clipped('two'), clipped('one')])).toEqual(drawn);
});

test('what a picture is called is text', async () => {
  const svg = (await drawCharts([clipped('one')])).get('one');
  expect(svg).toContain('<title id="one-title">a &lt; b &amp; c</title>');
});
