/**
 * Scans XML byte by byte and never gives up: a file on the web that calls itself XML may be
 * anything. It recognises tags, attributes, comments, CDATA, processing instructions and DOCTYPE,
 * and validates nothing. A `<` inside a tag or an attribute begins a new tag, since well-formed XML
 * has none there: so a forgotten quote costs one tag and not the rest of the file. That is the
 * reason why no package is used (docs/adr/0038-sitemap-reader.md).
 *
 * All state is in the object, so chunks may be cut anywhere. Text is UTF-8; names are reported in
 * lower case. Which tags belong together is decided by the target, not here.
 */
import { TextCapture } from "./text-capture.ts";
import { TextTable } from "./text-table.ts";

export interface XmlTarget {
  /** A start tag begins; true when its attributes are wanted. */
  open(name: string, prefix: string): boolean;
  /** `name` with its prefix; `value` with references undecoded, truncated when too long. */
  attribute(name: string, value: string): void;
  /** The start tag has ended. */
  opened(selfClosing: boolean): void;
  close(name: string, prefix: string): void;
  text(bytes: Uint8Array, from: number, to: number): void;
  /** Text in which `&` has no special meaning. */
  literal(bytes: Uint8Array, from: number, to: number): void;
}

/** States are numbers, since a switch over strings costs more than everything else about a byte. */
const TEXT = 0;
const LESS_THAN = 1;
const NAME = 2;
const TAG = 3;
const ATTRIBUTE_NAME = 4;
const AFTER_ATTRIBUTE_NAME = 5;
const VALUE_START = 6;
const VALUE = 7;
const BARE_VALUE = 8;
const CLOSE_NAME = 9;
const CLOSE_REST = 10;
const DECLARATION = 11;
const COMMENT = 12;
const CDATA = 13;
const DOCTYPE = 14;
const INSTRUCTION = 15;

const SPACE = 0x20;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const MINUS = 0x2d;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** White space, `/`, `<`, `>`, and after the name of an attribute `=`. */
const ENDS_NAME: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= SPACE || [SLASH, LESS, GREATER, EQUALS].includes(byte) ? 1 : 0,
);
/** Longer names are truncated: none that matters is that long. */
const NAME_BYTES_MAX = 64;
const CDATA_START = "[cdata[";
const BRACKETS: Uint8Array = Uint8Array.of(CLOSE_BRACKET, CLOSE_BRACKET);

export class XmlScanner {
  readonly #target: XmlTarget;
  readonly #names = new TextTable();
  readonly #name = new Uint8Array(NAME_BYTES_MAX);
  #nameLength = 0;
  /** The position in the name of the colon after its prefix; -1 without one. */
  #colon = -1;
  #state: number = TEXT;
  #attributesWanted = false;
  /** The last byte inside the tag was a `/`. */
  #slash = false;
  #attribute = "";
  readonly #value: TextCapture;
  #quote = QUOTE;
  /** How much of `-->`, `]]>` or `<![CDATA[` has been seen. */
  #matched = 0;
  #inBrackets = false;

