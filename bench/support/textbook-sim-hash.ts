/**
 * The textbook SimHash, to compare ours with: every three words in a row are a feature, all of them
 * weigh the same, each votes on all 64 bits. Numbers are left out here too.
 */
import type { PageSink, TagNumber } from "../../src/formats/html/index.ts";
import { tagNumber } from "../../src/formats/html/index.ts";

const SKIPPED: ReadonlySet<TagNumber> = new Set(["script", "style", "title"].map(tagNumber));

export class TextbookSimHash implements PageSink {
  readonly #sums = new Int32Array(64);
  #word = 0;
  #length = 0;
  #before = 0;
  #beforeThat = 0;
  #isSkipping = false;

  begin(): void {
    this.#sums.fill(0);
    this.#word = 0;
    this.#length = 0;
    this.#before = 0;
    this.#beforeThat = 0;
  }

  openTag(tag: TagNumber): void {
    this.#endWord();
    this.#isSkipping = SKIPPED.has(tag);
  }

  closeTag(): void {
    this.#endWord();
    this.#isSkipping = false;
  }

  frameSource(): void {}

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isSkipping) return;
    for (let at = from; at < to; at++) {
      const byte = (bytes[at] as number) | 0x20;
      const isLetter = (byte >= 0x61 && byte <= 0x7a) || byte >= 0x80;
      if (!isLetter) this.#endWord();
      else {
        this.#word = Math.imul(this.#word ^ byte, 0x01000193);
        this.#length++;
      }
    }
  }

  finish(): void {
    this.#endWord();
  }

  get high(): number {
    return this.#half(32);
  }

  get low(): number {
    return this.#half(0);
  }

  #half(from: number): number {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if ((this.#sums[from + bit] ?? 0) > 0) bits |= 1 << bit;
    return bits >>> 0;
  }

  #endWord(): void {
    if (this.#length === 0) return;
    const feature = spread(this.#word + 31 * this.#before + 961 * this.#beforeThat);
    this.#vote(feature, 0);
    this.#vote(spread(feature + 0x9e3779b9), 32);
    this.#beforeThat = this.#before;
    this.#before = this.#word;
    this.#word = 0;
    this.#length = 0;
  }

  #vote(bits: number, from: number): void {
    const sums = this.#sums;
    for (let bit = 0; bit < 32; bit++) {
      sums[from + bit] = (sums[from + bit] as number) + ((bits >>> bit) & 1) * 2 - 1;
    }
  }
}

function spread(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
