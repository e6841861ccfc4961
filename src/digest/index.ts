/** To be written. */
export { KeyedBlocks } from "./keyed-blocks.ts";
export type { PageSink } from "./page-sink.ts";
export { SimHash } from "./sim-hash.ts";
export { StrippedDigest } from "./stripped-digest.ts";
export { TAG_NUMBERS, type TagNumber, tagNumber, UNKNOWN_TAG } from "./tag-numbers.ts";
