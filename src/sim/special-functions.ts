// The special functions behind the distributions, to about full double precision. Built from + − × ÷,
// `Math.sqrt`, `exp` and `log` alone: those give the same bits on every supported engine, `pow`, `log1p`
// and their kin do not.

const LN_SQRT_2PI = 0.9189385332046728;
const SQRT_2PI = 2.5066282746310007;
const EPSILON = 2.220446049250313e-16;

/** ln(1 + x) without the loss near 0 (Kahan; in Goldberg 1991, theorem 4). @param x above −1 */
export function logOnePlus(x: number): number {
  const u = 1 + x;
  if (u === 1) return x;
  if (!(u > 0 && u < Number.POSITIVE_INFINITY)) return Math.log(u);
  return (Math.log(u) * x) / (u - 1);
}

/** eˣ − 1 without the loss near 0 (Kahan; in Higham 2002, §1.14.1). */
export function expMinusOne(x: number): number {
  const u = Math.exp(x);
  if (u === 1) return x;
  if (u === Number.POSITIVE_INFINITY) return u;
  const less = u - 1;
  return less === -1 ? -1 : (less * x) / Math.log(u);
}

/** xʸ as exp(y ln x). @param x from 0, a 0 giving 0 for y > 0 */
export function power(x: number, y: number): number {
  return Math.exp(y * Math.log(x));
}

/** Evaluates a polynomial, highest coefficient first (Horner). */
function polynomial(x: number, coefficients: readonly number[]): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}

// Wichura (1988), algorithm AS 241, PPND16: about 1 part in 10^16.
const CENTRE_TOP = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
];
const CENTRE_BOTTOM = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
];
const SHOULDER_TOP = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const SHOULDER_BOTTOM = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
];
const TAIL_TOP = [
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
];
const TAIL_BOTTOM = [
  2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
];

/** The standard normal quantile. @param p from 0 (−∞) to 1 (+∞) */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(r, CENTRE_TOP)) / polynomial(r, CENTRE_BOTTOM);
  }
  const tail = q < 0 ? p : 1 - p;
  if (tail <= 0) return q < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const r = Math.sqrt(-Math.log(tail));
  const z =
    r <= 5
      ? polynomial(r - 1.6, SHOULDER_TOP) / polynomial(r - 1.6, SHOULDER_BOTTOM)
      : polynomial(r - 5, TAIL_TOP) / polynomial(r - 5, TAIL_BOTTOM);
  return q < 0 ? -z : z;
}

/** The standard normal CDF, the lower tail to full relative precision (Abramowitz & Stegun 26.2.10 and 26.2.14). */
export function normalCdf(z: number): number {
  const size = z < 0 ? -z : z;
  if (size > 39) return z < 0 ? 0 : 1;
  if (size < 2.5) {
    const half = normalDensity(size) * normalSeries(size);
    return z < 0 ? 0.5 - half : 0.5 + half;
  }
  const tail = normalDensity(size) / normalFraction(size);
  return z < 0 ? tail : 1 - tail;
}

/** Σ z^(2k+1) ÷ (1·3·5…(2k+1)). @param z from 0 */
function normalSeries(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; ; odd += 2) {
    term *= (z * z) / odd;
    const next = sum + term;
    if (!(next > sum)) return next;
    sum = next;
  }
}

/** z + 1/(z + 2/(z + 3/(z + …))), from the inside out. @param z from 2.5, where the depth gives 15 digits */
function normalFraction(z: number): number {
  let sum = z;
  for (let k = z < 4 ? 64 : 32; k >= 1; k--) sum = z + k / sum;
  return sum;
}

/** The square is taken in two parts, or its rounding would cost the tail three digits (Cody 1969). */
function normalDensity(z: number): number {
  const size = z < 0 ? -z : z;
  const coarse = Math.floor(size * 16) / 16;
  const rest = (size - coarse) * (size + coarse);
  return (Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * rest)) / SQRT_2PI;
}

// B(2k) ÷ (2k(2k−1)), k = 6 … 1, of Stirling's series (Abramowitz & Stegun 6.1.40).
const STIRLING = [-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12];

/** ln Γ(x): Stirling's series, and the recurrence down to small x. @param x above 0 */
export function logGamma(x: number): number {
  let shift = 1;
  let y = x;
  for (; y < 12; y += 1) shift *= y;
  return (y - 0.5) * Math.log(y) - y + LN_SQRT_2PI + stirlingRest(y) - Math.log(shift);
}

/** ln Γ(y) − ((y − ½) ln y − y + ½ ln 2π). @param y from 12, where the series is exact to the last bit */
function stirlingRest(y: number): number {
  return polynomial(1 / (y * y), STIRLING) / y;
}

/**
 * The regularised lower incomplete gamma function P(a, x): the CDF of a gamma variable of shape `a` and
 * scale 1. Series below, continued fraction above the bulk (Abramowitz & Stegun 6.5.29 and 6.5.31).
 *
 * @param a above 0 @param x from 0 to +∞
 */
export function lowerGamma(a: number, x: number): number {
  if (x <= 0) return 0;
  if (x === Number.POSITIVE_INFINITY) return 1;
  const front = gammaFront(a, x);
  if (x < a + 1) return front * gammaSeries(a, x);
  return 1 - front * gammaFraction(a, x);
}

/** xᵃ e⁻ˣ ÷ Γ(a); for larger `a` arranged so that its great terms cancel before they are rounded. */
function gammaFront(a: number, x: number): number {
  if (a < 12) return Math.exp(a * Math.log(x) - x - logGamma(a));
  const off = (x - a) / a;
  return (Math.exp(a * (logOnePlus(off) - off) - stirlingRest(a)) * Math.sqrt(a)) / SQRT_2PI;
}

function gammaSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let k = 1; ; k++) {
    term *= x / (a + k);
    const next = sum + term;
    if (!(next > sum)) return next;
    sum = next;
  }
}

/** By the modified method of Lentz (Thompson & Barnett 1986). */
function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Number.POSITIVE_INFINITY;
  let d = 1 / b;
  let value = d;
  for (let k = 1; ; k++) {
    const numerator = k * (a - k);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const change = c * d;
    value *= change;
    const off = change - 1;
    if (!(off > EPSILON || off < -EPSILON)) return value;
  }
}
