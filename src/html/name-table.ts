/**
 * Known names as small numbers. A name is hashed while its bytes are scanned; one look into the
 * table then says which known name it is, or that it is none. So no string is ever made for a tag
 * or an attribute, and the case of letters does not matter.
 */

/** All words of a text with single spaces, as a type. */
export type Word<Text extends string, Found = never> = Text extends `${infer First} ${infer Rest}`
  ? Word<Rest, Found | First>
  : Found | Text;

/** The hash before the first byte of a name. */
export const HASH_START = 0;

/** Adds one byte. Letters count as small ones; scanners write this out in their loops. */
export function hashByte(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + (byte | 0x20)) | 0;
}

export function hashName(name: string): number {
  let hash = HASH_START;
  for (let at = 0; at < name.length; at++) hash = hashByte(hash, name.charCodeAt(at));
  return hash;
}

/** Many more places than names, so that unknown names mostly meet an empty one. */
const PLACES = 2048;

export class NameTable {
  /** Id of the name at each place; 0 is an empty place. */
  readonly #ids = new Uint8Array(PLACES);
  readonly #names: Uint8Array[] = [new Uint8Array(0)];

  /** The first name gets id 1. */
  constructor(names: readonly string[]) {
    for (const name of names) {
      let place = placeOf(hashName(name));
      while (this.#ids[place] !== 0) place = (place + 1) % PLACES;
      this.#ids[place] = this.#names.push(Buffer.from(name, "latin1")) - 1;
    }
  }

  /** The bytes of a known name. */
  nameOf(id: number): Uint8Array {
    return this.#names[id] as Uint8Array;
  }

  /** The id of the name at [from, to), given its hash; 0 when it is not known. */
  find(hash: number, bytes: Uint8Array, from: number, to: number): number {
    for (let place = placeOf(hash); ; place = (place + 1) % PLACES) {
      const id = this.#ids[place] as number;
      if (id === 0 || isName(this.#names[id] as Uint8Array, bytes, from, to)) return id;
    }
  }
}

function placeOf(hash: number): number {
  return (hash ^ (hash >>> 11)) & (PLACES - 1);
}

function isName(name: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from !== name.length) return false;
  for (let at = 0; at < name.length; at++) {
    const byte = bytes[from + at] as number;
    const expected = name[at] as number;
    // A capital differs from its small letter in one bit; names have no other bytes to confuse.
    if (byte !== expected && (byte !== (expected ^ 0x20) || expected < 0x61)) return false;
  }
  return true;
}
