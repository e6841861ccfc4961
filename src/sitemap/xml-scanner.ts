/**
 * Scans XML as it comes, byte by byte, and never gives up: a file on the web that calls itself XML
 * need not be any. It knows tags, attributes, comments, CDATA, processing instructions and
 * DOCTYPE, and checks nothing. A `<` inside a tag or an attribute begins a new tag, as well-formed
 * XML has none there: so a forgotten quote costs one tag and not the rest of the file.
 *
 * All state is in the object, so chunks may be cut anywhere. Text is UTF-8; names come in lower
 * case. What belongs together is found by `xml-scanner`'s target, not here.
 */
import { NAME_BYTES_MAX, NameTable } from "./name-table.ts";
import { TextCapture } from "./text-capture.ts";

export interface XmlTarget {
  /** A tag begins; true when its attributes are wanted. */
  open(name: string, prefix: string): boolean;
  /** `name` with its prefix; `value` with references undecoded, cut when too long. */
  attribute(name: string, value: string): void;
  /** The tag is over. */
  opened(selfClosing: boolean): void;
  close(name: string, prefix: string): void;
  text(bytes: Uint8Array, from: number, to: number): void;
  /** Text in which `&` means itself. */
  literal(bytes: Uint8Array, from: number, to: number): void;
}

type State =
  | "text"
  | "less-than"
  | "name"
  | "tag"
  | "attribute-name"
  | "after-attribute-name"
  | "value-start"
  | "value"
  | "bare-value"
  | "close-name"
  | "close-rest"
  | "declaration"
  | "comment"
  | "cdata"
  | "doctype"
  | "instruction";

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
const CDATA_START = "[cdata[";
const BRACKETS: Uint8Array = Uint8Array.of(CLOSE_BRACKET, CLOSE_BRACKET);

export class XmlScanner {
  readonly #target: XmlTarget;
  readonly #names = new NameTable();
  readonly #name = new Uint8Array(NAME_BYTES_MAX);
  #nameLength = 0;
  #state: State = "text";
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

