import { describe, expect, it } from 'vitest';
import { philox4x32 } from '../../src/base/philox.ts';

// The known-answer vectors of Random123 (kat_vectors, philox 4x32 10): counter, key, block.
const VECTORS = [
  {
    name: 'zeros',
    counter: [0, 0, 0, 0],
    key: [0, 0],
    block: [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
  },
  {
    name: 'ones',
    counter: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    key: [0xffffffff, 0xffffffff],
    block: [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  },
  {
    name: 'the digits of pi',
    counter: [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    key: [0xa4093822, 0x299f31d0],
    block: [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  },
] as const;

describe('philox4x32', () => {
  it.each(VECTORS)('gives the published block for $name', ({ counter, key, block }) => {
    const out = new Uint32Array(4);
    const [k0, k1] = key;
    const [c0, c1, c2, c3] = counter;
    philox4x32(out, k0, k1, c0, c1, c2, c3);
    expect([...out]).toEqual(block);
  });
});
