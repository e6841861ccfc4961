/**
 * Node's parser says only that a text is not a URL. This finds the reason, in the order in which
 * the parser checks: base, scheme, host, port. It is called only for texts that failed, so it need
 * not be fast, but takes no more than a few passes over the text.
 */
import { withoutSpaceAround } from "./space-around.ts";
import type { UrlRefusal } from "./url-refusal.ts";

/** For a text that did not parse against this base. */
export function whyRefused(
  text: string,
  base: string | undefined,
  schemes: ReadonlySet<string>,
): UrlRefusal {
  const isFetched = (scheme: string): boolean =>
    isWebScheme(scheme) || schemes.has(scheme.slice(0, -1).toLowerCase());
  const parsedBase = base === undefined ? null : URL.parse(base);
  if (base !== undefined && parsedBase === null) return "base-invalid";
  // Tabs and line ends are dropped wherever they are.
  const bare = withoutSpaceAround(text).replaceAll(/[\t\n\r]/g, "");
  const scheme = SCHEME.exec(bare)?.[0];
  if (scheme !== undefined) {
    return isFetched(scheme) ? authorityFault(bare.slice(scheme.length)) : "scheme-unsupported";
  }
  if (parsedBase === null) return "base-missing";
  // A relative text can fail only by an authority of its own, or on a base that has no path.
  return isFetched(parsedBase.protocol) ? authorityFault(bare) : "base-invalid";
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

function isWebScheme(scheme: string): boolean {
  const lower = scheme.toLowerCase();
  return lower === "http:" || lower === "https:";
}

/** What is wrong between the slashes after the scheme and the path. */
function authorityFault(rest: string): UrlRefusal {
  const authority = rest.replace(/^[/\\]*/, "").split(/[/\\?#]/, 1)[0] ?? "";
  const hostAndPort = authority.slice(authority.lastIndexOf("@") + 1);
  const portAt = hostAndPort.endsWith("]") ? -1 : hostAndPort.lastIndexOf(":");
  const host = portAt === -1 ? hostAndPort : hostAndPort.slice(0, portAt);
  if (host === "") return "host-missing";
  return portAt !== -1 && URL.canParse(`http://${host}/`) ? "port-invalid" : "host-invalid";
}
