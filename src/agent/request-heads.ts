/**
 * What a crawl says of itself with every request: who it is, where to complain, what it can read.
 * The `Host` header is the connection's affair.
 */
import type { Configuration } from "../config/index.ts";
import type { Header } from "../seams/index.ts";

/** The User-Agent header: as configured, or the program's name with where to complain. */
export function userAgentOf({ userAgent, contact }: Configuration, version: string): string {
  if (userAgent !== null) return userAgent;
  return contact === null ? `Trobar/${version}` : `Trobar/${version} (+${contact})`;
}

const ACCEPTED_TYPES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const ACCEPTED_ENCODINGS = "gzip, deflate, br, zstd";

export function pageHeaders(configuration: Configuration, version: string): readonly Header[] {
  const { contact } = configuration;
  const isMail = contact?.includes("@") === true && !contact.includes("/");
  return [
    ["User-Agent", userAgentOf(configuration, version)],
    ["Accept", ACCEPTED_TYPES],
    ["Accept-Encoding", ACCEPTED_ENCODINGS],
    ...(isMail ? [["From", contact] as const] : []),
  ];
}
