/**
 * gzip (RFC 1952), decoded as the bytes come: one member after another, whatever follows the last
 * one ignored. Checksums are not compared: a sitemap with a wrong one is still worth reading.
 */
import { BitSource } from "./bit-source.ts";
import { Inflate } from "./inflate.ts";

/** A name or comment longer than this is nonsense. */
const HEADER_BYTES_MAX = 4096;
const TRAILER_BYTES = 8;

const FLAG_CHECKSUM = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

export class Gunzip {
  readonly #source = new BitSource();
  readonly #inflate: Inflate;
  #part: "header" | "body" | "trailer" | "over" = "header";
  #members = 0;
  /** The data end before they should, or make no sense from some position on. */
  damaged = false;

  /** Bytes given to `emit` are overwritten later; it returns false when it wants no more. */
  constructor(emit: (bytes: Uint8Array) => boolean) {
    this.#inflate = new Inflate(this.#source, (bytes) => {
      if (this.#part !== "over" && !emit(bytes)) this.#part = "over";
      return this.#part !== "over";
    });
  }

  /** False when no more input is wanted. */
  push(chunk: Uint8Array): boolean {
    if (this.#part === "over") return false;
    this.#source.add(chunk);
    this.#run();
    this.#source.settle();
    return this.#isGoing();
  }

  end(): void {
    this.#source.ended = true;
    this.#run();
    this.#part = "over";
  }

  #isGoing(): boolean {
    return this.#part !== "over";
  }

  #run(): void {
    let going = true;
    while (going && this.#isGoing()) {
      if (this.#part === "header") going = this.#readHeader();
      else if (this.#part === "body") going = this.#readBody();
      else going = this.#skipTrailer();
    }
  }

  #readBody(): boolean {
    const state = this.#inflate.run();
    if (!this.#isGoing()) return false;
    if (state === "damaged") this.#fail();
    if (state === "end") {
      this.#source.align();
      this.#part = "trailer";
    }
    return state === "end";
  }

  #skipTrailer(): boolean {
    this.#source.keepPosition();
    const trailer = this.#source.takeBytes(TRAILER_BYTES);
    if (trailer.length === TRAILER_BYTES) this.#part = "header";
    else if (this.#source.ended) this.#fail();
    else this.#source.goBack();
    return this.#part === "header";
  }

  #readHeader(): boolean {
    this.#source.keepPosition();
    const bytes = this.#source.takeBytes(HEADER_BYTES_MAX);
    const length = headerLength(bytes);
    this.#source.goBack();
    if (length === "wait" && bytes.length < HEADER_BYTES_MAX && !this.#source.ended) return false;
    if (typeof length === "number") {
      this.#source.takeBytes(length);
      this.#members += 1;
      this.#inflate.start();
      this.#part = "body";
      return true;
    }
    // Behind a whole member anything may follow, zeros for example.
    if (this.#members === 0) this.#fail();
    this.#part = "over";
    return false;
  }

  #fail(): void {
    this.damaged = true;
    this.#part = "over";
  }
}

/** The length of the header at the beginning, `wait` while it is not all there, or `none`. */
function headerLength(bytes: Uint8Array): number | "wait" | "none" {
  if (bytes.length > 0 && bytes[0] !== 0x1f) return "none";
  if (bytes.length > 1 && bytes[1] !== 0x8b) return "none";
  if (bytes.length > 2 && bytes[2] !== 8) return "none";
  if (bytes.length < 10) return "wait";
  const flags = bytes[3] as number;
  let at = 10;
  if (flags & FLAG_EXTRA) at += 2 + ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end === -1) return "wait";
    at = end + 1;
  }
  if (flags & FLAG_CHECKSUM) at += 2;
  return at <= bytes.length ? at : "wait";
}
