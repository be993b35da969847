// A small bar of blocks for a share of a whole.

/**
 * @param share from 0 to 1
 * @returns `cells` characters; all full or all empty only where the share is exactly that
 */
export function bar(share: number, cells = 10): string {
  const nearest = Math.round(share * cells);
  const least = share > 0 ? 1 : 0;
  const most = share < 1 ? cells - 1 : cells;
  const full = Math.max(0, Math.min(cells, Math.max(least, Math.min(most, nearest))));
  return '█'.repeat(full) + '░'.repeat(cells - full);
}
