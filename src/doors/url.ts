/** `trobar/url`: what is sent for a URL, what it is compared by, and where its host belongs. */
import {
  DEFAULT_URL_RULES,
  registrableDomain as domainOf,
  type FetchableUrl,
  hostOf,
  keyOf,
  parseUrl,
  surtOf,
  URL_REFUSALS,
  type UrlRefusal,
  type UrlRules,
} from "../formats/url/index.ts";

export { URL_REFUSALS, type UrlRefusal, type UrlRules };

export interface UrlOptions {
  /** What a relative text is resolved against: an absolute URL. */
  readonly base?: string | undefined;
}

/** A URL, or why a text is not one that can be crawled. */
export type UrlReading =
  | { readonly url: string; readonly refusal: null }
  | { readonly url: null; readonly refusal: UrlRefusal };

/** Reads any text as an http or https URL; `URL_REFUSALS` explains refusals in words. */
export function readUrl(text: string, options: UrlOptions = {}): UrlReading {
  const outcome = parseUrl(text, { base: options.base });
  if (outcome.kind === "refused") return { url: null, refusal: outcome.reason };
  return { url: outcome.url, refusal: null };
}

/**
 * The URL as it is sent: by the WHATWG standard, without fragment, user name and password. Null if the
 * text is not an http or https URL.
 */
export function canonicalUrl(text: string, options: UrlOptions = {}): string | null {
  return readUrl(text, options).url;
}

/**
 * What URLs are compared by: two URLs with one key are one page. Percent-escapes have their normal form,
 * and the rules, those of the configuration's `url`, are applied; by default session identifiers are
 * stripped. Null if the text is not an http or https URL.
 */
export function urlKey(
  text: string,
  options: UrlOptions & { readonly rules?: Partial<UrlRules> | undefined } = {},
): string | null {
  const url = fetchable(text, options);
  return url === null ? null : keyOf(url, { ...DEFAULT_URL_RULES, ...options.rules });
}

/**
 * The domain that somebody registered, by the public suffix list: `example.co.uk` for
 * `https://www.example.co.uk/`. Null for addresses, public suffixes and single labels.
 */
export function registrableDomain(url: string): string | null {
  const parsed = fetchable(url);
  return parsed === null ? null : domainOf(hostOf(parsed));
}

/** The form by which web archives sort: `uk,co,example,www)/path`. Null if it is not a URL. */
export function surt(url: string): string | null {
  const parsed = fetchable(url);
  return parsed === null ? null : surtOf(parsed);
}

function fetchable(text: string, { base }: UrlOptions = {}): FetchableUrl | null {
  const outcome = parseUrl(text, { base });
  return outcome.kind === "accepted" ? outcome.url : null;
}
