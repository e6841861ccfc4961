/**
 * Writes text in legacy encodings. The platform only decodes them, so its decoder is asked once what
 * each byte, or pair of bytes, stands for, and the table is inverted. Every encoding here leaves
 * ASCII as it is.
 */
import assert from "node:assert/strict";
import { TextDecoder } from "node:util";

/** Two-byte encodings, with their lead bytes; the others have one byte a character. */
const LEAD_BYTES: Readonly<Record<string, readonly [first: number, last: number]>> = {
  shift_jis: [0x81, 0xfc],
  "euc-jp": [0xa1, 0xfe],
  gbk: [0x81, 0xfe],
  gb18030: [0x81, 0xfe],
  big5: [0x81, 0xfe],
  "euc-kr": [0x81, 0xfe],
};

export class Encoder {
  readonly label: string;
  readonly #codes = new Map<string, number>();

  constructor(label: string) {
    this.label = label;
    if (label === "utf-8") return;
    const decoder = new TextDecoder(label);
    const leads = LEAD_BYTES[label];
    if (leads === undefined) this.#learn(decoder, 0x80, 0xff, []);
    else {
      for (let lead = leads[0]; lead <= leads[1]; lead += 1) {
        this.#learn(decoder, 0x40, 0xfe, [lead]);
      }
    }
  }

  /** Null where a character has no code. */
  encode(text: string): Buffer | null {
    if (this.label === "utf-8") return Buffer.from(text);
    const bytes: number[] = [];
    for (const character of text) {
      const plain = character.codePointAt(0) ?? 0;
      const code = plain < 0x80 ? plain : this.#codes.get(character);
      if (code === undefined) return null;
      if (code > 0xff) bytes.push(code >>> 8);
      bytes.push(code & 0xff);
    }
    return Buffer.from(bytes);
  }

  #learn(decoder: TextDecoder, first: number, last: number, lead: readonly number[]): void {
    for (let byte = first; byte <= last; byte += 1) {
      const character = decoded(decoder, Uint8Array.of(...lead, byte));
      const code = lead.reduce((high, one) => high + one, 0) * 0x100 + byte;
      // Where two codes stand for one character the first is the usual one.
      if (character !== null && !this.#codes.has(character)) this.#codes.set(character, code);
    }
  }
}

/** The one character that these bytes are; null when they are none, or more than one. */
function decoded(decoder: TextDecoder, bytes: Uint8Array): string | null {
  const text = decoder.decode(bytes);
  const isOne = [...text].length === 1 && (text.codePointAt(0) ?? 0) >= 0x80;
  return isOne && text !== REPLACEMENT ? text : null;
}

const REPLACEMENT = "\uFFFD";

const known = new Map<string, Encoder>();

/** Encoders are made when first asked for: the larger ones take some milliseconds. */
export function encoderFor(label: string): Encoder {
  const found = known.get(label) ?? new Encoder(label);
  known.set(label, found);
  assert(found.label === label, "an encoder is kept under its label");
  return found;
}
