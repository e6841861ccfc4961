/**
 * A stage of decoding: bytes of one coding in, bytes out, in ranges that the caller chooses. Stages
 * hold no input and no output of their own, so whoever drives them decides how much happens in one
 * turn and how much may come out.
 */
import { crc32 } from "node:zlib";
import type { ContentCoding } from "./content-codings.ts";
import type { ContentEngine, EngineKind, EnginePool } from "./content-engine.ts";
import { GzipHeader } from "./content-gzip-header.ts";

/**
 * `hungry`: all input was taken. `full`: there is no room left in the output, and more may come
 * without more input. `over`: the content is complete, whatever input may follow. `damaged`: the
 * input makes no sense from here on. `flooded`: more came out half-way than may.
 */
export type StageState = "hungry" | "full" | "over" | "damaged" | "flooded";

export interface ContentStage {
  /** What the last `run` took from the input and put into the output. */
  readonly consumedBytes: number;
  readonly producedBytes: number;

  /**
   * Goes on until one of the states is reached. Two ranges as five plain numbers and arrays: this is
   * called for every page and every step, and an object or a view for each call would show.
   */
  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): StageState;

  /** No more input will come, and the last state was `hungry`: true if the content is complete. */
  isComplete(): boolean;

  close(): void;
}

export interface StageOptions {
  readonly engines: EnginePool;
  /** The decoders get the input in steps of this: when one fails, only its step is lost. */
  readonly stepBytes: number;
}

export function makeStage(coding: ContentCoding, options: StageOptions): ContentStage {
  switch (coding) {
    case "gzip":
      return new GzipStage(options);
    case "deflate":
      return new DeflateStage(options);
    case "br":
    case "zstd":
      return new PlainStage(coding, options);
  }
}

/** Where the end of a stream would go; nothing comes, since all was taken out before. */
const PROBE = new Uint8Array(16);

/** One compressed stream without anything around it. */
class PlainStage implements ContentStage {
  readonly #engines: EnginePool;
  readonly #engine: ContentEngine;
  readonly #stepBytes: number;
  consumedBytes = 0;
  producedBytes = 0;

  constructor(kind: EngineKind, options: StageOptions) {
    this.#engines = options.engines;
    this.#engine = options.engines.take(kind);
    this.#stepBytes = options.stepBytes;
  }

  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): StageState {
    const engine = this.#engine;
    let inputAt = from;
    let outputAt = at;
    let state: StageState | null = null;
    while (state === null) {
      const stepTo = Math.min(to, inputAt + this.#stepBytes);
      const isWell = engine.run(input, inputAt, stepTo, output, outputAt);
      const isStill = engine.consumedBytes + engine.producedBytes === 0;
      inputAt += engine.consumedBytes;
      outputAt += engine.producedBytes;
      if (!isWell) state = "damaged";
      else if (outputAt === output.length) state = "full";
      else if (inputAt === to) state = "hungry";
      // There is input and room, and yet nothing happens: the stream has ended.
      else if (isStill) state = "over";
    }
    this.consumedBytes = inputAt - from;
    this.producedBytes = outputAt - at;
    return state;
  }

  isComplete(): boolean {
    return this.#engine.isComplete(PROBE);
  }

  /** Another stream follows. */
  reset(): void {
    this.#engine.reset();
  }

  close(): void {
    this.#engines.give(this.#engine);
  }
}

const GZIP_TRAILER_BYTES = 8;

/**
 * gzip: members one after another, each with a header, a deflated stream and a checksum. We read
 * the frame ourselves, so that a wrong checksum is told but costs no content. What follows the last
 * member is ignored, as browsers and `gzip` do.
 */
class GzipStage implements ContentStage {
  readonly #body: PlainStage;
  readonly #header = new GzipHeader();
  #part: "header" | "body" | "trailer" = "header";
  #members = 0;
  #checksum = 0;
  #trailerBytes = 0;
  #trailerChecksum = 0;
  consumedBytes = 0;
  producedBytes = 0;

  constructor(options: StageOptions) {
    this.#body = new PlainStage("inflate", options);
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
    if (body.producedBytes > 0) {
      this.#checksum = crc32(output.subarray(at, at + body.producedBytes), this.#checksum);
    }
    if (state !== "over") return state;
    this.#part = "trailer";
    this.#trailerBytes = 0;
    this.#trailerChecksum = 0;
    return null;
  }

  /** Four bytes of checksum, four of length; the length says nothing new. */
  #readTrailer(byte: number): StageState | null {
    if (this.#trailerBytes < 4) {
      this.#trailerChecksum = (this.#trailerChecksum | (byte << (8 * this.#trailerBytes))) >>> 0;
    }
    this.consumedBytes += 1;
    this.#trailerBytes += 1;
    if (this.#trailerBytes < GZIP_TRAILER_BYTES) return null;
    if (this.#trailerChecksum !== this.#checksum) return "damaged";
    this.#members += 1;
    this.#part = "header";
    this.#header.restart();
    this.#body.reset();
    return null;
  }
}

/**
 * "deflate" is zlib's format by the standard, and a bare deflated stream by many servers. A bare
 * stream never begins as zlib's does: it would be a stored block whose padding is not zero.
 */
class DeflateStage implements ContentStage {
  readonly #body: PlainStage;
  /** Bytes of zlib's header still to be skipped; null until the first byte was looked at. */
  #toSkip: number | null = null;
  consumedBytes = 0;
  producedBytes = 0;

  constructor(options: StageOptions) {
    this.#body = new PlainStage("inflate", options);
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
