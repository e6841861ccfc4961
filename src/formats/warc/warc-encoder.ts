/**
 * Turns records into bytes of a WARC file: head, block, two line ends; then compressed as one gzip
 * member, or one zstd frame, for each record, so that any record can be read by its offset alone.
 *
 * The encoder does not write: it returns the bytes to append. Lengths are counted from the bytes
 * that are written, never taken from elsewhere.
 */
import assert from "node:assert/strict";
import { constants, zstdCompressSync } from "node:zlib";
import { CrawlError, type NoteFault } from "../../base/errors/index.ts";
import { isoDate } from "./capture.ts";
import { fieldValue } from "./fields.ts";
import { GZIP_LEVEL, GzipEngine } from "./gzip-engine.ts";
import { sha1Digest } from "./payload-digest.ts";
import type { WarcRecord } from "./warc-record.ts";

export type WarcCompression = "gzip" | "zstd" | "none";

export interface WarcEncoderOptions {
  readonly compression: WarcCompression;
  /** Effort; null for the default, which was measured for each compression. */
  readonly level: number | null;
}

const ZSTD_LEVEL = 3;

/** The effort that `options` ask for; see docs/adr/0018 and, for gzip by the kernel, 0070. */
export function levelOf(options: WarcEncoderOptions): number {
  return options.level ?? (options.compression === "zstd" ? ZSTD_LEVEL : GZIP_LEVEL);
}

/** Larger records get their own buffer instead of growing the shared one for good. */
const SCRATCH_BYTES_MAX = 4 * 1024 * 1024;

export class WarcEncoder {
  readonly #compression: WarcCompression;
  readonly #level: number;
  readonly #gzip: GzipEngine | null;
  readonly #noteFault: NoteFault;
  /** Head, block and line ends are joined here; it is reused from record to record. */
  #scratch: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

  constructor(options: WarcEncoderOptions, noteFault: NoteFault = () => {}) {
    this.#compression = options.compression;
    this.#level = levelOf(options);
    this.#noteFault = noteFault;
    this.#gzip = options.compression === "gzip" ? new GzipEngine(options.level) : null;
  }

  /**
   * The bytes to append, in the encoder's memory, valid until its next record: the caller copies
   * them anyway, and fresh memory for each record took some 10 µs more.
   */
  encode(record: WarcRecord): Uint8Array {
    const blockBytes = lengthOf(record.block);
    const hasDigest = !this.#isCheckedAlready(record);
    const head = headText(record, blockBytes, hasDigest ? DIGEST_BLANK : null);
    // Worst case of UTF-8 for text held in UTF-16: three bytes a unit.
    const whole = this.#buffer(head.length * 3 + blockBytes + 4);
    const blockAt = whole.write(head, 0, "utf8");
    let at = blockAt;
    for (const piece of record.block) {
      whole.set(piece, at);
      at += piece.length;
    }
    // The pieces are joined only here, so the digest is computed here and written over its blank.
    if (hasDigest) {
      whole.write(sha1Digest(whole.subarray(blockAt, at)), blockAt - DIGEST_FROM_END, "latin1");
    }
    whole.write("\r\n\r\n", at, "latin1");
    const packed = this.#compressed(whole.subarray(0, at + 4));
    const thrown = this.#gzip?.thrown ?? null;
    if (thrown !== null) this.#noteTrap(thrown, record);
    return packed;
  }

  /**
   * A response states the digest of its body, and what is compressed ends with a checksum of it
   * all: a second SHA-1 over the same bytes would cost a tenth of writing the record and find
   * nothing.
   */
  #isCheckedAlready({ type, fields }: WarcRecord): boolean {
    if (type !== "response" || this.#compression === "none") return false;
    return fields.some(([name]) => name === "WARC-Payload-Digest");
  }

  #compressed(bytes: Buffer): Uint8Array {
    switch (this.#compression) {
      case "gzip":
        assert(this.#gzip !== null, "an encoder for gzip has its engine");
        return this.#gzip.pack(bytes);
      case "zstd":
        return zstdCompressSync(bytes, {
          params: {
            [constants.ZSTD_c_compressionLevel]: this.#level,
            [constants.ZSTD_c_checksumFlag]: 1,
          },
        });
      case "none":
        return bytes;
    }
  }

  #noteTrap(thrown: unknown, { type, fields }: WarcRecord): void {
    const url = fields.find(([name]) => name === "WARC-Target-URI")?.[1] ?? `a ${type} record`;
    const why = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    const message =
      `A kernel failed while the record of ${url} was compressed: ${why}. zlib compressed it ` +
      "instead, so nothing is lost; please report the entry of logs/faults.log.";
    this.#noteFault(new CrawlError("INTERNAL_KERNEL", message, { url }, thrown), url);
  }

  #buffer(bytes: number): Buffer {
    if (bytes <= this.#scratch.length) return this.#scratch;
    const grown = Buffer.allocUnsafeSlow(bytes + (bytes >>> 2));
    if (grown.length <= SCRATCH_BYTES_MAX) this.#scratch = grown;
    return grown;
  }
}

/** As long as every SHA-1 digest, so that the block can be digested after the head is written. */
const DIGEST_BLANK = " ".repeat("sha1:".length + 32);
const HEAD_END = "\r\n\r\n";
const DIGEST_FROM_END = DIGEST_BLANK.length + HEAD_END.length;

/** The head of a record with the empty line; without a digest of the block if that is null. */
export function headText(
  record: Omit<WarcRecord, "block">,
  blockBytes: number,
  blockDigest: string | null,
): string {
  let text = `WARC/1.1\r\nWARC-Type: ${record.type}\r\nWARC-Record-ID: <${record.id}>\r\n`;
  text += `WARC-Date: ${isoDate(record.dateMs)}\r\n`;
  for (const [name, value] of record.fields) text += `${name}: ${fieldValue(value)}\r\n`;
  text += `Content-Length: ${blockBytes}`;
  if (blockDigest !== null) text += `\r\nWARC-Block-Digest: ${blockDigest}`;
  return text + HEAD_END;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const piece of pieces) bytes += piece.length;
  return bytes;
}
