/** Makes the decoding stage of a content coding; the one for "deflate" is defined here. */
import {
  type DecodingStage,
  GzipStage,
  type StageOptions,
  type StageState,
  StreamStage,
} from "../../../base/zlib/index.ts";
import type { ContentCoding } from "./content-codings.ts";

export function makeStage(coding: ContentCoding, options: StageOptions): DecodingStage {
  switch (coding) {
    case "gzip":
      return new GzipStage(options);
    case "deflate":
      return new DeflateStage(options);
    case "br":
    case "zstd":
      return new StreamStage(coding, options);
  }
}

/**
 * "deflate" means zlib's format in the standard, but a raw deflate stream to many servers. A raw
 * stream never begins like zlib's: that would be a stored block whose padding is not zero.
 */
class DeflateStage implements DecodingStage {
  readonly #body: StreamStage;
  /** Bytes of zlib's header still to be skipped; null until the first byte is known. */
  #toSkip: number | null = null;
  consumedBytes = 0;
  producedBytes = 0;

  constructor(options: StageOptions) {
    this.#body = new StreamStage("inflate", options);
  }

  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): StageState {
    this.consumedBytes = 0;
    this.producedBytes = 0;
    if (from === to && this.#toSkip === null) return "hungry";
    this.#toSkip ??= ((input[from] ?? 0) & 0x0f) === 8 ? 2 : 0;
    const skipped = Math.min(this.#toSkip, to - from);
    this.#toSkip -= skipped;
    const state = this.#body.run(input, from + skipped, to, output, at);
    this.consumedBytes = skipped + this.#body.consumedBytes;
    this.producedBytes = this.#body.producedBytes;
    return state;
  }

  isComplete(): boolean {
    return this.#body.isComplete();
  }

  close(): void {
    this.#body.close();
  }
}
