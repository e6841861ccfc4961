/** The schemes that a crawl fetches besides those that are built in. */
import type { Configuration } from "./configuration.ts";

/** Without their colons, in lower case. */
export function schemesOf({ fetch }: Pick<Configuration, "fetch">): ReadonlySet<string> {
  return new Set(fetch.protocols.map(([scheme]) => scheme));
}
