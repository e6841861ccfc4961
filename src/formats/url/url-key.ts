/**
 * The key of a URL: what is compared when the crawler asks whether it has seen a URL. Two URLs
 * with one key are one page.
 *
 * The parser has already lower-cased scheme and host, put the host into punycode, dropped the
 * default port, resolved dot segments and given an empty path its slash. The key also has a host
 * without trailing dots, percent-escapes in their normal form, and the optional rules applied.
 *
 * Invariants: the key of a key is itself, and a key is a URL in fetchable form, so a key can be
 * parsed, taken apart and shown like any other URL. Keys do not depend on the public suffix list,
 * which changes with every release: all agents of a crawl, old and new, must agree on them.
 */
import type { Brand } from "./brand.ts";
import { normalEscapes } from "./escapes.ts";
import type { FetchableUrl } from "./fetchable-url.ts";
import { pathByRules } from "./path-rules.ts";
import { queryByRules } from "./query-rules.ts";
import { type KeyHost, partsOf } from "./url-parts.ts";
import { DEFAULT_URL_RULES, type UrlRules } from "./url-rules.ts";

/** Represents a page in every comparison. Only `keyOf` and `LinkResolver` make one. */
export type UrlKey = Brand<string, "UrlKey">;

/** The key under these rules, which must be the same throughout a crawl. */
export function keyOf(url: FetchableUrl | UrlKey, rules: UrlRules = DEFAULT_URL_RULES): UrlKey {
  const { scheme, host, port, path, query } = partsOf(url);
  const keyPath = pathByRules(normalEscapes(path), rules);
  const keyQuery = query === "" ? "" : queryByRules(normalEscapes(query), rules);
  return `${scheme}://${keyHostFor(host, rules)}${port}${keyPath}${keyQuery}` as UrlKey;
}

/** The host that the key of a URL with this host has. */
export function keyHostFor(host: string, rules: UrlRules): KeyHost {
  const rooted = host.endsWith(".") ? withoutTrailingDots(host) : host;
  return (rules.www === "strip" ? withoutWww(rooted) : rooted) as KeyHost;
}

/** The dot of the root names the same host; but the rest must still be a valid name. */
function withoutTrailingDots(host: string): string {
  let length = host.length;
  while (length > 0 && host.charCodeAt(length - 1) === FULL_STOP) length -= 1;
  const name = host.slice(0, length);
  return URL.parse(`http://${name}/`)?.host === name ? name : host;
}

/** Never strips down to a top-level domain. */
function withoutWww(host: string): string {
  let name = host;
  while (name.startsWith("www.") && name.indexOf(".", 4) !== -1) name = name.slice(4);
  return name;
}

const FULL_STOP = 0x2e;
