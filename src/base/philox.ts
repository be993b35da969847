// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw ("Parallel random numbers:
// as easy as 1, 2, 3", SC 2011): a keyed bijection of 128-bit counters. There is no state to advance, so
// a random number can be asked for by what it is for.

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
/** Added to the key before every round but the first (the golden ratio and √3 − 1, as 32-bit fractions). */
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/**
 * One block: the four 32-bit words of the counter under the 64-bit key.
 *
 * @param out receives the four words; the caller's, so that a draw allocates nothing
 */
export function philox4x32(
  out: Uint32Array,
  key0: number,
  key1: number,
  c0: number,
  c1: number,
  c2: number,
  c3: number,
): void {
  let k0 = key0 | 0;
  let k1 = key1 | 0;
  let x0 = c0 | 0;
  let x1 = c1 | 0;
  let x2 = c2 | 0;
  let x3 = c3 | 0;
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = multiplyHigh(x0, MULTIPLIER_0);
    const low0 = Math.imul(x0, MULTIPLIER_0);
    const high1 = multiplyHigh(x2, MULTIPLIER_1);
    const low1 = Math.imul(x2, MULTIPLIER_1);
    x0 = high1 ^ x1 ^ k0;
    x1 = low1;
    x2 = high0 ^ x3 ^ k1;
    x3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  out[0] = x0;
  out[1] = x1;
  out[2] = x2;
  out[3] = x3;
}

/** The upper half of the 64-bit product of two unsigned 32-bit words, by 16-bit halves. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  // Neither sum overflows 32 bits: (2^16 − 1)^2 + 2^16 − 1 < 2^32.
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const other = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (other >>> 16)) | 0;
}
