/**
 * The HTML standard's "prescan a byte stream to determine its encoding": a search for
 * `<meta charset>` and `<meta http-equiv=content-type>` in the first 1024 bytes, with a simpler
 * notion of tags than the parser's, followed step by step because pages rely on its quirks.
 *
 * The search ends wherever the bytes run out: a declaration that is cut off is never guessed.
 */
import { isLetter, isWhitespace, lowerCaseString } from "./ascii.ts";
import {
  type EncodingName,
  encodingOfLabel,
  UTF_8,
  UTF_16BE,
  UTF_16LE,
  WINDOWS_1252,
} from "./encoding-name.ts";
import { encodingInMetaContent } from "./meta-content.ts";

export const PRESCAN_BYTES = 1024;

/** The encoding that the bytes declare, or undefined. */
export function prescan(head: Uint8Array): EncodingName | undefined {
  if (startsWith(head, [0x3c, 0, 0x3f, 0, 0x78, 0])) return UTF_16LE;
  if (startsWith(head, [0, 0x3c, 0, 0x3f, 0, 0x78])) return UTF_16BE;
  return new Prescan(head).run() ?? xmlDeclaration(head);
}

/** An attribute as the prescan sees it: both parts in lower case, byte by byte. */
interface Attribute {
  readonly name: string;
  readonly value: string;
}

class Prescan {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  run(): EncodingName | undefined {
    for (; this.#at < this.#bytes.length; this.#at++) {
      if (this.#bytes[this.#at] !== 0x3c) continue;
      const found = this.#markup();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #markup(): EncodingName | undefined {
    const next = this.#byte(1);
    if (next === 0x21 && this.#byte(2) === 0x2d && this.#byte(3) === 0x2d) this.#comment();
    else if (this.#isMeta()) return this.#meta();
    else if (isLetter(next) || (next === 0x2f && isLetter(this.#byte(2)))) this.#tag();
    else if (next === 0x21 || next === 0x2f || next === 0x3f) this.#skipPast(0x3e);
    return undefined;
  }

  /** The byte at this distance from the position; -1 past the end. */
  #byte(distance: number): number {
    return this.#bytes[this.#at + distance] ?? -1;
  }

  #isMeta(): boolean {
    const after = this.#byte(5);
    if (!isWhitespace(after) && after !== 0x2f) return false;
    return lowerCaseString(this.#bytes, this.#at + 1, this.#at + 5) === "meta";
  }

  /** To the `>` of the first `-->`, whose dashes may be those of the opening `<!--`. */
  #comment(): void {
    for (this.#at += 4; this.#at < this.#bytes.length; this.#at++) {
      if (this.#byte(0) === 0x3e && this.#byte(-1) === 0x2d && this.#byte(-2) === 0x2d) return;
    }
  }

  #skipPast(byte: number): void {
    while (this.#at < this.#bytes.length && this.#byte(0) !== byte) this.#at++;
  }

  #tag(): void {
    while (this.#at < this.#bytes.length && !isWhitespace(this.#byte(0))) {
      if (this.#byte(0) === 0x3e) return;
      this.#at++;
    }
    while (this.#attribute() !== undefined);
  }

  #meta(): EncodingName | undefined {
    this.#at += 5;
    const seen = new Set<string>();
    let isPragma = false;
    let needsPragma: boolean | undefined;
    let encoding: EncodingName | undefined;
    for (let one = this.#attribute(); one !== undefined; one = this.#attribute()) {
      if (seen.has(one.name)) continue;
      seen.add(one.name);
      if (one.name === "http-equiv") isPragma = one.value === "content-type";
      if (one.name === "content" && needsPragma === undefined) {
        encoding = encodingInMetaContent(one.value);
        if (encoding !== undefined) needsPragma = true;
      }
      if (one.name === "charset") {
        encoding = encodingOfLabel(one.value);
        needsPragma = false;
      }
    }
    if (this.#at >= this.#bytes.length) return undefined;
    if (needsPragma === undefined || (needsPragma && !isPragma)) return undefined;
    return encoding === undefined ? undefined : asDeclared(encoding);
  }

  /** The standard's "get an attribute"; undefined at the end of the tag or of the bytes. */
  #attribute(): Attribute | undefined {
    while (isWhitespace(this.#byte(0)) || this.#byte(0) === 0x2f) this.#at++;
    if (this.#byte(0) === 0x3e || this.#byte(0) === -1) return undefined;
    const nameFrom = this.#at;
    while (this.#at < this.#bytes.length && !this.#endsName(this.#at === nameFrom)) this.#at++;
    const name = lowerCaseString(this.#bytes, nameFrom, this.#at);
    while (isWhitespace(this.#byte(0))) this.#at++;
    if (this.#byte(0) !== 0x3d) return { name, value: "" };
    this.#at++;
    while (isWhitespace(this.#byte(0))) this.#at++;
    return { name, value: this.#value() };
  }

  #endsName(isFirst: boolean): boolean {
    const byte = this.#byte(0);
    if (byte === 0x3d) return !isFirst;
    return isWhitespace(byte) || byte === 0x2f || byte === 0x3e;
  }

  #value(): string {
    const quote = this.#byte(0);
    if (quote === 0x22 || quote === 0x27) {
      const from = ++this.#at;
      this.#skipPast(quote);
      return lowerCaseString(this.#bytes, from, this.#at++);
    }
    const from = this.#at;
    while (this.#at < this.#bytes.length && !isWhitespace(this.#byte(0))) {
      if (this.#byte(0) === 0x3e) break;
      this.#at++;
    }
    return lowerCaseString(this.#bytes, from, this.#at);
  }
}

/** A page that can be prescanned as ASCII is not UTF-16, and x-user-defined is never meant. */
function asDeclared(encoding: EncodingName): EncodingName {
  if (encoding === UTF_16LE || encoding === UTF_16BE) return UTF_8;
  return encoding === "x-user-defined" ? WINDOWS_1252 : encoding;
}

/** `<?xml … encoding="…"?>`, honoured in HTML too when no meta element says otherwise. */
function xmlDeclaration(head: Uint8Array): EncodingName | undefined {
  if (!startsWith(head, [0x3c, 0x3f, 0x78, 0x6d, 0x6c])) return undefined;
  const close = head.indexOf(0x3e);
  if (close === -1) return undefined;
  const text = String.fromCharCode(...head.subarray(0, PRESCAN_BYTES));
  const match = /encoding[\0-\x20]*=[\0-\x20]*(?:"([^"]*)"|'([^']*)')/.exec(text);
  const label = match?.[1] ?? match?.[2] ?? "";
  if (match === null || /[\0-\x20]/.test(label)) return undefined;
  const encoding = encodingOfLabel(label);
  return encoding === undefined ? undefined : asDeclared(encoding);
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
