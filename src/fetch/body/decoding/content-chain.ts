/**
 * Two decoding stages in a row: the outer coding is removed first, then the inner one. Between them
 * is one small buffer, and the bytes that pass through it are counted: an inner stream may be huge
 * and still decode to nothing.
 */
import type { DecodingStage, StageState } from "../../../base/zlib/index.ts";
import type { ContentCoding } from "./content-codings.ts";
import { looksEncoded, looksLikeText } from "./content-look.ts";

const MIDDLE_BYTES = 16 * 1024;

export interface ChainParts {
  readonly outer: DecodingStage;
  readonly inner: DecodingStage;
  readonly innerCoding: ContentCoding;
  readonly middleBytesMax: number;
}

export class ContentChain implements DecodingStage {
  readonly #outer: DecodingStage;
  readonly #inner: DecodingStage;
  readonly #innerCoding: ContentCoding;
  readonly #middleBytesMax: number;
  readonly #middle = new Uint8Array(MIDDLE_BYTES);
  /** The part of the middle that the inner stage has not taken yet. */
  #from = 0;
  #to = 0;
  #passedBytes = 0;
  #outerState: StageState = "hungry";
  consumedBytes = 0;
  producedBytes = 0;

  /** What the outer coding contained does not look encoded. */
  isInnerMissing = false;

  constructor(parts: ChainParts) {
    this.#outer = parts.outer;
    this.#inner = parts.inner;
    this.#innerCoding = parts.innerCoding;
    this.#middleBytesMax = parts.middleBytesMax;
  }

  run(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number): StageState {
    this.consumedBytes = 0;
    this.producedBytes = 0;
    let state: StageState | null = null;
    while (state === null) {
      const inner = this.#inner.run(
        this.#middle,
        this.#from,
        this.#to,
        output,
        at + this.producedBytes,
      );
      this.#from += this.#inner.consumedBytes;
      this.producedBytes += this.#inner.producedBytes;
      state = inner === "hungry" ? this.#refill(input, from + this.consumedBytes, to) : inner;
    }
    return state;
  }

  isComplete(): boolean {
    const isOuterOver = this.#outerState === "over" || this.#outer.isComplete();
    return isOuterOver && this.#inner.isComplete();
  }

  close(): void {
    this.#outer.close();
    this.#inner.close();
  }

  /** Null when the inner stage has input again. */
  #refill(input: Uint8Array, from: number, to: number): StageState | null {
    if (this.#outerState === "damaged") return "damaged";
    if (this.#outerState === "over") {
      this.consumedBytes += to - from;
      return "hungry";
    }
    this.#outerState = this.#outer.run(input, from, to, this.#middle, 0);
    this.consumedBytes += this.#outer.consumedBytes;
    this.#from = 0;
    this.#to = this.#outer.producedBytes;
    if (this.#passedBytes === 0) this.#look(this.#middle.subarray(0, this.#to));
    this.#passedBytes += this.#to;
    if (this.#passedBytes > this.#middleBytesMax) return "flooded";
    return this.#to === 0 && this.#outerState === "hungry" ? "hungry" : null;
  }

  #look(first: Uint8Array): void {
    if (first.length === 0) return;
    this.isInnerMissing = !looksEncoded(this.#innerCoding, first) || looksLikeText(first);
  }
}
