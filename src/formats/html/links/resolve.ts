/** Resolves the links of a page: the standard's document base URL and URL encoding. */
import { type EncodingName, encodeQuery } from "../../charset/index.ts";

/** A `<base>` with one of these schemes counts as absent. */
const NO_BASE: ReadonlySet<string> = new Set(["data:", "javascript:"]);

/** The URL against which the links of a page are resolved. `documentUrl` is absolute. */
export function documentBase(
  documentUrl: string,
  base: string | undefined,
  encoding: EncodingName,
): string {
  if (base === undefined) return documentUrl;
  const resolved = URL.parse(encodeQuery(base, encoding), documentUrl);
  return resolved === null || NO_BASE.has(resolved.protocol) ? documentUrl : resolved.href;
}

/** The absolute URL of a link; undefined if it is not a URL. */
export function resolveLink(
  link: string,
  base: string,
  encoding: EncodingName,
): string | undefined {
  return URL.parse(encodeQuery(link, encoding), base)?.href;
}
