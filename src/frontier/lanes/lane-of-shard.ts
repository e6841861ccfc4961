/**
 * Which lane of an agent owns a shard. Lanes own contiguous ranges of shards, as equal as whole shards
 * allow, and a fingerprint begins with its shard: what is sorted by fingerprint splits into lanes by
 * range, also when the next run has another number of lanes.
 */
import assert from "node:assert/strict";

/** From 0 to `lanes` - 1. A lane without a shard would have nothing to do. */
export function laneOfShard(shard: number, shards: number, lanes: number): number {
  assert(lanes >= 1 && lanes <= shards, "every lane has a shard");
  return Math.floor((shard * lanes) / shards);
}

/** The shard with which a fingerprint begins; `shards` is a power of two. */
export function shardOfFingerprint(high: number, shards: number): number {
  const bits = Math.log2(shards);
  return bits === 0 ? 0 : high >>> (32 - bits);
}

export function laneOfFingerprint(high: number, shards: number, lanes: number): number {
  return laneOfShard(shardOfFingerprint(high, shards), shards, lanes);
}
