/**
 * Node's decompressors, step by step. bench/content-decoding.ts compares the cost with that of the
 * synchronous functions: for gzip, deflate and brotli some tenths less, for zstd the same.
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

/** The flush that says "no more will come": an unfinished stream is then an error. */
const FINISH: Readonly<Record<CompressionKind, number>> = {
  inflate: constants.Z_FINISH,
  br: constants.BROTLI_OPERATION_FINISH,
  zstd: constants.ZSTD_e_end,
};

const GO_ON = 0;
const NO_BYTES = new Uint8Array(0);
/** Where the end of a stream would go; nothing comes, since all was taken out before. */
const PROBE = new Uint8Array(16);

export class Decompressor {
  readonly kind: CompressionKind;
  readonly #handle: ZlibHandle;

  constructor(kind: CompressionKind) {
    this.kind = kind;
    this.#handle = new ZlibHandle(MAKE[kind]());
  }

  /** What the last `run` took from the input and put into the output. */
  get consumedBytes(): number {
    return this.#handle.consumedBytes;
  }

  get producedBytes(): number {
    return this.#handle.producedBytes;
  }

  /** The input was damaged: nothing can be done with the decompressor afterwards. */
  get isSpent(): boolean {
    return this.#handle.failure !== null;
  }

  /** Decodes what it can; false when the input is damaged. What is produced then is lost. */
  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): boolean {
    return this.#handle.write(GO_ON, input, from, to, output, at);
  }

  /** Whether the stream is at its end; to be asked when there is no more input. */
  isComplete(): boolean {
    return !this.isSpent && this.#handle.write(FINISH[this.kind], NO_BYTES, 0, 0, PROBE, 0);
  }

  /** Makes it ready for another stream. */
  reset(): void {
    this.#handle.reset();
  }

  close(): void {
    this.#handle.close();
  }
}

/** Decompressors at rest: making one for inflate costs more than half of what decoding a page does. */
export class DecompressorPool {
  readonly #restingMax: number;
  readonly #resting: Record<CompressionKind, Decompressor[]> = { inflate: [], br: [], zstd: [] };

  constructor(restingMax = 4) {
    this.#restingMax = restingMax;
  }

  take(kind: CompressionKind): Decompressor {
    return this.#resting[kind].pop() ?? new Decompressor(kind);
  }

  give(used: Decompressor): void {
    const resting = this.#resting[used.kind];
    // One that failed stays failed; one of zstd forgets its limits when it is reset.
    const isSpent = used.isSpent || used.kind === "zstd";
    if (isSpent || resting.length >= this.#restingMax) used.close();
    else {
      used.reset();
      resting.push(used);
    }
  }
}
