/**
 * Known names as small numbers. A name is hashed while its bytes are scanned; one look-up then says
 * which known name it is, if any. So no string is ever made for a tag or an attribute, and the case
 * of letters does not matter.
 */

/** All words of a text with single spaces, as a type. */
export type Word<Text extends string, Found = never> = Text extends `${infer First} ${infer Rest}`
  ? Word<Rest, Found | First>
  : Found | Text;

/** The hash before the first byte of a name. */
export const HASH_START = 0;

/** Adds one byte, in lower case; the loops of scanners repeat this inline. */
export function hashByte(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + (byte | 0x20)) | 0;
}

export function hashName(name: string): number {
  let hash = HASH_START;
  for (let at = 0; at < name.length; at++) hash = hashByte(hash, name.charCodeAt(at));
  return hash;
}

/** Many more places than names, so that unknown names mostly hit an empty one. */
const PLACES = 4096;

export class NameTable {
  /** Id of the name at each place; 0 is an empty place. */
  readonly #ids: Uint8Array;
  /** Chosen so that no two names share a place: a look-up needs no loop. */
  readonly #shift: number;
  readonly #hashes: Int32Array;
  /** All names in a row, and where each begins; one more beginning is the end of the last. */
  readonly #bytes: Uint8Array;
  readonly #begins: Uint16Array;

  /** The first name gets id 1. */
  constructor(names: readonly string[]) {
    this.#bytes = Buffer.from(names.join(""), "latin1");
    this.#begins = new Uint16Array(names.length + 2);
    names.forEach((name, index) => {
      this.#begins[index + 2] = (this.#begins[index + 1] as number) + name.length;
    });
    const hashes = names.map(hashName);
    this.#hashes = Int32Array.of(0, ...hashes);
    [this.#ids, this.#shift] = arrange(hashes);
  }

  /** The bytes of a known name. */
  nameOf(id: number): Uint8Array {
    return this.#bytes.subarray(this.#begins[id], this.#begins[id + 1]);
  }

  /**
   * The id of a name by its hash alone: right for known names, wrong for the few others that share
   * a hash with one. `find` is always right.
   */
  guess(hash: number): number {
    const id = this.#ids[(hash ^ (hash >>> this.#shift)) & (PLACES - 1)] as number;
    return this.#hashes[id] === hash ? id : 0;
  }

  /** The id of the name at [from, to), given its hash; 0 when it is not known. */
  find(hash: number, bytes: Uint8Array, from: number, to: number): number {
    const id = this.#ids[(hash ^ (hash >>> this.#shift)) & (PLACES - 1)] as number;
    return id !== 0 && this.#isName(id, bytes, from, to) ? id : 0;
  }

  #isName(id: number, bytes: Uint8Array, from: number, to: number): boolean {
    let begin = this.#begins[id] as number;
    if ((this.#begins[id + 1] as number) - begin !== to - from) return false;
    for (let at = from; at < to; at++) {
      const difference = (bytes[at] as number) ^ (this.#bytes[begin++] as number);
      // A capital differs from its small letter in one bit.
      if (difference !== 0 && (difference !== 0x20 || (bytes[at] as number) < 0x41)) return false;
    }
    return true;
  }
}

/** A place for each name, alone: tries one way of mixing the hash after another. */
function arrange(hashes: readonly number[]): [ids: Uint8Array, shift: number] {
  for (let shift = 1; shift < 32; shift++) {
    const ids = new Uint8Array(PLACES);
    const isAlone = hashes.every((hash, index) => {
      const place = (hash ^ (hash >>> shift)) & (PLACES - 1);
      const isFree = ids[place] === 0;
      ids[place] = index + 1;
      return isFree;
    });
    if (isAlone) return [ids, shift];
  }
  throw new Error("No way of mixing keeps these names apart: make the table larger.");
}
