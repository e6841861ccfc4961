/**
 * The header of a gzip member (RFC 1952), read byte by byte, since any of its parts may be cut in
 * two by the end of a buffer. Names and comments are skipped, however long they are: the caller
 * limits the bytes.
 */
const FLAG_CHECKSUM = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;
const FLAGS_RESERVED = 0xe0;

const FIXED_BYTES = 10;
const METHOD_DEFLATE = 8;

type Part = "fixed" | "extra-length" | "extra" | "name" | "comment" | "checksum";

/** The parts that may follow the fixed one, in their order, each with its flag. */
const PARTS: readonly (readonly [Part, number])[] = [
  ["extra-length", FLAG_EXTRA],
  ["extra", FLAG_EXTRA],
  ["name", FLAG_NAME],
  ["comment", FLAG_COMMENT],
  ["checksum", FLAG_CHECKSUM],
];

const NO_PART: readonly [Part, number] = ["fixed", 0];

export class GzipHeader {
  #part: Part = "fixed";
  /** The next entry of `PARTS` to look at. */
  #next = 0;
  #flags = 0;
  /** Bytes of this part so far. */
  #count = 0;
  #extraBytes = 0;

  get isAtStart(): boolean {
    return this.#part === "fixed" && this.#count === 0;
  }

  restart(): void {
    this.#part = "fixed";
    this.#next = 0;
    this.#count = 0;
    this.#extraBytes = 0;
  }

  /** `bad`: this is not the header of a gzip member. */
  push(byte: number): "more" | "whole" | "bad" {
    if (this.#part === "fixed" && !this.#isFixedRight(byte)) return "bad";
    if (this.#part === "extra-length") this.#extraBytes += byte << (8 * this.#count);
    this.#count += 1;
    if (!this.#isPartOver(byte)) return "more";
    return this.#nextPart() ? "more" : "whole";
  }

  #isFixedRight(byte: number): boolean {
    if (this.#count === 0) return byte === 0x1f;
    if (this.#count === 1) return byte === 0x8b;
    if (this.#count === 2) return byte === METHOD_DEFLATE;
    if (this.#count === 3) this.#flags = byte;
    return (this.#flags & FLAGS_RESERVED) === 0 || this.#count !== 3;
  }

  #isPartOver(byte: number): boolean {
    switch (this.#part) {
      case "fixed":
        return this.#count === FIXED_BYTES;
      case "extra":
        return this.#count === this.#extraBytes;
      case "name":
      case "comment":
        return byte === 0;
      case "extra-length":
      case "checksum":
        return this.#count === 2;
    }
  }

  /** Goes to the next part that this header has; false when there is none. */
  #nextPart(): boolean {
    this.#count = 0;
    for (; this.#next < PARTS.length; this.#next += 1) {
      const [part, flag] = PARTS[this.#next] ?? NO_PART;
      const isThere = (this.#flags & flag) !== 0 && (part !== "extra" || this.#extraBytes > 0);
      if (!isThere) continue;
      this.#part = part;
      this.#next += 1;
      return true;
    }
    return false;
  }
}
