/**
 * What a filter looks at. Atoms see the crawler's own objects through these narrow interfaces, so
 * nothing is copied or allocated for a filter: an implementation may compute each part when it is
 * first read (a getter is enough), and an atom reads only the parts that it needs.
 *
 * The views form a small order: whatever can be seen in a URL can also be seen in a hop (a URL
 * with the way it was reached), whatever can be seen in a hop also in a link and in a response,
 * and so on. `CONTAINS` is that order as a table; it is what makes an atom on URLs fit everywhere
 * and a response atom in the `schedule` filter a mistake that is found when the filter is loaded.
 */

/** A URL in its fetchable form: absolute, without fragment, host in lower case. */
export interface UrlView {
  readonly href: string;
  /** Without the colon: `https`. */
  readonly scheme: string;
  /** Without port: `www.example.org`, `192.0.2.1`, `[2001:db8::1]`. */
  readonly host: string;
  /** The port that is connected to, also when it is the scheme's own; 0 where there is none. */
  readonly port: number;
  /** From the first slash to the query; at least `/`. */
  readonly path: string;
  /** What follows the question mark; empty when there is none. */
  readonly query: string;
  /** The registrable domain, or the host itself where it has none (an address, a bare suffix). */
  readonly domain: string;
}

/** A URL and how it was reached. This much is kept with a URL until it has been fetched. */
export interface HopView extends UrlView {
  /** The page that led here; undefined for a seed. */
  readonly source: UrlView | undefined;
  /** The shortest known distance from a seed; a seed is at 0. */
  readonly depth: number;
}

/** A link as it stands in its page. Its text and its kind are not kept once it is scheduled. */
export interface LinkView extends HopView {
  /** The element that holds it, as in the key `parse.links`: `a`, `img`, `refresh`. */
  readonly kind: string;
  /** The value of its `rel`, as written; empty when there is none. */
  readonly rel: string;
  /** Whether the link or its page asks not to be followed. */
  readonly nofollow: boolean;
  /** The text of the link; empty when there is none. */
  readonly anchor: string;
}

export interface ResponseView extends HopView {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The length of the body that was received, in bytes; not what a header claims. */
  readonly bodyBytes: number;
  /** The value of the first header of this name (lower case), or undefined. */
  header(name: string): string | undefined;
  /** The beginning of the body, at most this many bytes. Do not keep it: the memory is reused. */
  bodyPrefix(bytesMax: number): Uint8Array;
}

/** A response after parsing. What the parser did not find out is empty or false. */
export interface PageView extends ResponseView {
  /** A language tag such as `en` or `pt-BR`; empty when unknown. */
  readonly language: string;
  /** The digest of the payload in lower-case hexadecimal; empty when there is none. */
  readonly digest: string;
  readonly isDuplicate: boolean;
  readonly isNearDuplicate: boolean;
}

export interface ViewOf {
  readonly url: UrlView;
  readonly hop: HopView;
  readonly link: LinkView;
  readonly response: ResponseView;
  readonly page: PageView;
}

/** The names of the views, by which an atom says what it looks at. */
export type Sight = keyof ViewOf;

/** Something that has every part of every view. A predicate on less is one on this, too. */
export type AnyView = LinkView & PageView;

export type Predicate<View = AnyView> = (view: View) => boolean;

/** For each thing that a filter may be given, which views it contains. */
export const CONTAINS: Readonly<Record<Sight, readonly Sight[]>> = {
  url: ["url"],
  hop: ["url", "hop"],
  link: ["url", "hop", "link"],
  response: ["url", "hop", "response"],
  page: ["url", "hop", "response", "page"],
};

/** Where a filter is used: its name in messages, and what it is given to see. */
export interface FilterPlace<Seen extends Sight = Sight> {
  readonly name: string;
  readonly sees: Seen;
}

/** The five filters of a crawl, in the order in which a URL meets them. */
export const FILTER_PLACES: {
  readonly schedule: FilterPlace<"link">;
  readonly fetch: FilterPlace<"url">;
  readonly parse: FilterPlace<"response">;
  readonly follow: FilterPlace<"page">;
  readonly store: FilterPlace<"page">;
} = {
  schedule: { name: "the `schedule` filter", sees: "link" },
  fetch: { name: "the `fetch` filter", sees: "url" },
  parse: { name: "the `parse` filter", sees: "response" },
  follow: { name: "the `follow` filter", sees: "page" },
  store: { name: "the `store` filter", sees: "page" },
};

const AS_OBJECT: Readonly<Record<Sight, string>> = {
  url: "a URL",
  hop: "how a URL was reached",
  link: "a link",
  response: "a response",
  page: "a parsed page",
};

const AS_SEEN: Readonly<Record<Sight, string>> = {
  url: "only URLs",
  hop: "only URLs and how they were reached",
  link: "only links",
  response: "responses",
  page: "pages",
};

/** Why an atom does not fit a place, or undefined when it does. */
export function whyUnseen(atom: string, looksAt: Sight, place: FilterPlace): string | undefined {
  if (CONTAINS[place.sees].includes(looksAt)) return undefined;
  const reason = `${atom} looks at ${AS_OBJECT[looksAt]}; ${place.name} sees ${AS_SEEN[place.sees]}`;
  if (place.sees !== "response" && place.sees !== "page") return reason;
  return looksAt === "page"
    ? `${reason} before they are parsed`
    : `${reason}, for which the text and the kind of the link are not kept`;
}
