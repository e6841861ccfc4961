/** To be written. */
export { KeyedBlocks } from "./keyed-blocks.ts";
export type { NearEntry, PageId } from "./near-entry.ts";
export type { NearIndex, NearIndexSize, Sighting } from "./near-index.ts";
export type { NearQuery } from "./near-run.ts";
export { type NearIndexOptions, openNearIndex } from "./open-near-index.ts";
export type { PageSink } from "./page-sink.ts";
export { SimHash } from "./sim-hash.ts";
export { StrippedDigest } from "./stripped-digest.ts";
export { type TagNumber, tagNumber, UNKNOWN_TAG } from "./tag-numbers.ts";