  /** Takes one or more bytes from `at` on; returns where to go on. */
  #step(bytes: Uint8Array, at: number): number {
    switch (this.#state) {
      case "text":
        return this.#text(bytes, at);
      case "less-than":
        return this.#lessThan(bytes, at);
      case "name":
      case "close-name":
      case "attribute-name":
        return this.#readName(bytes, at);
      case "value":
      case "bare-value":
        return this.#readValue(bytes, at);
      case "comment":
        return this.#comment(bytes, at);
      case "cdata":
        return this.#cdata(bytes, at);
      case "declaration":
        return this.#declaration(bytes, at);
      default:
        this.#inTag(bytes[at] as number);
        return at + 1;
    }
  }

  #text(bytes: Uint8Array, at: number): number {
    const next = bytes.indexOf(LESS, at);
    const end = next === -1 ? bytes.length : next;
    if (end > at) this.#target.text(bytes, at, end);
    if (next !== -1) this.#state = "less-than";
    return end + 1;
  }

  #lessThan(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number;
    this.#nameLength = 0;
    this.#matched = 0;
    this.#inBrackets = false;
    this.#slash = false;
    if (byte === LESS) return at + 1;
    if (byte === EXCLAMATION) this.#state = "declaration";
    else if (byte === QUESTION) this.#state = "instruction";
    else if (byte === SLASH) this.#state = "close-name";
    else {
      this.#state = byte <= SPACE || byte === GREATER ? "text" : "name";
      return this.#state === "name" ? at : at + 1;
    }
    return at + 1;
  }

  #readName(bytes: Uint8Array, at: number): number {
    let next = at;
    while (next < bytes.length) {
      const byte = bytes[next] as number;
      if (byte <= SPACE || byte === GREATER || byte === SLASH || byte === LESS) break;
      if (byte === EQUALS && this.#state === "attribute-name") break;
      if (this.#nameLength < NAME_BYTES_MAX) this.#name[this.#nameLength++] = lowered(byte);
      next += 1;
    }
    if (next < bytes.length) this.#endName();
    return next;
  }

  /** Leaves the byte that ended the name to the next state. */
  #endName(): void {
    if (this.#state === "attribute-name") {
      this.#attribute = this.#names.nameOf(this.#name, 0, this.#nameLength);
      this.#state = "after-attribute-name";
      return;
    }
    const colon = this.#name.subarray(0, this.#nameLength).indexOf(COLON);
    const prefix = colon === -1 ? "" : this.#names.nameOf(this.#name, 0, colon);
    const name = this.#names.nameOf(this.#name, colon + 1, this.#nameLength);
    if (this.#state === "close-name") {
      this.#state = "close-rest";
      this.#target.close(name, prefix);
    } else {
      this.#state = "tag";
      this.#attributesWanted = this.#target.open(name, prefix);
    }
  }

  /** One byte inside a tag, an instruction or a DOCTYPE, outside names and values. */
  #inTag(byte: number): void {
    if (this.#state === "doctype") this.#doctype(byte);
    else if (byte === LESS) this.#endTag("less-than");
    else if (byte === GREATER) this.#endTag("text");
    else if (this.#state === "close-rest" || this.#state === "instruction") return;
    else if (this.#state === "value-start") this.#startValue(byte);
    else if (byte === EQUALS && this.#state === "after-attribute-name") this.#state = "value-start";
    else if (byte > SPACE) this.#startAttribute(byte);
  }

  #endTag(next: "text" | "less-than"): void {
    const opening = this.#state !== "close-rest" && this.#state !== "instruction";
    this.#state = next;
    if (opening) this.#target.opened(this.#slash);
  }

  #startAttribute(byte: number): void {
    this.#slash = byte === SLASH;
    this.#state = "tag";
    if (this.#slash) return;
    this.#name[0] = lowered(byte);
    this.#nameLength = 1;
    this.#state = "attribute-name";
  }

  #startValue(byte: number): void {
    if (byte <= SPACE) return;
    this.#value.clear();
    this.#quote = byte;
    this.#state = byte === QUOTE || byte === APOSTROPHE ? "value" : "bare-value";
    if (this.#state === "bare-value") this.#value.add(Uint8Array.of(byte), 0, 1);
  }

  #readValue(bytes: Uint8Array, at: number): number {
    const bare = this.#state === "bare-value";
    let next = at;
    while (next < bytes.length) {
      const byte = bytes[next] as number;
      if (byte === LESS || (bare ? byte <= SPACE || byte === GREATER : byte === this.#quote)) break;
      next += 1;
    }
    if (this.#attributesWanted) this.#value.add(bytes, at, next);
    if (next === bytes.length) return next;
    this.#state = "tag";
    if (this.#attributesWanted) this.#target.attribute(this.#attribute, this.#value.take());
    return bytes[next] === this.#quote && !bare ? next + 1 : next;
  }

  /** After `<!`: a comment, CDATA, or something like DOCTYPE. */
  #declaration(bytes: Uint8Array, at: number): number {
    const byte = lowered(bytes[at] as number);
    if (byte === MINUS && this.#nameLength < 2) {
      this.#nameLength += 1;
      if (this.#nameLength === 2) this.#state = "comment";
      return at + 1;
    }
    if (this.#nameLength === 0 && byte === CDATA_START.charCodeAt(this.#matched)) {
      this.#matched += 1;
      if (this.#matched < CDATA_START.length) return at + 1;
      this.#matched = 0;
      this.#state = "cdata";
      return at + 1;
    }
    this.#state = "doctype";
    return at;
  }

  /** A DOCTYPE may hold declarations in brackets, in which a `>` does not end it. */
  #doctype(byte: number): void {
    if (byte === OPEN_BRACKET) this.#inBrackets = true;
    else if (byte === CLOSE_BRACKET) this.#inBrackets = false;
    else if (byte === GREATER && !this.#inBrackets) this.#state = "text";
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
    else if (byte === GREATER && this.#matched === 2) this.#state = "text";
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
    else if (byte === GREATER && this.#matched === 2) this.#state = "text";
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
