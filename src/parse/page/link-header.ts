/**
 * The `Link` header (RFC 8288): links that stand outside the page. What is not written by the rules
 * ends the reading of its value; what was read until then counts. A link that speaks of another
 * document (`anchor`) does not count.
 */
import { isConnectionHint } from "../../formats/link/index.ts";
import type { FoundLink } from "./parsed-page.ts";

/** More links than this are not there to be read. */
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

/** The position after the parameters; the first of a name counts. */
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
