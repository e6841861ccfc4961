/**
 * A record whose block arrives in pieces, for bodies that are not held in memory: its bytes are
 * made piece by piece, and together they are one gzip member or zstd frame like any other.
 *
 * A deflate stream that was flushed ends at a whole byte and may be followed by the blocks of
 * another one; so each piece is compressed by itself, and one checksum over all of them closes the
 * member. Zstandard's blocks refer to those before them and cannot be joined like that: there the
 * pieces are stored in a frame as they are. Length and digest of the block must be known in
 * advance, since they are written before it; `last` asserts that the length was right.
 */
import assert from "node:assert/strict";
import { constants, crc32, deflateRawSync } from "node:zlib";
import {
  headText,
  levelOf,
  type WarcCompression,
  type WarcEncoderOptions,
} from "./warc-encoder.ts";
import type { WarcRecord } from "./warc-record.ts";

export interface StreamedBlock {
  readonly bytes: number;
  /** `sha1:…` of the whole block. */
  readonly digest: string;
}

const GZIP_HEAD: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** Magic number, no checksum, no content size, a window of 128 KiB (RFC 8878). */
const ZSTD_HEAD: Uint8Array = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38);
const ZSTD_BLOCK_BYTES_MAX = 128 * 1024;
const RECORD_END: Uint8Array = Buffer.from("\r\n\r\n", "latin1");

export class StreamedRecord {
  readonly #compression: WarcCompression;
  readonly #level: number;
  readonly #head: Uint8Array;
  #leftBytes: number;
  #checksum = 0;
  #contentBytes = 0;

  constructor(
    options: WarcEncoderOptions,
    record: Omit<WarcRecord, "block">,
    block: StreamedBlock,
  ) {
    this.#compression = options.compression;
    this.#level = levelOf(options);
    this.#head = Buffer.from(headText(record, block.bytes, block.digest), "utf8");
    this.#leftBytes = block.bytes;
  }

  /** The first bytes to append: the record's head. */
  first(): Uint8Array {
    const packed = this.#pack(this.#head);
    if (this.#compression === "gzip") return Buffer.concat([GZIP_HEAD, packed]);
    return this.#compression === "zstd" ? Buffer.concat([ZSTD_HEAD, packed]) : packed;
  }

  /** The bytes to append for the next piece of the block. */
  piece(bytes: Uint8Array): Uint8Array {
    this.#leftBytes -= bytes.length;
    assert(this.#leftBytes >= 0, "a block is not longer than its record says");
    return this.#pack(bytes);
  }

  /** The bytes that end the record. */
  last(): Uint8Array {
    assert(this.#leftBytes === 0, "a block is not shorter than its record says");
    const packed = this.#pack(RECORD_END);
    if (this.#compression === "none") return packed;
    if (this.#compression === "zstd") return Buffer.concat([packed, zstdBlockHead(0, true)]);
    const end = deflateRawSync(new Uint8Array(0));
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#checksum, 0);
    trailer.writeUInt32LE(this.#contentBytes % 2 ** 32, 4);
    return Buffer.concat([packed, end, trailer]);
  }

  #pack(bytes: Uint8Array): Uint8Array {
    switch (this.#compression) {
      case "gzip":
        this.#checksum = crc32(bytes, this.#checksum);
        this.#contentBytes += bytes.length;
        return deflateRawSync(bytes, {
          level: this.#level,
          finishFlush: constants.Z_SYNC_FLUSH,
        });
      case "zstd":
        return zstdRawBlocks(bytes);
      case "none":
        return bytes;
    }
  }
}

function zstdRawBlocks(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += ZSTD_BLOCK_BYTES_MAX) {
    const part = bytes.subarray(at, at + ZSTD_BLOCK_BYTES_MAX);
    parts.push(zstdBlockHead(part.length, false), part);
  }
  return Buffer.concat(parts);
}

/** Three bytes: whether it is the last block, type 0 (stored), and the length. */
function zstdBlockHead(bytes: number, isLast: boolean): Uint8Array {
  const word = (bytes << 3) | (isLast ? 1 : 0);
  return Uint8Array.of(word & 0xff, (word >>> 8) & 0xff, word >>> 16);
}
