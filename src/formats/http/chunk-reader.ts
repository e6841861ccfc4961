/**
 * Removes the chunked coding from a body whose bytes arrive in pieces (RFC 9112, section 7.1).
 * Strict: a size is one to twelve hexadecimal digits and nothing else, lines end with CR LF,
 * extensions and trailers are skipped within limits. A guess at a malformed chunk could turn bytes
 * of a page into the next answer.
 */
import type { AnswerRefusal } from "./answer-refusal.ts";
import { BYTE_KINDS, COLON, CR, hexValue, IN_NAME, IN_VALUE, LF, SEMICOLON } from "./byte-kinds.ts";
import { type ExtensionStep, extensionStep, mayEndAt } from "./chunk-extension.ts";

/** Takes bytes of a body from the buffer that contains them; false asks for a pause. */
export type TakeBody = (bytes: Buffer, from: number, to: number) => boolean;

const SIZE_DIGITS_MAX = 12;
/** Over all chunks of a body. */
const EXTENSION_BYTES_MAX = 16 * 1024;
const TRAILER_BYTES_MAX = 16 * 1024;

/** A recipient that accepted these in a trailer would see a different end. */
const FRAMING_NAMES = /^(?:content-length|transfer-encoding)$/i;

type Step =
  | "size"
  | "extension"
  | "size-end"
  | "bytes"
  | "bytes-end"
  | "bytes-end-2"
  | "trailer"
  | "trailer-name"
  | "trailer-value"
  | "trailer-end"
  | "last-end"
  | "whole";

export class ChunkReader {
  refusal: AnswerRefusal | null = null;
  #step: Step = "size";
  #digits = 0;
  #leftBytes = 0;
  #extensionBytes = 0;
  #trailerBytes = 0;
  #trailerName = "";
  #extension: ExtensionStep = "start";

  begin(): void {
    this.refusal = null;
    this.#step = "size";
    this.#digits = 0;
    this.#leftBytes = 0;
    this.#extensionBytes = 0;
    this.#trailerBytes = 0;
  }

  get isWhole(): boolean {
    return this.#step === "whole";
  }

  /**
   * Returns where it stopped: at the end of the bytes, or earlier if the body ended, was refused or
   * `take` asked for a pause.
   */
  read(bytes: Buffer, from: number, to: number, take: TakeBody): number {
    let at = from;
    while (at < to && this.#step !== "whole") {
      if (this.#step === "bytes") {
        const end = Math.min(to, at + this.#leftBytes);
        this.#leftBytes -= end - at;
        if (this.#leftBytes === 0) this.#step = "bytes-end";
        const continues = take(bytes, at, end);
        at = end;
        if (!continues) return at;
      } else {
        const problem = this.#takeByte(bytes[at] as number);
        if (problem !== null) {
          this.refusal = problem;
          return at;
        }
        at++;
      }
    }
    return at;
  }

  #takeByte(byte: number): AnswerRefusal | null {
    switch (this.#step) {
      case "size":
        return this.#takeSize(byte);
      case "extension":
        return this.#takeExtension(byte);
      case "size-end":
        this.#step = this.#leftBytes === 0 ? "trailer" : "bytes";
        this.#digits = 0;
        return byte === LF ? null : "chunk-size";
      case "bytes-end":
        this.#step = "bytes-end-2";
        return byte === CR ? null : "chunk-end";
      case "bytes-end-2":
        this.#step = "size";
        return byte === LF ? null : "chunk-end";
      default:
        return this.#takeTrailer(byte);
    }
  }

  #takeSize(byte: number): AnswerRefusal | null {
    const digit = hexValue(byte);
    if (digit >= 0) {
      this.#digits++;
      this.#leftBytes = this.#leftBytes * 16 + digit;
      return this.#digits > SIZE_DIGITS_MAX ? "chunk-size" : null;
    }
    if (this.#digits === 0) return "chunk-size";
    if (byte === CR) this.#step = "size-end";
    else if (byte === SEMICOLON) {
      this.#step = "extension";
      this.#extension = "start";
    } else return "chunk-size";
    return null;
  }

  #takeExtension(byte: number): AnswerRefusal | null {
    if (byte === CR && mayEndAt(this.#extension)) {
      this.#step = "size-end";
      return null;
    }
    this.#extensionBytes++;
    const next = extensionStep(this.#extension, byte);
    if (next === null || this.#extensionBytes > EXTENSION_BYTES_MAX) return "chunk-extension";
    this.#extension = next;
    return null;
  }

  /** Trailers have the form of headers; nothing in them is used. */
  #takeTrailer(byte: number): AnswerRefusal | null {
    this.#trailerBytes++;
    if (this.#trailerBytes > TRAILER_BYTES_MAX) return "trailer";
    const kind = BYTE_KINDS[byte] as number;
    switch (this.#step) {
      case "trailer":
        this.#step = byte === CR ? "last-end" : "trailer-name";
        this.#trailerName = String.fromCharCode(byte);
        return byte === CR || (kind & IN_NAME) !== 0 ? null : "trailer";
      case "trailer-name":
        if (byte === COLON) {
          this.#step = "trailer-value";
          return FRAMING_NAMES.test(this.#trailerName) ? "trailer" : null;
        }
        this.#trailerName += String.fromCharCode(byte);
        return (kind & IN_NAME) !== 0 ? null : "trailer";
      case "trailer-value":
        if (byte === CR) this.#step = "trailer-end";
        return byte === CR || (kind & IN_VALUE) !== 0 ? null : "trailer";
      case "trailer-end":
        this.#step = "trailer";
        return byte === LF ? null : "trailer";
      default:
        this.#step = "whole";
        return byte === LF ? null : "trailer";
    }
  }
}
