// A chart in the Markdown: the picture beside the text, with its finding for whoever does not see it.

import type { Chart } from '../charts/chart.ts';
import { picture } from '../markdown.ts';

export function chartPicture(chart: Chart | undefined): string | undefined {
  return chart === undefined
    ? undefined
    : picture(`${chart.finding}. ${chart.description}`, `charts/${chart.name}.svg`);
}
