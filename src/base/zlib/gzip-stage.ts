/**
 * gzip (RFC 1952): members one after another, each with a header, a deflated stream and a checksum.
 * We read the frame ourselves, so that a wrong checksum is reported but costs no content, and what
 * follows the last member is ignored, as browsers and `gzip` do.
 */
import { crc32 } from "node:zlib";
import {
  type DecodingStage,
  type StageOptions,
  type StageState,
  StreamStage,
} from "./decoding-stage.ts";
import { GzipHeader } from "./gzip-header.ts";

const GZIP_TRAILER_BYTES = 8;

export class GzipStage implements DecodingStage {
  readonly #body: StreamStage;
  readonly #isChecked: boolean;
  readonly #header = new GzipHeader();
  #part: "header" | "body" | "trailer" = "header";
  #members = 0;
  #checksum = 0;
  #trailerBytes = 0;
  #trailerChecksum = 0;
  consumedBytes = 0;
  producedBytes = 0;

  /** With `checksums` ignored, a member is whole when its frame is. */
  constructor(options: StageOptions, checksums: "compared" | "ignored" = "compared") {
    this.#body = new StreamStage("inflate", options);
    this.#isChecked = checksums === "compared";
  }

  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): StageState {
    this.consumedBytes = 0;
    this.producedBytes = 0;
    let state: StageState | null = null;
    while (state === null) {
      const inputAt = from + this.consumedBytes;
      if (this.#part === "body") {
        state = this.#readBody(input, inputAt, to, output, at + this.producedBytes);
      } else if (inputAt === to) state = "hungry";
      else if (this.#part === "header") state = this.#readHeader(input[inputAt] ?? 0);
      else state = this.#readTrailer(input[inputAt] ?? 0);
    }
    return state;
  }

  isComplete(): boolean {
    return this.#part === "header" && this.#header.isAtStart && this.#members > 0;
  }

  close(): void {
    this.#body.close();
  }

  #readHeader(byte: number): StageState | null {
    const found = this.#header.push(byte);
    if (found === "bad") return this.#members === 0 ? "damaged" : "over";
    this.consumedBytes += 1;
    if (found === "whole") {
      this.#part = "body";
      this.#checksum = 0;
    }
    return null;
  }

  #readBody(
    input: Uint8Array,
    from: number,
    to: number,
    output: Uint8Array,
    at: number,
  ): StageState | null {
    const body = this.#body;
    const state = body.run(input, from, to, output, at);
    this.consumedBytes += body.consumedBytes;
    this.producedBytes += body.producedBytes;
    if (this.#isChecked && body.producedBytes > 0) {
      this.#checksum = crc32(output.subarray(at, at + body.producedBytes), this.#checksum);
    }
    if (state !== "over") return state;
    this.#part = "trailer";
    this.#trailerBytes = 0;
    this.#trailerChecksum = 0;
    return null;
  }

  /** Four bytes of checksum, four of length; the length adds nothing and is not checked. */
  #readTrailer(byte: number): StageState | null {
    if (this.#trailerBytes < 4) {
      this.#trailerChecksum = (this.#trailerChecksum | (byte << (8 * this.#trailerBytes))) >>> 0;
    }
    this.consumedBytes += 1;
    this.#trailerBytes += 1;
    if (this.#trailerBytes < GZIP_TRAILER_BYTES) return null;
    if (this.#isChecked && this.#trailerChecksum !== this.#checksum) return "damaged";
    this.#members += 1;
    this.#part = "header";
    this.#header.restart();
    this.#body.reset();
    return null;
  }
}
