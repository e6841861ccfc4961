/**
 * Lanes: which part of an agent's hosts a lane owns. A host belongs to a shard by its hash, and a shard
 * to a lane by its place in the row of shards, decided at every start. Read `lane-of-shard.ts` first.
 */
export { laneOfFingerprint } from "./lane-of-shard.ts";
