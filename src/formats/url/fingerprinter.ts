/**
 * Fingerprints of keys.
 *
 * A fingerprint represents a key in 64 bits. It begins with the shard of the key's host, so that
 * every sorted file of fingerprints splits by shard; the other bits are from a hash keyed with a
 * secret of the crawl, so that no outsider can make two URLs collide (docs/adr/0011). Values are
 * two unsigned 32-bit halves, the high one first.
 */
import assert from "node:assert/strict";
import { KEY_BYTES, type KeySlot, SipHasher, TEXT_AT } from "../../base/hash/index.ts";
import { URL_LENGTH_MAX } from "./fetchable-url.ts";
import { SHARD_KEY, shardBitsOf } from "./host-hash.ts";
import type { UrlKey } from "./url-key.ts";
import { type KeyHost, keyHostOf } from "./url-parts.ts";

export interface FingerprintOptions {
  /** 16 bytes, drawn when the crawl is created and secret from then on. */
  readonly fingerprintKey: Uint8Array;
  /** A power of two, fixed when the crawl is created. */
  readonly shards: number;
}

export class Fingerprinter {
  /** The last fingerprint: high half, low half. Overwritten by the next one. */
  readonly halves: Uint32Array = new Uint32Array(2);
  /**
   * Where text is hashed. The owner of the fingerprinter may use the `roomBytes` it asked for, from
   * `roomAt` on; the rest belongs to the fingerprinter.
   */
  readonly memory: Buffer;
  readonly roomAt: number = TEXT_AT + URL_LENGTH_MAX;
  readonly #hasher: SipHasher;
  readonly #secret: KeySlot;
  readonly #shard: KeySlot;
  readonly #shardBits: number;

  constructor(options: FingerprintOptions, roomBytes = 0) {
    assert(options.fingerprintKey.length === KEY_BYTES, "a fingerprint key has 16 bytes");
    this.#shardBits = shardBitsOf(options.shards);
    this.#hasher = new SipHasher(URL_LENGTH_MAX + roomBytes);
    this.#secret = this.#hasher.addKey(options.fingerprintKey);
    this.#shard = this.#hasher.addKey(SHARD_KEY);
    this.memory = this.#hasher.bytes;
  }

  /** Leaves the fingerprint in `halves` and returns the shard. */
  fingerprint(key: UrlKey): number {
    assert(key.length <= URL_LENGTH_MAX, "a key is no longer than a URL may be");
    const length = this.memory.write(key, TEXT_AT, "latin1");
    const hostAt = TEXT_AT + key.indexOf("/") + 2;
    const shard = this.shardOfText(hostAt, keyHostOf(key).length);
    this.fingerprintText(TEXT_AT, length, shard);
    return shard;
  }

  shardOf(host: KeyHost): number {
    assert(host.length <= URL_LENGTH_MAX, "a host is no longer than a URL may be");
    return this.shardOfText(TEXT_AT, this.memory.write(host, TEXT_AT, "latin1"));
  }

  /** The shard of a host whose name is in `memory`. */
  shardOfText(at: number, length: number): number {
    if (this.#shardBits === 0) return 0;
    this.#hasher.hash(this.#shard, at, length);
    return this.#hasher.high >>> (32 - this.#shardBits);
  }

  /** The fingerprint, left in `halves`, of a key that is in `memory`, given its host's shard. */
  fingerprintText(at: number, length: number, shard: number): void {
    this.#hasher.hash(this.#secret, at, length);
    // A shift by 32 is a shift by 0, which is harmless: with a single shard, `shard` is 0.
    const shardPart = shard << (32 - this.#shardBits);
    this.halves[0] = shardPart | (this.#hasher.high >>> this.#shardBits);
    this.halves[1] = this.#hasher.low;
  }
}
