/**
 * The request as it is archived: byte for byte what was sent, except that credentials are replaced by
 * a mark. HTTP/2 sends no lines, so its request is written in the form of HTTP/1.1, as readers of
 * archives expect: the authority as `host`, names in lower case.
 */

import type { Header, SentRequest } from "../../../base/seams/index.ts";
import { REMOVED } from "../../../formats/http/index.ts";
import type { OutgoingRequest } from "../connections/connection.ts";

export function sentRequest(
  outgoing: OutgoingRequest,
  protocol: SentRequest["protocol"],
): SentRequest {
  return { head: protocol === "h2" ? http2Head(outgoing) : outgoing.shownText, protocol };
}

/** A header with its credentials replaced; their scheme is not a secret. */
export function withoutSecret([name, value]: Header): Header {
  const scheme = /^[A-Za-z][A-Za-z0-9-]* /.exec(value)?.[0] ?? "";
  return [name, `${scheme}${REMOVED}`];
}

function http2Head({ target, shownHeaders }: OutgoingRequest): string {
  let text = `GET ${target.target} HTTP/1.1\r\nhost: ${target.authority}\r\n`;
  for (const [name, value] of shownHeaders) text += `${name.toLowerCase()}: ${value}\r\n`;
  return `${text}\r\n`;
}
