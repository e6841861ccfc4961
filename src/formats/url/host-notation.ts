/**
 * Hosts written from the most general label to the most specific, so that sorting puts the hosts
 * of one domain together. Addresses are left as they are: they begin with the general part.
 */
import type { FetchableUrl } from "./fetchable-url.ts";
import type { UrlKey } from "./url-key.ts";
import { partsOf } from "./url-parts.ts";

/**
 * The sort-friendly form (SURT) that indexes of web archives use: `hu,bme,www:8080)/path?query`
 * for `http://www.bme.hu:8080/path?query`. The scheme is left out.
 */
export function surtOf(url: FetchableUrl | UrlKey): string {
  const { host, port, path, query } = partsOf(url);
  return `${reversed(host)}${port})${path}${query}`;
}

/** The parser writes every IPv4 address as four decimal numbers, and IPv6 in brackets. */
export function isAddress(host: string): boolean {
  return host.startsWith("[") || FOUR_NUMBERS.test(host);
}

const FOUR_NUMBERS = /^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$/;

function reversed(host: string): string {
  return isAddress(host) ? host : host.split(".").reverse().join(",");
}
