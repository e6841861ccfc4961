/**
 * A page as one row of data: the fields of "a page as JSON", which `--pages` writes and every other
 * view of a crawl's pages shares. Names and order are fixed; what is absent is null.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { AlternateUrl } from "../texts/index.ts";

export interface PageRow {
  readonly url: string;
  /** 0 when there was no answer; `error` then says why. */
  readonly status: number;
  /** Type and subtype, lower case. */
  readonly mime: string | null;
  readonly charset: string | null;
  /** Of the body, as received. */
  readonly bytes: number;
  readonly depth: number;
  /** The page that led here; null for a seed. */
  readonly via: string | null;
  readonly title: string | null;
  /** As identified, else as the page declares it. */
  readonly language: string | null;
  /** When the fetch ended: ISO 8601, UTC, milliseconds. */
  readonly fetchedAt: string;
  /** `sha1:…` of the body as received. */
  readonly digest: string | null;
  /** Sixteen hexadecimal digits. */
  readonly simhash: string | null;
  /** The page with the same body, or, where an index of pages is kept, the same text. */
  readonly duplicateOf: string | null;
  readonly nearDuplicateOf: string | null;
  readonly redirectTo: string | null;
  /** What cut the body short: `length`, `time` or `disconnect`. */
  readonly truncated: string | null;
  readonly error: ErrorCode | null;
  /** The file of the archive that holds the answer, and where in it; null when it was not kept. */
  readonly warc: string | null;
  readonly offset: number | null;
  readonly length: number | null;
  /** Present only on files that a page needs to be shown, which are not pages themselves. */
  readonly requisite?: true;
  /** Present only where the text is requested. */
  readonly text?: string | null;
  /** Present only where Markdown is requested: the main content. */
  readonly markdown?: string | null;
  /** Present only where words are counted: how often each occurs in the text. */
  readonly words?: Readonly<Record<string, number>> | null;
  /** Present only where the text is requested from a crawl that has kept texts. */
  readonly description?: string | null;
  readonly canonical?: string | null;
  readonly alternates?: readonly AlternateUrl[];
  readonly published?: string | null;
  readonly modified?: string | null;
  readonly types?: readonly string[];
  /** Present only where the links are requested. */
  readonly links?: readonly RowLink[] | null;
  /** Present only in stores that keep content: the head of the answer, and its content in base64. */
  readonly headers?: readonly (readonly [name: string, value: string])[] | null;
  readonly body?: string | null;
}

/** A link of a page, with its absolute URL. */
export interface RowLink {
  readonly url: string;
  readonly kind: string;
  readonly rel: string;
  readonly text: string;
}

/** The fields that every row has, in their order. */
export const PAGE_FIELDS: readonly (keyof PageRow)[] = [
  "url",
  "status",
  "mime",
  "charset",
  "bytes",
  "depth",
  "via",
  "title",
  "language",
  "fetchedAt",
  "digest",
  "simhash",
  "duplicateOf",
  "nearDuplicateOf",
  "redirectTo",
  "truncated",
  "error",
  "warc",
  "offset",
  "length",
];

/** The names that fields of other origin must not have. */
export const OWN_FIELDS: readonly string[] = [
  ...PAGE_FIELDS,
  ...["requisite", "text", "markdown", "links", "cursor"],
];
