/**
 * What a parser told of a page, kept to be digested in one call. A tag is one word, a text two: the
 * kind and where it begins in the bytes kept, then where it ends. The bytes of a chunk that is
 * announced are copied once, when its first text is told, since a copy of each text would cost more
 * than its digests.
 *
 * Invariant: what was told can be told again, in the same order (`replay`). When there is no room
 * for more, the answer is false, and nothing was taken.
 */
import { grownBytes } from "../../base/bytes/index.ts";
import type { PageSink, TagNumber } from "../../formats/html/index.ts";

/** Kinds of events, in the lowest two bits. */
const TEXT = 0;
const OPEN = 1;
const CLOSE = 2;
const FRAME = 3;

export interface EventRoom {
  /** Words of events. */
  readonly eventsMax: number;
  readonly textBytesMax: number;
}

const FIRST_WORDS = 2048;
const NO_BYTES = new Uint8Array(0);

export class PageEvents {
  readonly #room: EventRoom;
  #words: Uint32Array;
  #count = 0;
  #texts: Uint8Array = NO_BYTES;
  #textBytes = 0;
  /** The chunk, from where on it was copied, and where its first byte would be then. */
  #chunk: Uint8Array = NO_BYTES;
  #chunkFrom = Number.POSITIVE_INFINITY;
  #chunkAt = 0;

  constructor(room: EventRoom) {
    this.#room = room;
    this.#words = new Uint32Array(Math.min(FIRST_WORDS, room.eventsMax));
  }

  clear(): void {
    this.#count = 0;
    this.#textBytes = 0;
    this.chunk(NO_BYTES);
  }

  /** Texts that are told as parts of these bytes are, until the next chunk, whenever it is told. */
  chunk(bytes: Uint8Array): void {
    this.#chunk = bytes;
    this.#chunkFrom = Number.POSITIVE_INFINITY;
  }

  openTag(tag: TagNumber): boolean {
    return this.#add((tag << 2) | OPEN);
  }

  closeTag(tag: TagNumber): boolean {
    return this.#add((tag << 2) | CLOSE);
  }

  frameSource(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#addCopy(FRAME, bytes, from, to);
  }

  text(bytes: Uint8Array, from: number, to: number): boolean {
    if (bytes !== this.#chunk) return this.#addCopy(TEXT, bytes, from, to);
    if (!this.#hasRoom(2)) return false;
    if (from < this.#chunkFrom) {
      const at = this.#copy(bytes, from, bytes.length);
      if (at < 0) return false;
      this.#chunkFrom = from;
      this.#chunkAt = at - from;
    }
    this.#addRange(TEXT, this.#chunkAt + from, this.#chunkAt + to);
    return true;
  }

  /** Valid until more is told. */
  get words(): Uint32Array {
    return this.#words.subarray(0, this.#count);
  }

  get texts(): Uint8Array {
    return this.#texts.subarray(0, this.#textBytes);
  }

  replay(sink: PageSink): void {
    const texts = this.#texts;
    for (let at = 0; at < this.#count; at++) {
      const word = this.#words[at] as number;
      const value = word >>> 2;
      switch (word & 3) {
        case OPEN:
          sink.openTag(value);
          break;
        case CLOSE:
          sink.closeTag(value);
          break;
        case FRAME:
          sink.frameSource(texts, value, this.#words[++at] as number);
          break;
        default:
          sink.text(texts, value, this.#words[++at] as number);
      }
    }
  }

  #add(word: number): boolean {
    if (!this.#hasRoom(1)) return false;
    this.#words[this.#count++] = word;
    return true;
  }

  #addRange(kind: number, from: number, to: number): void {
    this.#words[this.#count++] = (from << 2) | kind;
    this.#words[this.#count++] = to;
  }

  #addCopy(kind: number, bytes: Uint8Array, from: number, to: number): boolean {
    const at = this.#hasRoom(2) ? this.#copy(bytes, from, to) : -1;
    if (at < 0) return false;
    this.#addRange(kind, at, at + to - from);
    return true;
  }

  #hasRoom(words: number): boolean {
    const count = this.#count + words;
    if (count <= this.#words.length) return true;
    if (count > this.#room.eventsMax) return false;
    const grown = new Uint32Array(Math.min(2 * this.#words.length, this.#room.eventsMax));
    grown.set(this.#words);
    this.#words = grown;
    return true;
  }

  /** Where the copy begins; -1 if there is no room. */
  #copy(bytes: Uint8Array, from: number, to: number): number {
    const at = this.#textBytes;
    const end = at + to - from;
    if (end > this.#room.textBytesMax) return -1;
    this.#texts = grownBytes(this.#texts, end, this.#room.textBytesMax);
    const isWhole = from === 0 && to === bytes.length;
    this.#texts.set(isWhole ? bytes : bytes.subarray(from, to), at);
    this.#textBytes = end;
    return at;
  }
}
