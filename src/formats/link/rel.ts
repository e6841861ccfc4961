/** The words of a `rel`, which are separated by ASCII white space and compared without case. */

/** Hints to open a connection: they name a host and no page. */
const CONNECTION_HINTS: ReadonlySet<string> = new Set(["dns-prefetch", "preconnect"]);

/** Whether a link of this `rel` is nothing but such a hint. */
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
