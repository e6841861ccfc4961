/**
 * URL-like strings in inline scripts: what a page may load or lead to by JavaScript, found without
 * running any. A string counts when it is quoted and looks like an absolute URL, a path, or the
 * name of a page; anything with white space, braces or brackets does not, which keeps templates,
 * regular expressions and markup out. What comes out is a guess, so these links have a kind of
 * their own.
 *
 * Every quote is tried as the beginning of a string, since quotes in comments and regular
 * expressions make pairs uncertain; a try ends at the next quote or at the first character that no
 * URL has, so the search is linear.
 */

import { Utf8Buffer } from "../tokens/utf8-buffer.ts";
import type { HighBytes } from "../values.ts";

/** Longer strings are data. */
const STRING_MAX = 2048;

const LEGAL = new Uint8Array(128);
for (let code = 0x21; code < 0x7f; code++) LEGAL[code] = 1;
for (const character of "\"'`<>{}[]()|^*$\\") LEGAL[character.charCodeAt(0)] = 0;

const ABSOLUTE = /^(?:https?:)?\/\/[^/?#:@]+\.[^/?#]+/i;
const PATH = /^\.{0,2}\/[\w~%.-][\w~%./,;:@&=+?!#-]*$/;
const PAGE_NAME = /^[\w~%.-]+(?:\/[\w~%.-]+)*\.(?:html?|php|aspx?|jsp|cgi|xml|json)(?:[?#].*)?$/i;

/** The URL-like strings of a script, in order, including repetitions. */
export function urlStrings(script: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < script.length; ) {
    const quote = script.charCodeAt(at);
    if (quote !== 0x22 && quote !== 0x27 && quote !== 0x60) {
      at++;
      continue;
    }
    const end = legalEnd(script, at + 1);
    if (script.charCodeAt(end) === quote) {
      const text = unescaped(script.slice(at + 1, end));
      if (looksLikeUrl(text)) found.push(text);
    }
    at = Math.max(end, at + 1);
  }
  return found;
}

function legalEnd(script: string, from: number): number {
  let at = from;
  const stop = Math.min(script.length, from + STRING_MAX);
  while (at < stop) {
    const code = script.charCodeAt(at);
    // An escape of a character that may occur in a URL: `\/` in JSON, `\u002F`, `\x2f`.
    if (code === 0x5c && /[/ux]/.test(script[at + 1] ?? "")) at += 2;
    else if (code < 0x80 && LEGAL[code] === 0) break;
    else at++;
  }
  return Math.min(at, script.length);
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|\/)/gi, (_, wide, narrow) => {
    const digits = wide ?? narrow;
    return digits === undefined ? "/" : String.fromCharCode(Number.parseInt(digits, 16));
  });
}

function looksLikeUrl(text: string): boolean {
  return text.length > 2 && (ABSOLUTE.test(text) || PATH.test(text) || PAGE_NAME.test(text));
}

/** Collects the text of one script after another, up to a limit. */
export class ScriptText {
  readonly #bytesMax: number;
  readonly #highBytes: HighBytes;
  readonly #bytes = new Utf8Buffer(1024);
  isCut = false;

  constructor(bytesMax: number, highBytes: HighBytes) {
    this.#bytesMax = bytesMax;
    this.#highBytes = highBytes;
  }

  clear(): void {
    this.#bytes.clear();
    this.isCut = false;
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    const room = this.#bytesMax - this.#bytes.length;
    const stop = Math.min(to, from + room);
    if (stop < to) this.isCut = true;
    for (let at = from; at < stop; at++) {
      const byte = bytes[at] as number;
      if (byte < 0x80) this.#bytes.pushCodePoint(byte);
      else if (this.#highBytes === undefined) this.#bytes.pushHighByte(byte);
      else this.#bytes.pushCodePoint(this.#highBytes[byte - 0x80] as number);
    }
  }

  /** Returns the text so far and clears it. */
  take(): string {
    const text = this.#bytes.slice(0, this.#bytes.length);
    this.#bytes.clear();
    return text;
  }
}
