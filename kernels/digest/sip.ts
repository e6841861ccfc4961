/**
 * A keyed hash of a stream in blocks, as `parse/digest/keyed-blocks.ts` has it: SipHash-1-3 of the
 * hash so far and a block of 4,096 bytes, again and again, the last block with a key of its own.
 * The hash so far is the first word of what is hashed, so blocks are hashed where they lie.
 */

export const BLOCK_BYTES: usize = 4096;

let lanes: u64 = 0;

export function beginStream(): void {
  lanes = 0;
}

/** A whole block. */
export function absorb(key: usize, block: usize): void {
  lanes = sipHash(key, block, BLOCK_BYTES);
}

/** The rest, shorter than a block; returns the hash of the stream. */
export function finishStream(key: usize, rest: usize, bytes: usize): u64 {
  lanes = sipHash(key, rest, bytes);
  return lanes;
}

function joined(high: u32, low: u32): u64 {
  return ((<u64>high) << 32) | low;
}

/** Of `lanes` and the bytes; up to seven bytes behind them are read, in vain. */
function sipHash(key: usize, from: usize, bytes: usize): u64 {
  const key0 = load<u64>(key);
  const key1 = load<u64>(key, 8);
  let v0: u64 = key0 ^ joined(0x736f6d65, 0x70736575);
  let v1: u64 = key1 ^ joined(0x646f7261, 0x6e646f6d);
  let v2: u64 = key0 ^ joined(0x6c796765, 0x6e657261);
  let v3: u64 = key1 ^ joined(0x74656462, 0x79746573);
  // The upper half comes first.
  let word = rotl<u64>(lanes, 32);
  let at = from;
  const end = from + (bytes & ~7);
  for (;;) {
    v3 ^= word;
    v0 += v1;
    v1 = rotl<u64>(v1, 13) ^ v0;
    v0 = rotl<u64>(v0, 32);
    v2 += v3;
    v3 = rotl<u64>(v3, 16) ^ v2;
    v0 += v3;
    v3 = rotl<u64>(v3, 21) ^ v0;
    v2 += v1;
    v1 = rotl<u64>(v1, 17) ^ v2;
    v2 = rotl<u64>(v2, 32);
    v0 ^= word;
    if (at > end) break;
    word = load<u64>(at);
    if (at === end) {
      const rest = word & (((<u64>1) << ((<u64>bytes & 7) << 3)) - 1);
      word = rest | ((<u64>(bytes + 8)) << 56);
    }
    at += 8;
  }
  v2 ^= 0xff;
  for (let round = 0; round < 3; round++) {
    v0 += v1;
    v1 = rotl<u64>(v1, 13) ^ v0;
    v0 = rotl<u64>(v0, 32);
    v2 += v3;
    v3 = rotl<u64>(v3, 16) ^ v2;
    v0 += v3;
    v3 = rotl<u64>(v3, 21) ^ v0;
    v2 += v1;
    v1 = rotl<u64>(v1, 17) ^ v2;
    v2 = rotl<u64>(v2, 32);
  }
  return v0 ^ v1 ^ v2 ^ v3;
}
