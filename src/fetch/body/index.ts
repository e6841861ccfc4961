/**
 * Bodies: where the bytes of an answer go, and how they are decoded.
 *
 * Bytes go to a *spool* (`body-sink.ts` is the contract): pooled memory up to a budget, temporary
 * files for the rest, so that slow and large answers cannot use up the memory. A body is kept as it
 * was received, because that is what is archived; `ContentDecoder` (folder `decoding`) makes the
 * decoded body from it, within limits that stop decompression bombs.
 *
 * Words of this module:
 * - *content coding*: how a server compressed a body: gzip, deflate, br or zstd, at most two of
 *   them
 * - *piece*: a stretch of pooled memory, of one of a few sizes
 * - *spooled body*: a body that is on disk and is read in pieces
 *
 * Read `spooled-body.ts` first, then `decoding/content-decoder.ts`; docs/adr/0024 has the reasons.
 */
export type { BodySink, BodySpool } from "./body-sink.ts";
export { openSpool, PooledSpool } from "./body-spool.ts";
export { ContentDecoder } from "./decoding/content-decoder.ts";
export {
  DECODING_LIMITS,
  type DecodedContent,
  type DecodingLimits,
} from "./decoding/content-limits.ts";
