/**
 * The names of encodings. A label is what a server or an author writes (`latin1`, `UTF8`,
 * `x-sjis`); an encoding name is one of the Encoding standard's forty, in lower case. Many labels
 * mean one encoding, and some mean a different one than they say: `iso-8859-1` is windows-1252.
 */
import { encodings } from "./late-packages.ts";

declare const brand: unique symbol;

/** A name of the Encoding standard in lower case; only `encodingOfLabel` makes one. */
export type EncodingName = string & { readonly [brand]: "EncodingName" };

/** The encoding that a label stands for; undefined if the standard knows none. */
export function encodingOfLabel(label: string | undefined): EncodingName | undefined {
  if (label === undefined) return undefined;
  // A label has at most a few dozen characters; a longer one is an accident or an attack.
  if (label.length > 100) return undefined;
  // What nearly all pages say.
  if (/^utf-8$/i.test(label)) return UTF_8;
  return encodings().labelToName(label)?.toLowerCase() as EncodingName | undefined;
}

export const UTF_8: EncodingName = "utf-8" as EncodingName;
export const UTF_16LE: EncodingName = "utf-16le" as EncodingName;
export const UTF_16BE: EncodingName = "utf-16be" as EncodingName;
export const WINDOWS_1252: EncodingName = "windows-1252" as EncodingName;

/**
 * How the bytes of an encoding can be read as markup.
 * - `utf-8`: as they are;
 * - `single`: every byte is a character, and those below 0x80 are ASCII;
 * - `transcode`: a byte below 0x80 may be half a character, or mean another one after an escape
 *   sequence, so the text has to be decoded first.
 */
export type ByteForm = "utf-8" | "single" | "transcode";

const TRANSCODED: ReadonlySet<string> = new Set([
  "utf-16le",
  "utf-16be",
  "gbk",
  "gb18030",
  "big5",
  "euc-jp",
  "iso-2022-jp",
  "shift_jis",
  "euc-kr",
  "replacement",
]);

export function byteFormOf(encoding: EncodingName): ByteForm {
  if (encoding === UTF_8) return "utf-8";
  return TRANSCODED.has(encoding) ? "transcode" : "single";
}
