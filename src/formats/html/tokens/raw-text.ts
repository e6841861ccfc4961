/**
 * Where the content of `script`, `style`, `title` and their kin ends. Inside them nothing is markup
 * but their own end tag; inside a script an HTML comment may hide even that one, by rules which
 * date from the time when scripts were written into comments for the sake of browsers without them.
 */
import { INCOMPLETE, isTagNameEnd } from "./tag-scanner.ts";

const NO_MATCH = 0;
const MATCH = 1;

/**
 * Whether `name`, in any case, is at the position and ends there like the name of a tag.
 * `INCOMPLETE` when all that is there fits and the rest is missing.
 */
function matchName(bytes: Uint8Array, from: number, end: number, name: Uint8Array): number {
  for (let index = 0; index < name.length; index++) {
    if (from + index >= end) return INCOMPLETE;
    if (((bytes[from + index] as number) | 0x20) !== name[index]) return NO_MATCH;
  }
  const after = from + name.length;
  if (after >= end) return INCOMPLETE;
  return isTagNameEnd(bytes[after] as number) ? MATCH : NO_MATCH;
}

/** The standard's script data states: plain, escaped (`<!--`), double escaped (`<!-- <script`). */
const PLAIN = 0;
const ESCAPED = 1;
const DOUBLE_ESCAPED = 2;

const SCRIPT = new Uint8Array([0x73, 0x63, 0x72, 0x69, 0x70, 0x74]);

/** Finds the end tag of the current element. It reads no byte twice except the few it asks to keep. */
export class RawTextScanner {
  #escape = PLAIN;
  #isScript = false;
  /** The name of the element, in lower case. */
  name: Uint8Array = SCRIPT;
  /** Whether the last scan stopped because it needs more bytes. */
  isStarved = false;

  /** The content of such an element begins. */
  begin(name: Uint8Array, isScript: boolean): void {
    this.#escape = PLAIN;
    this.#isScript = isScript;
    this.name = name;
  }

  /**
   * The position of the `</name` that ends the element, or where the scan must go on when more
   * bytes have come (`isStarved`), or `end`.
   */
  scan(bytes: Uint8Array, from: number, end: number, isLast: boolean): number {
    this.isStarved = false;
    for (let at = from; at < end; at++) {
      // Most content is long and has few of these, so here the call of `indexOf` pays off.
      if (this.#escape === PLAIN) at = bytes.indexOf(0x3c, at);
      if (at === -1) return end;
      const byte = bytes[at] as number;
      if (byte === 0x3e && this.#escape !== PLAIN) this.#closeComment(bytes, at, from);
      if (byte !== 0x3c) continue;
      const found = this.#lessThan(bytes, at, end);
      if (found === MATCH) return at;
      if (found === INCOMPLETE && !isLast) {
        this.isStarved = true;
        return at;
      }
    }
    return this.#keepDashes(bytes, from, end, isLast);
  }

  /** `-->` ends both escapes; its dashes may be those of the `<!--` that began them. */
  #closeComment(bytes: Uint8Array, at: number, from: number): void {
    if (at - 2 >= from && bytes[at - 1] === 0x2d && bytes[at - 2] === 0x2d) this.#escape = PLAIN;
  }

  /** `MATCH` when the script ends at this `<`. */
  #lessThan(bytes: Uint8Array, at: number, end: number): number {
    if (at + 1 >= end) return INCOMPLETE;
    const next = bytes[at + 1];
    if (next === 0x2f) {
      if (this.#escape !== DOUBLE_ESCAPED) return matchName(bytes, at + 2, end, this.name);
      const found = matchName(bytes, at + 2, end, SCRIPT);
      if (found === MATCH) this.#escape = ESCAPED;
      return found === INCOMPLETE ? INCOMPLETE : NO_MATCH;
    }
    if (!this.#isScript) return NO_MATCH;
    if (this.#escape === PLAIN) return next === 0x21 ? this.#openComment(bytes, at, end) : NO_MATCH;
    if (this.#escape === DOUBLE_ESCAPED) return NO_MATCH;
    const found = matchName(bytes, at + 1, end, SCRIPT);
    if (found === MATCH) this.#escape = DOUBLE_ESCAPED;
    return found === INCOMPLETE ? INCOMPLETE : NO_MATCH;
  }

  #openComment(bytes: Uint8Array, at: number, end: number): number {
    for (let index = at + 2; index < at + 4; index++) {
      if (index >= end) return INCOMPLETE;
      if (bytes[index] !== 0x2d) return NO_MATCH;
    }
    this.#escape = ESCAPED;
    return NO_MATCH;
  }

  /** Dashes at the end may begin a `-->`: they have to be scanned again. */
  #keepDashes(bytes: Uint8Array, from: number, end: number, isLast: boolean): number {
    if (isLast || this.#escape === PLAIN) return end;
    let at = end;
    while (at > from && at > end - 2 && bytes[at - 1] === 0x2d) at--;
    this.isStarved = at < end;
    return at;
  }
}
