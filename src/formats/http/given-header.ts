/**
 * Headers that a user may add to every request, and why others are refused: some decide where a
 * message ends, some are set elsewhere in the configuration, some would change what an answer is.
 */
import { isHeaderName, isHeaderValue, isOurs } from "./request-head.ts";

/** Set by keys of their own, so that they are sent only where they belong. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["authorization", "would go to every host; use fetch.credentials, which sends it to one"],
  ["cookie", "would go to every host; use --cookies FILE, which keeps to their domains"],
  ["proxy-authorization", "is for the proxy; write user and password into fetch.proxy"],
  ["user-agent", "is set by userAgent, which robots.txt is asked by"],
  ["from", "is set by contact"],
]);

/** What is wrong with the name of a header, as a clause that follows it; null if nothing is. */
export function headerNameProblem(name: string): string | null {
  const lower = name.toLowerCase();
  if (!isHeaderName(name)) return "has characters that the name of a header may not contain";
  if (isOurs(lower)) return "decides where a message ends or who gets it, and is not yours to set";
  if (lower === "range" || lower.startsWith("if-")) return "would bring less than whole pages";
  return ELSEWHERE.get(lower) ?? null;
}

export function headerValueProblem(value: string): string | null {
  return isHeaderValue(value) ? null : "has characters that a header may not contain";
}
