/**
 * The `Link` header (RFC 8288): links outside the page. A syntax error ends the reading of a value;
 * links before it count. A link whose context is another document (`anchor`) does not count.
 */
import { isConnectionHint } from "../../formats/link/index.ts";
import type { FoundLink } from "./parsed-page.ts";

/** Further links are ignored. */
const LINKS_MAX = 100;

const TARGET = /[\s,]*<([^>]*)>/y;
const PARAMETER = /\s*;\s*([^\s=;,"<>]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?/y;

export function headerLinks(values: readonly string[]): FoundLink[] {
  const links: FoundLink[] = [];
  for (const value of values) takeValue(value, links);
  return links;
}

function takeValue(value: string, links: FoundLink[]): void {
  let at = 0;
  while (links.length < LINKS_MAX) {
    TARGET.lastIndex = at;
    const target = TARGET.exec(value);
    if (target === null) return;
    const parameters = new Map<string, string>();
    at = takeParameters(value, TARGET.lastIndex, parameters);
    const rel = parameters.get("rel") ?? "";
    if (rel === "" || parameters.has("anchor") || isConnectionHint(rel)) continue;
    links.push({ url: (target[1] as string).trim(), kind: "link", rel, text: "" });
  }
}

/** Returns the position after the parameters; of a repeated name the first counts. */
function takeParameters(value: string, from: number, parameters: Map<string, string>): number {
  let at = from;
  for (;;) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(value);
    if (match === null) return at;
    at = PARAMETER.lastIndex;
    const [, name = "", quoted, bare = ""] = match;
    const lower = name.toLowerCase();
    if (!parameters.has(lower)) parameters.set(lower, quoted?.replace(/\\(.)/g, "$1") ?? bare);
  }
}
