/** The words of a `rel`, separated by ASCII white space and compared without regard to case. */

/** Hints to open a connection: they name a host, not a page. */
const CONNECTION_HINTS: ReadonlySet<string> = new Set(["dns-prefetch", "preconnect"]);

/** Whether a link with this `rel` is only such a hint. */
export function isConnectionHint(rel: string): boolean {
  return rel !== "" && wordsOf(rel).every((word) => CONNECTION_HINTS.has(word));
}

/** Whether a `rel` has one of these words, which are in lower case. */
export function hasRel(rel: string, wanted: ReadonlySet<string>): boolean {
  return rel !== "" && wordsOf(rel).some((word) => wanted.has(word));
}

function wordsOf(rel: string): string[] {
  return rel.toLowerCase().split(/[\t\n\f\r ]+/);
}
