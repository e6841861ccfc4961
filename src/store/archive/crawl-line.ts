/**
 * A line of the crawl log: the result of one fetch, as fields separated by one space, in a fixed
 * order (docs/crawl-log.md). Untrusted text in them is made harmless (`line-field.ts`).
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import { clipped, lineField, NO_FIELD } from "./line-field.ts";
import { parsePlace, printPlace, type WarcPlace } from "./warc-place.ts";

export interface CrawlLine {
  /** When the fetch ended, in wall-clock milliseconds. */
  readonly atMs: number;
  /** The status of the answer, or why there was none. */
  readonly result: number | ErrorCode;
  /** Bytes of the body, as received. */
  readonly bodyBytes: number;
  /** As it was sent. */
  readonly url: string;
  readonly depth: number;
  /** The page on which the URL was found; null for a seed. */
  readonly via: string | null;
  /** Type and subtype, lower case. */
  readonly mime: string | null;
  /** `sha1:…` of the body. */
  readonly digest: string | null;
  readonly durationMs: number;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly address: string | null;
  /** The record of the answer. */
  readonly place: WarcPlace | null;
  readonly notes: readonly CrawlNote[];
}

/** An additional fact: a word, and perhaps a detail. */
export type CrawlNote = readonly [word: NoteWord, about?: string];

export type NoteWord =
  /** Not pages: a robots.txt or what it redirects to, and a sitemap, with 2 for one that another names. */
  | "robots"
  | "sitemap"
  /** The page is tried again; without this word and `lost` the line is the page's last. */
  | "retry"
  /** The URL of the page that has the same body, or the same text. */
  | "duplicate"
  | "same-text"
  | "near-duplicate"
  /** The limit that cut the body: `length`, `time` or `disconnect`. */
  | "truncated"
  /** Where a redirect leads. */
  | "redirect"
  /** The content encoding was damaged, so the links of the page were not followed. */
  | "damaged"
  /** Only metadata was archived, as the page asks. */
  | "noarchive"
  /** Nothing was archived, as the `store` filter says. */
  | "unstored"
  /** Fetched because a page needs it to be shown; not a page itself. Beyond one step, how many. */
  | "requisite"
  /** For how many milliseconds the server asks to be left alone. */
  | "rest"
  /** How many redirects in a row led here. */
  | "redirects"
  /** Links from where the host was entered, where that is limited. */
  | "host-depth"
  /** How many links were taken from the page and logged before this line. */
  | "links"
  /** The URL was not requested, since its host cannot be reached. */
  | "unfetched"
  /** The answer is not in the archive, or no longer, and the page is fetched again. */
  | "lost"
  /** Not fetched here: the place that has sent the page; and that which keeps its body, if it is not here. */
  | "from"
  | "kept";

/** Names of types have at most 127 characters on each side of the slash (RFC 6838). */
const MIME_LENGTH_MAX = 255;
/** Of what a note is about; longer than any URL that is fetched by default. */
const ABOUT_LENGTH_MAX = 8192;
const FIXED_FIELDS = 12;

export function printCrawlLine(line: CrawlLine): string {
  const place = line.place === null ? NO_FIELD : printPlace(line.place);
  const fixed =
    `${new Date(line.atMs).toISOString()} ${line.result} ${line.bodyBytes} ${lineField(line.url)} ` +
    `${line.depth} ${lineField(line.via)} ${lineField(clipped(line.mime, MIME_LENGTH_MAX))} ${lineField(line.digest)} ` +
    `${Math.round(line.durationMs)} ${line.attempt} ${lineField(line.address)} ${place} `;
  return fixed + printNotes(line.notes);
}

function printNotes(notes: readonly CrawlNote[]): string {
  if (notes.length === 0) return NO_FIELD;
  let text = "";
  for (const [word, about] of notes) {
    text += `${text === "" ? "" : " "}${word}${about === undefined ? "" : `:${lineField(clipped(about, ABOUT_LENGTH_MAX))}`}`;
  }
  return text;
}

const RESULT = /^(?:[1-9]\d{2}|[A-Z][A-Z0-9_]+)$/;
const WHOLE_NUMBER = /^\d{1,15}$/;

/** The parsed line; null when it is not a line of a crawl log. Escapes stay as they are. */
export function parseCrawlLine(text: string): CrawlLine | null {
  const words = text.split(" ");
  const [time = "", result = "", bytes = "", url = "", depth = "", via = ""] = words;
  const [mime = "", digest = "", duration = "", attempt = "", address = ""] = words.slice(6);
  const placeWord = words[FIXED_FIELDS - 1] ?? "";
  const atMs = Date.parse(time);
  const numbers = [bytes, depth, duration, attempt];
  const isWhole =
    words.length > FIXED_FIELDS &&
    !words.includes("") &&
    !Number.isNaN(atMs) &&
    RESULT.test(result) &&
    numbers.every((number) => WHOLE_NUMBER.test(number));
  const place = parsePlace(placeWord);
  if (!isWhole || (place === null && placeWord !== NO_FIELD)) return null;
  return {
    atMs,
    result: /^\d/.test(result) ? Number(result) : (result as ErrorCode),
    bodyBytes: Number(bytes),
    url,
    depth: Number(depth),
    via: unlessNone(via),
    mime: unlessNone(mime),
    digest: unlessNone(digest),
    durationMs: Number(duration),
    attempt: Number(attempt),
    address: unlessNone(address),
    place,
    notes: parseNotes(words.slice(FIXED_FIELDS)),
  };
}

/** The place in a line that was printed here, without reading the rest of it. */
export function placeIn(text: string): WarcPlace | null {
  let from = 0;
  for (let field = 1; field < FIXED_FIELDS; field += 1) from = text.indexOf(" ", from) + 1;
  return parsePlace(text.slice(from, text.indexOf(" ", from)));
}

function parseNotes(words: readonly string[]): CrawlNote[] {
  if (words[0] === NO_FIELD) return [];
  return words.map((word) => {
    const colon = word.indexOf(":");
    if (colon === -1) return [word as NoteWord];
    return [word.slice(0, colon) as NoteWord, word.slice(colon + 1)];
  });
}

function unlessNone(word: string): string | null {
  return word === NO_FIELD ? null : word;
}

/** The detail of a note; "" when it is a bare word, null when there is no such note. */
export function noteOf(line: CrawlLine, word: NoteWord): string | null {
  const found = line.notes.find(([each]) => each === word);
  return found === undefined ? null : (found[1] ?? "");
}

/** Whether the line is about a page, and not about a robots.txt or a sitemap. */
export function isAboutPage(line: CrawlLine): boolean {
  return noteOf(line, "robots") === null && noteOf(line, "sitemap") === null;
}

/** Whether the page is not fetched again. */
export function isFinal(line: CrawlLine): boolean {
  return noteOf(line, "retry") === null && noteOf(line, "lost") === null;
}
