/**
 * Headers that a user may have sent with every request, and why the others are refused: some decide
 * where a message ends, some are said elsewhere in the configuration, some would change what an
 * answer is.
 */
import { isHeaderName, isHeaderValue, isOurs } from "./request-head.ts";

/** Said by a key of their own, so that they go where they belong and nowhere else. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["authorization", "would go to every host; use fetch.credentials, which sends it to one"],
  ["cookie", "would go to every host; use --cookies FILE, which keeps to their domains"],
  ["proxy-authorization", "is for the proxy; write user and password into fetch.proxy"],
  ["user-agent", "is set by userAgent, which robots.txt is asked by"],
  ["from", "is set by contact"],
]);

/** What is wrong with the name of a header, as a clause that follows it; null when nothing is. */
export function headerNameProblem(name: string): string | null {
  const lower = name.toLowerCase();
  if (!isHeaderName(name)) return "has characters that no name of a header may hold";
  if (isOurs(lower)) return "decides where a message ends or who gets it, and is not yours to set";
  if (lower === "range" || lower.startsWith("if-")) return "would bring less than whole pages";
  return ELSEWHERE.get(lower) ?? null;
}

export function headerValueProblem(value: string): string | null {
  return isHeaderValue(value) ? null : "has characters that no header may hold";
}
