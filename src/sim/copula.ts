// The Gaussian copula: a uniform is pulled towards what other draws say, and stays a uniform. Whatever is then
// drawn from it by an inverse CDF has the distribution it always had, but moves with the others.

import { normalCdf, normalQuantile } from './special-functions.ts';

const LEAST = 1 / 0x40000000000000;
const MOST = 1 - 1 / 0x20000000000000;

/**
 * Φ(own · Φ⁻¹(u) + pull). Uniform again where `pull` has mean 0 and variance 1 − own² and is normal and
 * independent of `u`; above 0 and below 1 in any case. Rises with `uniform` and with `pull`.
 *
 * @param uniform from 0 to 1 @param own from 0 to 1 @param pull the sum of the others' weighted normals
 */
export function pulled(uniform: number, own: number, pull: number): number {
  const moved = normalCdf((own === 0 ? 0 : own * normalQuantile(uniform)) + pull);
  return Math.max(LEAST, Math.min(MOST, moved));
}

/** The second of two uniforms, where the normals behind both have this correlation. @param normals from −1 to 1 */
export function coupled(uniform: number, first: number, normals: number): number {
  return pulled(uniform, Math.sqrt(Math.max(0, 1 - normals * normals)), normals * normalQuantile(first));
}
