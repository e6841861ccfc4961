/**
 * The fetchable form of a URL: what is sent to a server. It is the result of Node's WHATWG URL
 * parser without the two parts that this crawler never sends:
 * - the fragment, which HTTP does not send;
 * - user name and password, since a crawler must not try credentials that a page gave it, nor keep
 *   them (docs/adr/0010).
 *
 * Files of this machine are let in only where the caller asks for it (seeds, and links of pages
 * that are files themselves), and never those of another machine.
 *
 * Invariant: a `FetchableUrl` is ASCII, begins with `http://`, `https://` or `file:///`, has a
 * path, and is its own fetchable form.
 */
import type { Brand } from "./brand.ts";
import type { UrlRefusal } from "./url-refusal.ts";
import { whyRefused } from "./why-refused.ts";

/** An absolute URL as it is sent. Only `parseUrl` and `LinkResolver` make one. */
export type FetchableUrl = Brand<string, "FetchableUrl">;

export type UrlOutcome =
  | { readonly kind: "accepted"; readonly url: FetchableUrl }
  | { readonly kind: "refused"; readonly reason: UrlRefusal };

/** No URL is longer than this, whatever limit is asked for. */
export const URL_LENGTH_MAX = 65_536;

export interface ParseOptions {
  /** Any absolute URL; what a relative text is resolved against. */
  readonly base?: string | undefined;
  /** The longest fetchable form that is accepted, in characters; at most `URL_LENGTH_MAX`. */
  readonly lengthMax?: number | undefined;
  /** Whether `file:` URLs are accepted. */
  readonly files?: boolean;
}

/** Accepts or refuses any string; never throws. */
export function parseUrl(text: string, options: ParseOptions = {}): UrlOutcome {
  const href = URL.parse(text, options.base)?.href;
  if (href === undefined) return refused(whyRefused(text, options.base));
  const isFile = options.files === true && href.startsWith("file:///");
  if (!isFile && !isWeb(href)) return refused("scheme-unsupported");
  const url = withoutUserinfo(withoutFragment(href));
  const lengthMax = Math.min(options.lengthMax ?? URL_LENGTH_MAX, URL_LENGTH_MAX);
  if (url.length > lengthMax) return refused("url-too-long");
  return { kind: "accepted", url: url as FetchableUrl };
}

function refused(reason: UrlRefusal): UrlOutcome {
  return { kind: "refused", reason };
}

function isWeb(href: string): boolean {
  return href.startsWith("https://") || href.startsWith("http://");
}

/** In a serialised URL a bare `#` occurs only where the fragment begins. */
function withoutFragment(href: string): string {
  const fragmentAt = href.indexOf("#");
  return fragmentAt === -1 ? href : href.slice(0, fragmentAt);
}

/** In a serialised URL a bare `@` before the path occurs only after the user's name. */
function withoutUserinfo(href: string): string {
  const authorityAt = href.indexOf("//") + 2;
  const pathAt = href.indexOf("/", authorityAt);
  const signAt = href.lastIndexOf("@", pathAt);
  if (signAt < authorityAt) return href;
  return href.slice(0, authorityAt) + href.slice(signAt + 1);
}
