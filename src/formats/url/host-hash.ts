/**
 * The two hashes of a host: its point on the ring, which decides the agent, and its shard, which
 * decides the lane. Their keys are public, since every agent must compute the same; the keys
 * differ, so that a host's point on the ring says nothing about its shard.
 *
 * Invariant: what is hashed is the host of the *key*, never of the fetchable form, or one page
 * could belong to two agents; the types ensure it (for the ring, those of `src/cluster/ring`).
 */
import assert from "node:assert/strict";
import { type KeySlot, SipHasher, TEXT_AT } from "../../base/hash/index.ts";
import { URL_LENGTH_MAX } from "./fetchable-url.ts";
import type { KeyHost } from "./url-parts.ts";

/** Changing a byte of these moves every host of every crawl. */
const RING_KEY: Uint8Array = Buffer.from("trobar: the ring", "ascii");
export const SHARD_KEY: Uint8Array = Buffer.from("trobar: the lane", "ascii");

const SHARDS_MAX = 65_536;

/** Hashes hosts one at a time. It has memory of its own, so create one and keep it. */
export class HostHasher {
  readonly #hasher: SipHasher = new SipHasher(URL_LENGTH_MAX);
  readonly #ring: KeySlot = this.#hasher.addKey(RING_KEY);
  readonly #shard: KeySlot = this.#hasher.addKey(SHARD_KEY);

  /**
   * Writes the point on the 64-bit circle to `into`: the high half at `index`, then the low. The text
   * is a key host, or another ASCII text that is assigned like one, such as an address or a domain.
   */
  ringPoint(text: string, into: Uint32Array, index = 0): void {
    this.#hash(this.#ring, text);
    into[index] = this.#hasher.high;
    into[index + 1] = this.#hasher.low;
  }

  /** From 0 to `shards` - 1; `shards` is a power of two. */
  shardOf(host: KeyHost, shards: number): number {
    const bits = shardBitsOf(shards);
    this.#hash(this.#shard, host);
    return bits === 0 ? 0 : this.#hasher.high >>> (32 - bits);
  }

  #hash(key: KeySlot, text: string): void {
    assert(text.length <= URL_LENGTH_MAX, "a host is no longer than a URL may be");
    this.#hasher.hash(key, TEXT_AT, this.#hasher.bytes.write(text, TEXT_AT, "latin1"));
  }
}

/** How many bits of a fingerprint its shard takes. */
export function shardBitsOf(shards: number): number {
  const bits = Math.log2(shards);
  assert(
    Number.isInteger(bits) && shards >= 1 && shards <= SHARDS_MAX,
    "the number of shards is a power of two from 1 to 65,536",
  );
  return bits;
}
