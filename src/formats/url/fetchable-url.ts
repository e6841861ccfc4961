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
 * So are the schemes of protocol modules. Their URLs are read like those of http, whose hosts,
 * ports and paths the parser understands; by itself it would leave most of them as written.
 *
 * Invariant: a `FetchableUrl` is ASCII, begins with a scheme and `://`, has a host unless it is a
 * file, has a path, and is its own fetchable form.
 */
import type { Brand } from "./brand.ts";
import { NO_SCHEMES, portOfScheme } from "./scheme.ts";
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
  /** The schemes that are accepted besides http and https, without their colons. */
  readonly schemes?: ReadonlySet<string>;
}

/** Accepts or refuses any string; never throws. */
export function parseUrl(text: string, options: ParseOptions = {}): UrlOutcome {
  const { schemes = NO_SCHEMES } = options;
  const parsed = URL.parse(text, options.base);
  if (parsed === null) return refused(whyRefused(text, options.base, schemes));
  const { href } = parsed;
  const isFile = options.files === true && href.startsWith("file:///");
  let url: string;
  if (isFile || isWeb(href)) url = withoutUserinfo(withoutFragment(href));
  else if (!schemes.has(parsed.protocol.slice(0, -1))) return refused("scheme-unsupported");
  else if (parsed.host === "") return refused("host-missing");
  else {
    const read = readLikeWeb(parsed);
    if (read === null) return refused("host-invalid");
    url = read;
  }
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

/** The fetchable form of a URL that has a host, whatever its scheme; null if the host is none. */
function readLikeWeb({ protocol, href, port }: URL): string | null {
  const web = URL.parse(`http://${href.slice(protocol.length + 2)}`);
  if (web === null) return null;
  const isOwn = port === "" || Number(port) === portOfScheme(protocol.slice(0, -1));
  return `${protocol}//${web.hostname}${isOwn ? "" : `:${port}`}${web.pathname}${web.search}`;
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
