/** From what a page writes to where it leads: the standard's document base URL and URL encoding. */
import { type EncodingName, encodeQuery } from "../../charset/index.ts";

/** Schemes that a `<base>` may not have; it counts as absent then. */
const NO_BASE: ReadonlySet<string> = new Set(["data:", "javascript:"]);

/** The URL by which the links of a page are resolved. `documentUrl` is absolute. */
export function documentBase(
  documentUrl: string,
  base: string | undefined,
  encoding: EncodingName,
): string {
  if (base === undefined) return documentUrl;
  const resolved = URL.parse(encodeQuery(base, encoding), documentUrl);
  return resolved === null || NO_BASE.has(resolved.protocol) ? documentUrl : resolved.href;
}

/** The absolute URL of a link, or undefined when it is none. */
export function resolveLink(
  link: string,
  base: string,
  encoding: EncodingName,
): string | undefined {
  return URL.parse(encodeQuery(link, encoding), base)?.href;
}
