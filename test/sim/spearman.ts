// Spearman's rank correlation of a sample, with average ranks for ties (C. Spearman, 1904).

export function spearman(pairs: readonly (readonly [number, number])[]): number {
  const [first, second] = [ranksOf(pairs.map(([one]) => one)), ranksOf(pairs.map(([, other]) => other))];
  const middle = (pairs.length + 1) / 2;
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, rank, i) => sum + (rank - middle) * (b[i]! - middle), 0);
  return product(first, second) / Math.sqrt(product(first, first) * product(second, second));
}

function ranksOf(values: readonly number[]): readonly number[] {
  const order = values.map((_, i) => i).sort((one, other) => values[one]! - values[other]!);
  const ranks = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    for (let i = from; i < to; i += 1) ranks[order[i]!] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}
