/**
 * A keyed hash of streams, built on SipHash: the stream is cut into blocks of fixed size, each block
 * is hashed together with the hash of what came before it, and the last block with a key of its
 * own, so that no stream's hash says anything about a longer one's. Whoever lacks the crawl's key
 * cannot make two streams that collide but by trying 2^32 of them on us.
 *
 * One `KeyedBlocks` serves a lane: it holds the keys and the memory in which SipHash works. What is
 * known of one stream between two blocks are two 32-bit lanes, kept by whoever reads the stream.
 */
import assert from "node:assert/strict";
import { KEY_BYTES, type KeySlot, SipHasher, TEXT_AT } from "../../base/hash/index.ts";

/** 4 KiB: copying a block costs little, and calling SipHash seldom enough costs nothing. */
export const BLOCK_BYTES = 4096;

const LANES_BYTES = 8;
const BLOCK_AT = TEXT_AT + LANES_BYTES;

export class KeyedBlocks {
  readonly #hasher = new SipHasher(LANES_BYTES + BLOCK_BYTES);
  readonly #innerKey: KeySlot;
  readonly #lastKey: KeySlot;

  /** `crawlKey`: the 16 secret bytes of the crawl. Other keys are made of it for use here. */
  constructor(crawlKey: Uint8Array) {
    assert(crawlKey.length === KEY_BYTES, "a crawl's key has 16 bytes");
    const hasher = new SipHasher(64);
    const key = hasher.addKey(crawlKey);
    this.#innerKey = this.#hasher.addKey(derived(hasher, key, "digest: inner block"));
    this.#lastKey = this.#hasher.addKey(derived(hasher, key, "digest: last block"));
  }

  /** Adds a whole block to what `high` and `low` stand for; the results are the new lanes. */
  absorb(block: Uint8Array, high: number, low: number): void {
    this.#hash(this.#innerKey, block, high, low);
  }

  /** Adds the rest of a stream, shorter than a block; the results are its hash. */
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

/** A key of 16 bytes for one purpose: nothing can be told from it about keys for another. */
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
