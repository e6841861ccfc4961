/**
 * Writes the head of a request. Nothing that could end a line, or be mistaken for the end of one,
 * gets into it: a CR, LF or NUL in a URL, a header or a cookie would let a stranger write requests.
 * Such a request is refused, never repaired.
 */
import type { Header } from "../../base/seams/index.ts";

export interface RequestLine {
  /** Path and query; the whole URL where a proxy is asked; `host:port` for `CONNECT`. */
  readonly target: string;
  /** With the port, unless it is the default of the scheme. */
  readonly host: string;
  readonly method?: "GET" | "CONNECT";
}

/** What is wrong with a request, as the end of a sentence; or its bytes as latin1 text. */
export type WrittenHead =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly problem: string };

const TARGET = /^[!-~]+$/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** They decide where a message ends and who gets it, so only this client writes them. */
const OURS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** `ours` may be any headers; their characters are checked all the same. */
export function requestHead(
  line: RequestLine,
  headers: readonly Header[],
  ours: readonly Header[] = [],
): WrittenHead {
  const { target, host, method = "GET" } = line;
  if (!TARGET.test(target))
    return refused("its target has characters that a request may not contain");
  if (!TARGET.test(host)) return refused("its host has characters that a request may not contain");
  let text = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n`;
  for (const [name, value] of ours) {
    const problem = headerProblem(name, value);
    if (problem !== null) return refused(problem);
    text += `${name}: ${value}\r\n`;
  }
  for (const [name, value] of headers) {
    const problem = ownershipProblem(name) ?? headerProblem(name, value);
    if (problem !== null) return refused(problem);
    text += `${name}: ${value}\r\n`;
  }
  return { kind: "text", text: `${text}\r\n` };
}

export function isHeaderName(name: string): boolean {
  return NAME.test(name);
}

export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/** Of a name in lower case. */
export function isOurs(lowerName: string): boolean {
  return OURS.has(lowerName);
}

function headerProblem(name: string, value: string): string | null {
  if (!isHeaderName(name)) return "the name of a header has characters that it may not contain";
  return isHeaderValue(value) ? null : `the header ${name} has characters that it may not contain`;
}

function ownershipProblem(name: string): string | null {
  return isOurs(name.toLowerCase()) ? `the header ${name} may not be set` : null;
}

function refused(problem: string): WrittenHead {
  return { kind: "refused", problem };
}
