/**
 * Plain text as a page: its text, and the absolute URLs written in it as links of the kind
 * `string`. A URL ends where white space, a quote or a bracket begins; punctuation after it is the
 * sentence's.
 */
import assert from "node:assert/strict";
import { decodeText, sniff } from "../charset/index.ts";
import { type ExtractOptions, extractSettings } from "./extract-options.ts";
import type { Link, Page, Truncation } from "./page.ts";
import type { PageSource } from "./page-parser.ts";

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`{}|\\^[\]]{1,2048}/gi;
const PUNCTUATION = ".,;:!?)*_";

/** Of `options` only the limits count, and whether text and the kind `string` are asked for. */
export function readPlainText(
  bytes: Uint8Array,
  source: PageSource = {},
  options: ExtractOptions = {},
): Page {
  const settings = extractSettings(options);
  const sniffed = sniff(bytes, true, {
    header: source.headerEncoding,
    fallback: source.fallbackEncoding,
    isMarkup: false,
  });
  assert(sniffed !== undefined, "the end of a text settles its encoding");
  const decoded = decodeText(bytes.subarray(sniffed.markBytes), sniffed.encoding);
  const links = settings.kinds.has("string")
    ? linksIn(decoded, settings.linksMax + 1, source.isCut)
    : [];
  const text = folded(decoded);
  const truncated: Truncation[] = [];
  if (links.length > settings.linksMax) truncated.push("links");
  if (settings.textBytesMax > 0 && text.length > settings.textBytesMax) truncated.push("text");
  return {
    encoding: sniffed.encoding,
    encodingSource: sniffed.source,
    links: links.slice(0, settings.linksMax),
    linksTooLong: 0,
    base: undefined,
    title: "",
    description: "",
    canonical: undefined,
    language: "",
    robots: [],
    text: text.slice(0, settings.textBytesMax),
    declared: null,
    truncated,
  };
}

function linksIn(text: string, countMax: number, isCut = false): Link[] {
  const links: Link[] = [];
  for (const { 0: written, index } of text.matchAll(URL_IN_TEXT)) {
    if (links.length === countMax) break;
    if (isCut && index + written.length === text.length) break;
    let to = written.length;
    while (PUNCTUATION.includes(written[to - 1] as string)) to--;
    links.push({ url: written.slice(0, to), kind: "string", rel: "", text: "" });
  }
  return links;
}

/** Like the text of a page: single spaces, single line feeds, none at the ends, no NUL. */
function folded(text: string): string {
  return text
    .replaceAll("\0", "")
    .replace(/[\t\f ]+/g, " ")
    .replace(/ ?[\r\n][\r\n ]*/g, "\n")
    .replace(/^[ \n]|[ \n]$/g, "");
}
