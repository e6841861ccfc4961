/**
 * Schemes of URLs. `http`, `https` and `file` are built in; others are fetched only where the
 * configuration names a protocol module for them (`fetch.protocols`).
 *
 * The port of a scheme is a constant of this table, not of the module, so that all agents of a crawl
 * make the same keys.
 */

/** Names without the colon, in lower case. */
export const BUILT_IN_SCHEMES: readonly string[] = ["http", "https", "file"];

/** As IANA has assigned them; only schemes whose URLs have a host. */
const PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ftp", 21],
  ["ftps", 990],
  ["sftp", 22],
  ["gopher", 70],
  ["gemini", 1965],
  ["finger", 79],
  ["nntp", 119],
  ["rsync", 873],
  ["dict", 2628],
]);

/** The port of a URL that names none; 0 where the scheme has no port of its own. */
export function portOfScheme(scheme: string): number {
  return PORTS.get(scheme) ?? 0;
}

export const NO_SCHEMES: ReadonlySet<string> = new Set();
