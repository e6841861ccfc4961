/** What is known of a page before and after it is parsed. */

import type { CrawlError } from "../../base/errors/index.ts";
import type { Body, Header } from "../../base/seams/index.ts";
import type { EncodingName } from "../../formats/charset/index.ts";
import type { Declared, Page } from "../../formats/html/index.ts";
import type { PageDirectives } from "../../formats/robots/index.ts";

/** What a parser must know of an answer. */
export interface ParseSource {
  /** Absolute, as it was fetched. */
  readonly url: string;
  readonly headers: readonly Header[];
  /** The body as received, if the one to be parsed was decoded from it. */
  readonly received?: Body | undefined;
  /** Where a redirect leads; two redirects are duplicates only if they lead to the same place. */
  readonly redirectTo?: string | undefined;
  /** Whether a robots.txt or a sitemap index names this URL. */
  readonly isSitemap?: boolean | undefined;
  /** Whether the end of the body is missing: a link that it cuts is not taken. */
  readonly isCut?: boolean | undefined;
}

/** A link as written in its document. */
export interface FoundLink {
  /** As written; to be resolved by the page's `base`. */
  readonly url: string;
  /**
   * A kind of HTML link (`a`, `img`, …), `link` also for a `Link` header, `sitemap` for an entry of
   * a sitemap, `feed` for one of RSS or Atom, `string` for a URL in a text or script.
   */
  readonly kind: string;
  /**
   * The value of `rel`; "" when absent. An entry of a sitemap that is a sitemap itself has
   * `sitemap`, the same page in another language `alternate`.
   */
  readonly rel: string;
  /** The text of the link; "" when there is none. */
  readonly text: string;
}

/** What a parser found in a document; what it did not look for, or did not find, is empty. */
export interface Findings extends Omit<Page, "encoding" | "encodingSource" | "links"> {
  /** "" for what is not text, and where all links are absolute. */
  readonly encoding: EncodingName | "";
  readonly links: readonly FoundLink[];
}

/** The findings of a document in which nothing was found. */
export const NOTHING_FOUND: Findings = {
  encoding: "",
  links: [],
  linksTooLong: 0,
  base: undefined,
  title: "",
  description: "",
  canonical: undefined,
  language: "",
  robots: [],
  text: "",
  declared: null,
  truncated: [],
};

/** 64 bits as two unsigned halves. */
export interface Digest64 {
  readonly high: number;
  readonly low: number;
}

export interface ParsedPage
  extends Pick<
    Findings,
    "encoding" | "title" | "description" | "links" | "linksTooLong" | "truncated"
  > {
  /** Which parser read it: `html`, `sitemap`, `feed`, `text`, `binary`, or a module's name. */
  readonly parser: string;
  /** The media type that the header declares or, if it declares none, that of the parser. */
  readonly media: string;
  /** Absolute; "" when the page names none. */
  readonly canonical: string;
  /** From the page or its `Content-Language`; often wrong. */
  readonly declaredLanguage: string;
  /** Identified from the text: ISO 639-1, "" when not asked for or not identified. */
  readonly language: string;
  /** Absolute; the links are relative to it. */
  readonly base: string;
  /** After the instant of an `unavailable_after` a page counts as `noindex` and `noarchive`. */
  readonly directives: PageDirectives;
  /** "" unless `parse.text` asks for it. */
  readonly text: string;
  /** What the page declares of itself; its URLs are absolute. Null unless asked for. */
  readonly declared: Declared | null;
  /** The words of the text with their counts; null unless `parse.words` asks for them. */
  readonly words: ReadonlyMap<string, number> | null;
  /** The digest of the stripped page, or of any other body; null for an empty one. */
  readonly stripped: Digest64 | null;
  /** The SimHash of the text; null if there are too few words, or it is not asked for. */
  readonly near: Digest64 | null;
  /** SHA-1 of the body as received: twenty bytes, none when it could not be read. */
  readonly payloadSha1: Uint8Array;
  /** Why the body could not be read to its end, if so; the page is what was read before. */
  readonly failure: CrawlError | null;
  /** An internal fault that lost nothing. */
  readonly fault?: CrawlError | undefined;
}

/** Sixteen digits, lower case. */
export function digestHex({ high, low }: Digest64): string {
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}
