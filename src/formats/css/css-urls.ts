/**
 * The URLs that a style sheet needs: `url()`, the strings of `@import` and of `image-set()`. It
 * follows the tokens of CSS Syntax as far as they decide what is a URL and what only looks like
 * one: comments, strings, escapes, identifiers (`myurl(` does not count), and at-rules whose URLs
 * are names and not fetched (`@namespace`, `@document`).
 *
 * It works on bytes, in UTF-8 or any encoding that contains ASCII; each byte is looked at a bounded
 * number of times, and nothing throws.
 */

/** Called for each URL, in order, with escapes decoded and without white space around it. */
export type TakeUrl = (url: string, isImport: boolean) => void;

const SLASH = 0x2f;
const STAR = 0x2a;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const OPEN = 0x28;
const CLOSE = 0x29;
const AT = 0x40;
const SEMICOLON = 0x3b;
const BRACE = 0x7b;

/** Bytes of identifiers: letters, digits, `-`, `_`, everything beyond ASCII. */
const IS_NAME = new Uint8Array(256).fill(1, 0x80);
for (let code = 0x61; code <= 0x7a; code += 1) IS_NAME[code] = IS_NAME[code - 0x20] = 1;
for (let code = 0x30; code <= 0x39; code += 1) IS_NAME[code] = 1;
IS_NAME[0x2d] = IS_NAME[0x5f] = 1;

const IS_SPACE = new Uint8Array(256);
for (const code of [0x09, 0x0a, 0x0c, 0x0d, 0x20]) IS_SPACE[code] = 1;

/** At-rules whose URLs are names and not fetched. */
const NAMING: ReadonlySet<string> = new Set(["namespace", "document", "-moz-document"]);
const IMAGE_SET: ReadonlySet<string> = new Set(["image-set", "-webkit-image-set"]);
/** Longer identifiers mean nothing here. */
const NAME_MAX = 20;
/** A longer URL is data, or a mistake. */
const URL_BYTES_MAX = 16_384;

/**
 * Reports every URL of a style sheet, or of the value of a `style` attribute. When the end of the
 * sheet is missing, a URL that reaches that end is not reported: it may be incomplete.
 */
export function cssUrls(bytes: Uint8Array, take: TakeUrl, isWhole = true): void {
  new CssScanner(bytes, take, isWhole).scan();
}

class CssScanner {
  readonly #bytes: Buffer;
  readonly #take: TakeUrl;
  readonly #end: number;
  readonly #isWhole: boolean;
  #at = 0;
  /** Between `@import` and what ends it. */
  #isImport = false;
  #isNaming = false;
  #depth = 0;
  /** The depth inside the open `image-set(`; 0 for none. */
  #imageSetDepth = 0;