  constructor(target: XmlTarget, valueBytesMax: number) {
    this.#target = target;
    this.#value = new TextCapture(valueBytesMax);
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) at = this.#step(bytes, at);
  }

  /** Consumes one or more bytes from `at`; returns the position after them. */
  #step(bytes: Uint8Array, at: number): number {
    switch (this.#state) {
      case TEXT:
        return this.#text(bytes, at);
      case LESS_THAN:
        return this.#lessThan(bytes, at);
      case NAME:
      case CLOSE_NAME:
      case ATTRIBUTE_NAME:
        return this.#readName(bytes, at);
      case VALUE:
      case BARE_VALUE:
        return this.#readValue(bytes, at);
      case COMMENT:
        return this.#comment(bytes, at);
      case CDATA:
        return this.#cdata(bytes, at);
      case DECLARATION:
        return this.#declaration(bytes, at);
      default:
        this.#inTag(bytes[at] as number);
        return at + 1;
    }
  }

  #text(bytes: Uint8Array, at: number): number {
    // Texts are short, so a loop is faster than a call of `indexOf`.
    let end = at;
    while (end < bytes.length && bytes[end] !== LESS) end += 1;
    if (end > at) this.#target.text(bytes, at, end);
    if (end < bytes.length) this.#state = LESS_THAN;
    return end + 1;
  }

  #lessThan(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number;
    this.#nameLength = 0;
    this.#colon = -1;
    this.#matched = 0;
    this.#inBrackets = false;
    this.#slash = false;
    if (byte === LESS) return at + 1;
    if (byte === EXCLAMATION) this.#state = DECLARATION;
    else if (byte === QUESTION) this.#state = INSTRUCTION;
    else if (byte === SLASH) this.#state = CLOSE_NAME;
    else {
      this.#state = byte <= SPACE || byte === GREATER ? TEXT : NAME;
      return this.#state === NAME ? at : at + 1;
    }
    return at + 1;
  }

  #readName(bytes: Uint8Array, at: number): number {
    const name = this.#name;
    let length = this.#nameLength;
    let next = at;
    for (; next < bytes.length; next += 1) {
      const byte = bytes[next] as number;
      if (ENDS_NAME[byte] === 1 && (byte !== EQUALS || this.#state === ATTRIBUTE_NAME)) break;
      if (byte === COLON && this.#colon === -1) this.#colon = length;
      if (length < NAME_BYTES_MAX) name[length++] = lowered(byte);
    }
    this.#nameLength = length;
    if (next === bytes.length) return next;
    this.#endName();
    // Nearly every tag ends with its name.
    if (bytes[next] !== GREATER) return next;
    this.#endTag(TEXT);
    return next + 1;
  }

  /** Leaves the byte that ended the name to the next state. */
  #endName(): void {
    if (this.#state === ATTRIBUTE_NAME) {
      this.#attribute = this.#names.textOf(this.#name, 0, this.#nameLength);
      this.#state = AFTER_ATTRIBUTE_NAME;
      return;
    }
    const colon = this.#colon < NAME_BYTES_MAX ? this.#colon : -1;
    const prefix = colon === -1 ? "" : this.#names.textOf(this.#name, 0, colon);
    const name = this.#names.textOf(this.#name, colon + 1, this.#nameLength);
    if (this.#state === CLOSE_NAME) {
      this.#state = CLOSE_REST;
      this.#target.close(name, prefix);
    } else {
      this.#state = TAG;
      this.#attributesWanted = this.#target.open(name, prefix);
    }
  }

  /** One byte inside a tag, an instruction or a DOCTYPE, outside names and values. */
  #inTag(byte: number): void {
    if (this.#state === DOCTYPE) this.#doctype(byte);
    else if (byte === LESS) this.#endTag(LESS_THAN);
    else if (byte === GREATER) this.#endTag(TEXT);
    else if (this.#state === CLOSE_REST || this.#state === INSTRUCTION) return;
    else if (this.#state === VALUE_START) this.#startValue(byte);
    else if (byte === EQUALS && this.#state === AFTER_ATTRIBUTE_NAME) this.#state = VALUE_START;
    else if (byte > SPACE) this.#startAttribute(byte);
  }

  #endTag(next: number): void {
    const opening = this.#state !== CLOSE_REST && this.#state !== INSTRUCTION;
    this.#state = next;
    if (opening) this.#target.opened(this.#slash);
  }

  #startAttribute(byte: number): void {
    this.#slash = byte === SLASH;
    this.#state = TAG;
    if (this.#slash) return;
    this.#name[0] = lowered(byte);
    this.#nameLength = 1;
    this.#state = ATTRIBUTE_NAME;
  }

  #startValue(byte: number): void {
    if (byte <= SPACE) return;
    this.#value.clear();
    this.#quote = byte;
    this.#state = byte === QUOTE || byte === APOSTROPHE ? VALUE : BARE_VALUE;
    if (this.#state === BARE_VALUE) this.#value.add(Uint8Array.of(byte), 0, 1);
  }

  #readValue(bytes: Uint8Array, at: number): number {
    const bare = this.#state === BARE_VALUE;
    let next = at;
    while (next < bytes.length) {
      const byte = bytes[next] as number;
      if (byte === LESS || (bare ? byte <= SPACE || byte === GREATER : byte === this.#quote)) break;
      next += 1;
    }
    if (this.#attributesWanted) this.#value.add(bytes, at, next);
    if (next === bytes.length) return next;
    this.#state = TAG;
    if (this.#attributesWanted) this.#target.attribute(this.#attribute, this.#value.take());
    return bytes[next] === this.#quote && !bare ? next + 1 : next;
  }

  /** After `<!`: a comment, CDATA, or something like DOCTYPE. */
  #declaration(bytes: Uint8Array, at: number): number {
    const byte = lowered(bytes[at] as number);
    if (byte === MINUS && this.#nameLength < 2) {
      this.#nameLength += 1;
      if (this.#nameLength === 2) this.#state = COMMENT;
      return at + 1;
    }
    if (this.#nameLength === 0 && byte === CDATA_START.charCodeAt(this.#matched)) {
      this.#matched += 1;
      if (this.#matched < CDATA_START.length) return at + 1;
      this.#matched = 0;
      this.#state = CDATA;
      return at + 1;
    }
    this.#state = DOCTYPE;
    return at;
  }

  /** A DOCTYPE may hold declarations in brackets, in which a `>` does not end it. */
  #doctype(byte: number): void {
    if (byte === OPEN_BRACKET) this.#inBrackets = true;
    else if (byte === CLOSE_BRACKET) this.#inBrackets = false;
    else if (byte === GREATER && !this.#inBrackets) this.#state = TEXT;
  }

  #comment(bytes: Uint8Array, at: number): number {
    if (this.#matched === 0) {
      const next = bytes.indexOf(MINUS, at);
      if (next === -1) return bytes.length;
      this.#matched = 1;
      return next + 1;
    }
    const byte = bytes[at] as number;
    if (byte === MINUS) this.#matched = 2;
    else if (byte === GREATER && this.#matched === 2) this.#state = TEXT;
    else this.#matched = 0;
    return at + 1;
  }

  #cdata(bytes: Uint8Array, at: number): number {
    if (this.#matched === 0) {
      const next = bytes.indexOf(CLOSE_BRACKET, at);
      const end = next === -1 ? bytes.length : next;
      if (end > at) this.#target.literal(bytes, at, end);
      if (next !== -1) this.#matched = 1;
      return end + 1;
    }
    const byte = bytes[at] as number;
    if (byte === CLOSE_BRACKET && this.#matched === 1) this.#matched = 2;
    else if (byte === CLOSE_BRACKET) this.#target.literal(BRACKETS, 0, 1);
    else if (byte === GREATER && this.#matched === 2) this.#state = TEXT;
    else {
      this.#target.literal(BRACKETS, 0, this.#matched);
      this.#matched = 0;
      return at;
    }
    return at + 1;
  }
}

function lowered(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
