/**
 * What a crawl says about itself with every request: who it is, where to complain, what it can read.
 * The connection adds the `Host` header.
 */

import type { Header } from "../../../base/seams/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";

/** The User-Agent header: as configured, or the program's name with where to complain. */
export function userAgentOf({ userAgent, contact }: Configuration, version: string): string {
  if (userAgent !== null) return userAgent;
  return contact === null ? `Trobar/${version}` : `Trobar/${version} (+${contact})`;
}

const ACCEPTED_TYPES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const ACCEPTED_ENCODINGS = "gzip, deflate, br, zstd";

/** A header of `fetch.headers` replaces ours of the same name, or follows them. */
export function pageHeaders(configuration: Configuration, version: string): readonly Header[] {
  const mail = mailOf(configuration.contact);
  const ours: readonly Header[] = [
    ["User-Agent", userAgentOf(configuration, version)],
    ["Accept", ACCEPTED_TYPES],
    ["Accept-Encoding", ACCEPTED_ENCODINGS],
    ...(mail === null ? [] : [["From", mail] as const]),
  ];
  const given = new Map(
    configuration.fetch.headers.map((header) => [header[0].toLowerCase(), header]),
  );
  const headers = ours.map((header) => {
    const own = given.get(header[0].toLowerCase());
    given.delete(header[0].toLowerCase());
    return own ?? header;
  });
  return [...headers, ...given.values()];
}

/** `From` takes a bare address, whether the contact is written as one or as a `mailto:` URL. */
function mailOf(contact: string | null): string | null {
  const mail = contact?.replace(/^mailto:/i, "") ?? "";
  return mail.includes("@") && !mail.includes("/") ? mail : null;
}
