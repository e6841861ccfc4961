/** Answers of servers in the making. */
import type { Header } from "../../../base/seams/index.ts";
import type { WebResponse } from "./synthetic-web.ts";

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  410: "Gone",
  421: "Misdirected Request",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

const NOTHING: Uint8Array = new Uint8Array(0);

/** At once, with nothing wrong on the wire. */
export function answer(
  status: number,
  headers: readonly Header[],
  body: Uint8Array = NOTHING,
): WebResponse {
  const reason = REASONS[status] ?? "";
  return { status, reason, headers, body, delayMs: 0, bytesPerSecond: 0, oddity: null };
}

/** A short page that says no more than its status. It has no links, since the model has none. */
export function errorAnswer(status: number, headers: readonly Header[] = []): WebResponse {
  const title = `${status} ${REASONS[status] ?? ""}`;
  const text = `<!DOCTYPE html>\n<title>${title}</title>\n<h1>${title}</h1>\n`;
  return answer(status, [["Content-Type", "text/html"], ...headers], Buffer.from(text));
}

/** A redirect; its page links to where it leads, as such pages do. */
export function redirectAnswer(status: number, location: string): WebResponse {
  const link = `<a href="${location.replaceAll("&", "&amp;")}">here</a>`;
  const text = `<!DOCTYPE html>\n<title>Moved</title>\n${link}\n`;
  const headers: Header[] = [
    ["Content-Type", "text/html"],
    ["Location", location],
  ];
  return answer(status, headers, Buffer.from(text));
}

export function textAnswer(text: string, contentType: string): WebResponse {
  return answer(200, [["Content-Type", contentType]], Buffer.from(text));
}

/** The connection breaks before anything is said. */
export function resetAnswer(): WebResponse {
  return { ...answer(200, []), oddity: "reset-before-head" };
}
