// The order of ids. JavaScript compares UTF-16 units, databases compare UTF-8 bytes, and the two differ
// where characters beyond U+FFFF are involved; all stores must answer in one order.

/** By code point, as UTF-8 bytes compare: negative, 0 or positive. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
}

/** Surrogates stand for characters beyond U+FFFF, and come after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
