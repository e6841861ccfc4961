/**
 * WARC: the archive format. This module knows records and bytes; it knows nothing of crawling and
 * touches no file.
 *
 * Writing: `capture.ts` makes the records of one exchange (request, response or revisit, metadata)
 * from what was fetched, truthfully about lengths and encodings; `WarcEncoder` turns each into the
 * bytes to append, one gzip member or zstd frame per record, so a record can be read by its offset.
 * `StreamedRecord` does the same, piece by piece, for a block that is too large for memory.
 *
 * Reading: `RecordScanner` takes bytes as they arrive and reports records and damage in order; it
 * reads WARC and ARC, compressed or not, and goes on after damage. To read a record by its offset,
 * start a scanner with the bytes from there.
 *
 * Read `warc-record.ts` first, then `capture.ts`.
 */
export {
  type Capture,
  contentRecord,
  metadataRecord,
  requestRecord,
  responseHeadRecord,
  responseRecord,
  revisitRecord,
  type Truncation,
  warcinfoRecord,
} from "./capture.ts";
export { cdxjEntry, cdxjLine, compareCdxj } from "./cdxj.ts";
export type { Field } from "./fields.ts";
export { type HttpMessage, parseHttpBlock, responseHeadBytes } from "./http-block.ts";
export { digestBytes, digestText, sha1, sha1Digest } from "./payload-digest.ts";
export { RecordScanner, type ScanStep } from "./record-scanner.ts";
export { verifyRecord } from "./record-verdict.ts";
export { StreamedRecord } from "./streamed-record.ts";
export { type WarcCompression, WarcEncoder, type WarcEncoderOptions } from "./warc-encoder.ts";
export { type ReadRecord, recordId, type WarcRecord } from "./warc-record.ts";
