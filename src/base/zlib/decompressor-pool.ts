/**
 * Node's decompressors, kept for the next stream: making one for inflate costs more than half of
 * what decoding a page does. bench/content-decoding.ts compares decoding step by step with the
 * synchronous functions: for gzip, deflate and brotli it costs some tenths less, for zstd the same.
 */
import {
  constants,
  createBrotliDecompress,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { ZlibHandle } from "./zlib-handle.ts";

export type CompressionKind = "inflate" | "br" | "zstd";

/** A frame of zstd that wants a longer window than this is refused (RFC 9659). */
const ZSTD_WINDOW_LOG_MAX = 23;

const MAKE: Readonly<Record<CompressionKind, () => unknown>> = {
  inflate: createInflateRaw,
  br: createBrotliDecompress,
  zstd: () =>
    createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } }),
};

export class DecompressorPool {
  readonly #idleMax: number;
  readonly #idle: Record<CompressionKind, ZlibHandle[]> = { inflate: [], br: [], zstd: [] };

  constructor(idleMax = 4) {
    this.#idleMax = idleMax;
  }

  take(kind: CompressionKind): ZlibHandle {
    return this.#idle[kind].pop() ?? new ZlibHandle(MAKE[kind]());
  }

  give(kind: CompressionKind, used: ZlibHandle): void {
    const idle = this.#idle[kind];
    // One that failed stays failed; one of zstd forgets its limits when it is reset.
    const isSpent = used.failure !== null || kind === "zstd";
    if (isSpent || idle.length >= this.#idleMax) used.close();
    else {
      used.reset();
      idle.push(used);
    }
  }
}
