/**
 * The optional rules of the key that concern the path. The result is a path that neither the parser
 * nor the same rules would change: rules that affect one another (a slash after an index page) are
 * repeated until nothing changes.
 */
import type { UrlRules } from "./url-rules.ts";
import { isSessionParam } from "./visitor-params.ts";

export function pathByRules(path: string, rules: UrlRules): string {
  let result = rules.sessionIds === "strip" ? withoutSessionIds(path) : path;
  if (rules.indexPages === "keep" && rules.trailingSlash === "keep") return result;
  let before = "";
  while (result !== before) {
    before = result;
    if (rules.indexPages === "strip") result = result.replace(INDEX_PAGE, "/");
    if (rules.trailingSlash === "strip") result = withoutTrailingSlash(result);
  }
  return result;
}

const INDEX_PAGE =
  /\/(?:index\.(?:x?html?|shtml|php[3-8]?|aspx?|jsp|cgi|cfm|pl)|default\.(?:html?|aspx?))$/i;

/** An ASP.NET session without cookies: `/(S(24 letters and digits))/`, or just the brackets. */
const SESSION_SEGMENT = /^\((?:(?:[asf]\([0-9a-z]{24}\))+|(?=[a-z]*[0-9])[0-9a-z]{24})\)$/i;

function withoutSessionIds(path: string): string {
  if (!path.includes(";") && !path.includes("(")) return path;
  const segments = path.split("/").map(withoutSessionParams);
  const bare = segments.filter((segment) => !SESSION_SEGMENT.test(segment)).join("/");
  return bare === "" ? "/" : bare;
}

function withoutSessionParams(segment: string): string {
  if (!segment.includes(";")) return segment;
  const [name = "", ...params] = segment.split(";");
  const bare = [name, ...params.filter((param) => !isSessionParam(param))].join(";");
  // Two dots that were only part of the name of a segment must not become `..`.
  return bare === "." || bare === ".." ? segment : bare;
}

function withoutTrailingSlash(path: string): string {
  let length = path.length;
  while (length > 1 && path.charCodeAt(length - 1) === SLASH) length -= 1;
  return path.slice(0, length);
}

const SLASH = 0x2f;
