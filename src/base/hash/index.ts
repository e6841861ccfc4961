/**
 * Hashing: one keyed function, SipHash, and memory to run it in without garbage.
 *
 * Three things are hashed in a crawl: the key of a URL (for its fingerprint, with a key that only
 * the crawl knows), and the host of a URL, twice (for its point on the ring and for its shard, with
 * two public keys, so that every agent of every crawl computes the same). One function with
 * different keys gives independent hashes, so there is only one function.
 *
 * A `SipHasher` owns a piece of memory. Text is written into it once and hashed where it lies;
 * the 64-bit result is read as two unsigned 32-bit halves. Why this function and why WebAssembly:
 * docs/adr/0011.
 *
 * Read `sip-hasher.ts` first; `sip-module.ts` is the function itself, written like the paper.
 */
export { KEY_BYTES, type KeySlot, SipHasher, TEXT_AT } from "./sip-hasher.ts";
export type { SipRounds } from "./sip-module.ts";