  constructor(bytes: Uint8Array, take: TakeUrl, isWhole: boolean) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
    this.#take = take;
    this.#isWhole = isWhole;
  }

  scan(): void {
    const bytes = this.#bytes;
    while (this.#at < this.#end) {
      const byte = bytes[this.#at] as number;
      if (IS_NAME[byte] === 1) this.#name();
      else if (byte === QUOTE || byte === APOSTROPHE) this.#string(byte);
      else if (byte === SLASH && bytes[this.#at + 1] === STAR) this.#skipComment();
      else if (byte === AT) this.#atKeyword();
      else {
        if (byte === BACKSLASH) this.#at += 1;
        else if (byte === OPEN) this.#depth += 1;
        else if (byte === CLOSE) this.#close();
        else if (byte === SEMICOLON || byte === BRACE) this.#isImport = this.#isNaming = false;
        this.#at += 1;
      }
    }
  }

  #close(): void {
    if (this.#depth === this.#imageSetDepth) this.#imageSetDepth = 0;
    if (this.#depth > 0) this.#depth -= 1;
  }

  #skipComment(): void {
    const end = this.#bytes.indexOf("*/", this.#at + 2, "latin1");
    this.#at = end === -1 ? this.#end : end + 2;
  }

  /** An identifier, which may be the name of a function. */
  #name(): void {
    const name = this.#readName();
    if (this.#bytes[this.#at] !== OPEN) return;
    this.#at += 1;
    if (name === "url") this.#url();
    else {
      this.#depth += 1;
      if (IMAGE_SET.has(name) && this.#imageSetDepth === 0) this.#imageSetDepth = this.#depth;
    }
  }

  #atKeyword(): void {
    this.#at += 1;
    const name = this.#readName();
    this.#isImport = name === "import";
    this.#isNaming = NAMING.has(name);
  }

  /** Reads an identifier; returns it in lower case, or "" if it is too long to mean anything. */
  #readName(): string {
    const from = this.#at;
    const bytes = this.#bytes;
    let hasEscape = false;
    for (; this.#at < this.#end; this.#at += 1) {
      const byte = bytes[this.#at] as number;
      if (byte === BACKSLASH) {
        hasEscape = true;
        this.#at += 1;
      } else if (IS_NAME[byte] === 0) break;
    }
    if (this.#at > this.#end) this.#at = this.#end;
    if (this.#at - from > NAME_MAX || hasEscape) return "";
    return bytes.toString("latin1", from, this.#at).toLowerCase();
  }

  #string(quote: number): void {
    const value = this.#readString(quote);
    if (value === null) return;
    const isImage = this.#depth > 0 && this.#depth === this.#imageSetDepth;
    const isUrl = this.#isImport || isImage;
    if (isUrl && !this.#isNaming) this.#report(value);
  }

  /** What follows `url(`. */
  #url(): void {
    this.#skipSpace();
    const first = this.#bytes[this.#at];
    const isQuoted = first === QUOTE || first === APOSTROPHE;
    const value = isQuoted ? this.#readString(first) : this.#readBare();
    if (isQuoted) this.#depth += 1;
    if (value !== null && !this.#isNaming) this.#report(value);
  }

  /** Null for a string that a line end breaks off. Leaves the position after the string. */
  #readString(quote: number): string | null {
    const bytes = this.#bytes;
    const from = this.#at + 1;
    let hasEscape = false;
    for (this.#at = from; this.#at < this.#end; this.#at += 1) {
      const byte = bytes[this.#at] as number;
      if (byte === quote) break;
      if (byte === BACKSLASH) {
        hasEscape = true;
        this.#at += 1;
      } else if (byte === 0x0a || byte === 0x0c || byte === 0x0d) return null;
    }
    const to = Math.min(this.#at, this.#end);
    this.#at = Math.min(to + 1, this.#end);
    return this.#text(from, to, hasEscape);
  }

  /** A URL without quotes, up to its bracket; null if it contains what no URL may contain. */
  #readBare(): string | null {
    const bytes = this.#bytes;
    const from = this.#at;
    let hasEscape = false;
    let to = -1;
    let isBad = false;
    for (; this.#at < this.#end; this.#at += 1) {
      const byte = bytes[this.#at] as number;
      if (byte === CLOSE) break;
      if (IS_SPACE[byte] === 1) {
        if (to === -1) to = this.#at;
        continue;
      }
      if (to !== -1 || byte === QUOTE || byte === APOSTROPHE || byte === OPEN) isBad = true;
      else if (byte === BACKSLASH) {
        hasEscape = true;
        this.#at += 1;
      } else if (byte < 0x20 || byte === 0x7f) isBad = true;
    }
    const end = to === -1 ? Math.min(this.#at, this.#end) : to;
    this.#at = Math.min(this.#at + 1, this.#end);
    return isBad ? null : this.#text(from, end, hasEscape);
  }

  #skipSpace(): void {
    while (this.#at < this.#end && IS_SPACE[this.#bytes[this.#at] as number] === 1) this.#at += 1;
  }

  /** Null for a text that is too long. */
  #text(from: number, to: number, hasEscape: boolean): string | null {
    if (to - from > URL_BYTES_MAX) return null;
    const text = this.#bytes.toString("utf8", from, to);
    return hasEscape ? unescaped(text) : text;
  }

  /** References into the document itself and `data:` URLs need no fetch. */
  #report(value: string): void {
    const url = value.trim();
    const isImport = this.#isImport;
    this.#isImport = false;
    if (!this.#isWhole && this.#at === this.#end) return;
    if (url !== "" && !url.startsWith("#") && !/^data:/i.test(url)) this.#take(url, isImport);
  }
}

/** Up to six hexadecimal digits and a white space; a line end, which is dropped; any character. */
const ESCAPE = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\n\r\f])|(.))?/gisu;

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, digits, lineEnd, character) => {
    if (digits !== undefined) return characterOf(Number.parseInt(digits, 16));
    return lineEnd !== undefined ? "" : (character ?? "");
  });
}

function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}
