// Keyed random streams: every uniform is a function of what it is for (a replication, a label, a purpose,
// up to three ordinals) and never of when it is asked for. Two variants of one scenario therefore see the
// same draws, and asking once more or in another order changes nothing for anybody else.

import seedrandom from 'seedrandom';
import { invariant } from './errors.ts';
import { philox4x32 } from './philox.ts';

/** The whole randomness of one seed. */
export class RandomRoot {
  readonly #key0: number;
  readonly #key1: number;

  /** @param seed any string; equal strings give equal streams on every machine */
  constructor(seed: string) {
    const random = seedrandom(seed);
    this.#key0 = random.int32();
    this.#key1 = random.int32();
  }

  /**
   * The stream of one source of chance in one replication. Cheap, and needs no caching: the same
   * arguments give the same stream.
   *
   * @param replication from 0 to 2³² − 1
   * @param label what draws from it, such as `class:summarize`; compared as text, any length
   */
  stream(replication: number, label: string): RandomStream {
    invariant(isUint32(replication), 'replication is a 32-bit number', () => String(replication));
    const [label0, label1] = hashLabel(label);
    const out = new Uint32Array(4);
    philox4x32(out, this.#key0, this.#key1, replication, label0, label1, 0);
    return new RandomStream(out[0]!, out[1]!);
  }
}

/** Uniforms under one 64-bit key. Has no state: made by `RandomRoot`, shared freely. */
export class RandomStream {
  readonly #key0: number;
  readonly #key1: number;

  /** @param key0 @param key1 the two 32-bit halves of the key */
  constructor(key0: number, key1: number) {
    this.#key0 = key0;
    this.#key1 = key1;
  }

  /**
   * A uniform of 53 bits, above 0 and below 1 (the one draw in 2⁵³ that would be 0 is 2⁻⁵⁴). A pure
   * function of its arguments; other arguments give an independent value.
   *
   * @param purpose tells apart what one subject is asked for: its input, its output, its latency …
   * @param a @param b @param c the subject's ordinals, such as job and attempt. All four are whole
   *   numbers from 0 to 2³² − 1; leaving one out is the same as 0
   */
  uniform(purpose: number, a: number, b = 0, c = 0): number {
    if (!(isUint32(purpose) && isUint32(a) && isUint32(b) && isUint32(c))) {
      invariant(false, 'a random key is made of 32-bit numbers', () => `${purpose}, ${a}, ${b}, ${c}`);
    }
    philox4x32(block, this.#key0, this.#key1, a, b, c, purpose);
    const bits = (block[0]! >>> 5) * TWO_TO_26 + (block[1]! >>> 6);
    return bits === 0 ? TWO_TO_MINUS_54 : bits * TWO_TO_MINUS_53;
  }
}

const TWO_TO_26 = 0x4000000;
const TWO_TO_MINUS_53 = 1 / 0x20000000000000;
const TWO_TO_MINUS_54 = TWO_TO_MINUS_53 / 2;

/** Scratch for one block, so that a draw allocates nothing. Never read across calls. */
const block = new Uint32Array(4);

function isUint32(value: number): boolean {
  return value >>> 0 === value;
}

/** 64 bits of a text: Philox chained over its UTF-16 code units, eight to a block, the length in the first key. */
function hashLabel(label: string): readonly [number, number] {
  const out = new Uint32Array(4);
  let key0 = label.length;
  let key1 = 0;
  for (let at = 0; at < label.length; at += 8) {
    philox4x32(
      out,
      key0,
      key1,
      pair(label, at),
      pair(label, at + 2),
      pair(label, at + 4),
      pair(label, at + 6),
    );
    key0 = out[0]!;
    key1 = out[1]!;
  }
  return [key0, key1];
}

/** Two code units as one word; past the end they count as 0. */
function pair(text: string, at: number): number {
  const first = at < text.length ? text.charCodeAt(at) : 0;
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  return first | (second << 16);
}
