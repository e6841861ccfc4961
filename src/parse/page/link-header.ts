/**
 * The `Link` header (RFC 8288): links outside the page. A syntax error ends the reading of a value;
 * links before it count. A link whose context is another document (`anchor`) does not count.
 */
import type { Declared } from "../../formats/html/index.ts";
import { hasRel, isConnectionHint } from "../../formats/link/index.ts";
import type { FoundLink } from "./parsed-page.ts";

/** Further links are ignored. */
const LINKS_MAX = 100;

const CANONICAL: ReadonlySet<string> = new Set(["canonical"]);
const ALTERNATE: ReadonlySet<string> = new Set(["alternate"]);
const STYLE_SHEET: ReadonlySet<string> = new Set(["stylesheet"]);

const TARGET = /[\s,]*<([^>]*)>/y;
const PARAMETER = /\s*;\s*([^\s=;,"<>]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?/y;

export function headerLinks(values: readonly string[]): FoundLink[] {
  const links = everyLink(values).filter(({ rel }) => !isConnectionHint(rel));
  return links.map(({ url, rel }) => ({ url, kind: "link", rel, text: "" }));
}

/** What `Link` headers declare of the page, with URLs as written. */
export interface HeaderFacts {
  /** The first `rel=canonical`. */
  readonly canonical: string | undefined;
  readonly alternates: Declared["alternates"];
}

export function headerFacts(values: readonly string[]): HeaderFacts {
  const links = everyLink(values);
  const alternates = links.filter(({ rel }) => hasRel(rel, ALTERNATE) && !hasRel(rel, STYLE_SHEET));
  return {
    canonical: links.find(({ rel }) => hasRel(rel, CANONICAL))?.url,
    alternates: alternates.map(({ url, parameters }) => ({
      url,
      language: parameters.get("hreflang") ?? "",
      type: parameters.get("type")?.toLowerCase() ?? "",
    })),
  };
}

interface HeaderLink {
  readonly url: string;
  readonly rel: string;
  readonly parameters: ReadonlyMap<string, string>;
}

function everyLink(values: readonly string[]): HeaderLink[] {
  const links: HeaderLink[] = [];
  for (const value of values) takeValue(value, links);
  return links;
}

function takeValue(value: string, links: HeaderLink[]): void {
  let at = 0;
  while (links.length < LINKS_MAX) {
    TARGET.lastIndex = at;
    const target = TARGET.exec(value);
    if (target === null) return;
    const parameters = new Map<string, string>();
    at = takeParameters(value, TARGET.lastIndex, parameters);
    const rel = parameters.get("rel") ?? "";
    if (rel === "" || parameters.has("anchor")) continue;
    links.push({ url: (target[1] as string).trim(), rel, parameters });
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
