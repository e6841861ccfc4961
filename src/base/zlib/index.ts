/**
 * Compression, step by step and in this thread: from a range of input to a range of output, both
 * the caller's, so that the caller decides how much work a turn does and how much may come out.
 *
 * `zlib-handle.ts` is the one place that knows the handle below Node's streams, for both
 * directions; a `DecompressorPool` keeps those that decode. A `DecodingStage` is what callers
 * drive: `StreamStage` for a bare stream, `GzipStage` for the members of a gzip file, whose frames
 * are read here. Damage is a state and never an exception, and what was decoded before it is kept
 * but for one step.
 *
 * Callers set the limits: `fetch/body` on length, ratio and time, `formats/sitemap` on length.
 * `formats/warc` compresses records.
 *
 * Words of this module:
 * - *stage*: takes one coding off a body, in ranges that its driver chooses
 *
 * Read `decoding-stage.ts` first.
 */
export {
  type DecodingStage,
  type StageOptions,
  type StageState,
  StreamStage,
} from "./decoding-stage.ts";
export { DecompressorPool } from "./decompressor-pool.ts";
export { GzipHeader } from "./gzip-header.ts";
export { GzipStage } from "./gzip-stage.ts";
export { ZlibHandle } from "./zlib-handle.ts";
