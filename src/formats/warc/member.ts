/**
 * Takes one compressed piece (a gzip member or a zstd frame) off the front of a window of bytes.
 * It never throws: broken bytes give `damaged`, a window that ends too soon gives `short`.
 */
import { constants, crc32, inflateRawSync, zstdDecompressSync } from "node:zlib";
import { GzipHeader } from "../../base/zlib/index.ts";

export type Member =
  | { readonly kind: "whole"; readonly content: Uint8Array; readonly lengthBytes: number }
  /** The window ends inside the member. */
  | { readonly kind: "short" }
  | {
      readonly kind: "damaged";
      readonly reason: string;
      /** Only the size is wrong. */
      readonly tooLarge?: boolean;
    };

const GZIP_TRAILER_BYTES = 8;
const ZSTD_MAGIC = 0xfd2fb528;

export function isGzip(window: Uint8Array): boolean {
  return window[0] === 0x1f && window[1] === 0x8b;
}

export function isZstd(window: Uint8Array): boolean {
  return window.length >= 4 && (uint32(window, 0) === ZSTD_MAGIC || isSkippable(window));
}

/** `contentBytesMax` guards against bombs: more content than that is damage. */
export function takeGzipMember(window: Uint8Array, contentBytesMax: number): Member {
  const start = gzipHeaderBytes(window);
  if (start === "short") return { kind: "short" };
  if (start === "bad") return { kind: "damaged", reason: "the gzip header is broken" };
  const inflated = inflate(window.subarray(start), contentBytesMax);
  if ("reason" in inflated) return { kind: "damaged", ...inflated };
  const end = start + inflated.usedBytes;
  // A finished stream is always followed by its trailer, so fewer bytes left means "not finished".
  if (window.length < end + GZIP_TRAILER_BYTES) return { kind: "short" };
  if (uint32(window, end) !== crc32(inflated.content)) {
    return { kind: "damaged", reason: "the gzip checksum does not match the content" };
  }
  return {
    kind: "whole",
    content: inflated.content,
    lengthBytes: end + GZIP_TRAILER_BYTES,
  };
}

interface Inflated {
  readonly content: Uint8Array;
  readonly usedBytes: number;
}

interface Refusal {
  readonly reason: string;
  readonly tooLarge: boolean;
}

/** The result with `info: true`, which the type definitions of Node lack. */
interface InflateAnswer {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function inflate(bytes: Uint8Array, contentBytesMax: number): Inflated | Refusal {
  try {
    const answer: unknown = inflateRawSync(bytes, {
      info: true,
      maxOutputLength: contentBytesMax,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    const { buffer, engine } = answer as InflateAnswer;
    return { content: buffer, usedBytes: engine.bytesWritten };
  } catch (error) {
    const tooLarge =
      error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return tooLarge
      ? { reason: `its content is larger than ${contentBytesMax} bytes`, tooLarge }
      : { reason: "its compressed bytes are broken", tooLarge };
  }
}

/** Length of the gzip header in front of the deflate stream. */
function gzipHeaderBytes(window: Uint8Array): number | "short" | "bad" {
  const header = new GzipHeader();
  for (let at = 0; at + 1 < window.length; at += 1) {
    const found = header.push(window[at] as number);
    if (found === "whole") return at + 1;
    if (found === "bad") return "bad";
  }
  return "short";
}

/** The block headers tell the length of a frame (RFC 8878), so nothing is decompressed in vain. */
export function takeZstdFrame(window: Uint8Array, contentBytesMax: number): Member {
  const lengthBytes = zstdFrameBytes(window);
  if (lengthBytes === "bad") return { kind: "damaged", reason: "the zstd frame is broken" };
  if (lengthBytes === "short" || lengthBytes > window.length) return { kind: "short" };
  if (isSkippable(window)) return { kind: "whole", content: new Uint8Array(0), lengthBytes };
  try {
    const content = zstdDecompressSync(window.subarray(0, lengthBytes), {
      maxOutputLength: contentBytesMax,
    });
    return { kind: "whole", content, lengthBytes };
  } catch {
    return { kind: "damaged", reason: "its compressed bytes are broken" };
  }
}

function zstdFrameBytes(window: Uint8Array): number | "short" | "bad" {
  if (window.length < 9) return "short";
  if (isSkippable(window)) return 8 + uint32(window, 4);
  if (uint32(window, 0) !== ZSTD_MAGIC) return "bad";
  const descriptor = window[4] ?? 0;
  const singleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6] ?? 0;
  let at = 5 + (singleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  for (;;) {
    if (at + 3 > window.length) return "short";
    const header = (window[at] ?? 0) | ((window[at + 1] ?? 0) << 8) | ((window[at + 2] ?? 0) << 16);
    const type = (header >>> 1) & 3;
    if (type === 3) return "bad";
    at += 3 + (type === 1 ? 1 : header >>> 3);
    if ((header & 1) === 1) return at + ((descriptor & 4) !== 0 ? 4 : 0);
  }
}

function isSkippable(window: Uint8Array): boolean {
  return (uint32(window, 0) & 0xfffffff0) >>> 0 === 0x184d2a50;
}

function uint32(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return (low | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
}
