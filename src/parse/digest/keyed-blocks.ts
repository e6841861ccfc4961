/**
 * A keyed hash of streams, built on SipHash: the stream is cut into blocks of fixed size, each block
 * is hashed together with the hash of everything before it, and the last block with a separate key,
 * so that the hash of a stream says nothing about that of a longer one. Without the crawl's key,
 * making two streams collide takes 2^32 tries.
 *
 * One `KeyedBlocks` serves a lane: it holds the keys and SipHash's memory. The state of a stream
 * between two blocks is two 32-bit lanes, which the caller keeps.
 */
import assert from "node:assert/strict";
import { KEY_BYTES, type KeySlot, SipHasher, TEXT_AT } from "../../base/hash/index.ts";

/** Small enough to copy cheaply, large enough that calls of SipHash are few. */
export const BLOCK_BYTES = 4096;

const LANES_BYTES = 8;
const BLOCK_AT = TEXT_AT + LANES_BYTES;

export class KeyedBlocks {
  readonly #hasher = new SipHasher(LANES_BYTES + BLOCK_BYTES);
  readonly #innerKey: KeySlot;
  readonly #lastKey: KeySlot;
  /** The keys of inner and last blocks, one after the other, for the kernel. */
  readonly keys: Uint8Array;

  /** `crawlKey`: the 16 secret bytes of the crawl, from which the keys used here are derived. */
  constructor(crawlKey: Uint8Array) {
    assert(crawlKey.length === KEY_BYTES, "a crawl's key has 16 bytes");
    const hasher = new SipHasher(64);
    const key = hasher.addKey(crawlKey);
    const inner = derived(hasher, key, "digest: inner block");
    const last = derived(hasher, key, "digest: last block");
    this.#innerKey = this.#hasher.addKey(inner);
    this.#lastKey = this.#hasher.addKey(last);
    this.keys = Buffer.concat([inner, last]);
  }

  /** Adds a whole block to the stream with these lanes; `high` and `low` are then the new lanes. */
  absorb(block: Uint8Array, high: number, low: number): void {
    this.#hash(this.#innerKey, block, high, low);
  }

  /** Adds the rest of a stream, shorter than a block; `high` and `low` are then its hash. */
  finish(rest: Uint8Array, high: number, low: number): void {
    assert(rest.length < BLOCK_BYTES, "the last block is not a whole one");
    this.#hash(this.#lastKey, rest, high, low);
  }

  /** The upper 32 bits of the last result, unsigned. */
  get high(): number {
    return this.#hasher.high;
  }

  /** The lower 32 bits of the last result, unsigned. */
  get low(): number {
    return this.#hasher.low;
  }

  #hash(key: KeySlot, block: Uint8Array, high: number, low: number): void {
    const { bytes } = this.#hasher;
    bytes.writeUInt32LE(high, TEXT_AT);
    bytes.writeUInt32LE(low, TEXT_AT + 4);
    bytes.set(block, BLOCK_AT);
    this.#hasher.hash(key, TEXT_AT, LANES_BYTES + block.length);
  }
}

/** A key of 16 bytes for one purpose, which reveals nothing about keys for others. */
function derived(hasher: SipHasher, key: KeySlot, purpose: string): Uint8Array {
  const result = Buffer.alloc(KEY_BYTES);
  for (const half of [0, 1]) {
    const length = hasher.bytes.write(`${purpose} ${half}`, TEXT_AT, "latin1");
    hasher.hash(key, TEXT_AT, length);
    result.writeUInt32LE(hasher.high, 8 * half);
    result.writeUInt32LE(hasher.low, 8 * half + 4);
  }
  return result;
}
