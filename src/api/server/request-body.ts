/** The body of a request: JSON, up to a limit of bytes and of nesting. */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { MIB } from "../../base/units/index.ts";
import { badRequest } from "./api-refusal.ts";
import type { HttpRequest } from "./http-listener.ts";

const BODY_BYTES_MAX = MIB;
/** Far more than any route takes, and far less than what ends the stack of those that print it. */
const DEPTH_MAX = 64;

/** Rejects with the refusal. What comes after it is too much is not read. */
export async function readJson(request: HttpRequest): Promise<unknown> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > BODY_BYTES_MAX) throw tooLarge();
  const bytes = Buffer.concat(await piecesOf(request));
  if (isDeep(bytes)) throw badRequest([`the body is nested more than ${DEPTH_MAX} deep`]);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badRequest(["the body is not JSON in UTF-8"]);
  }
}

async function piecesOf(request: HttpRequest): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of request as AsyncIterable<Uint8Array>) {
      length += piece.length;
      if (length > BODY_BYTES_MAX) throw tooLarge();
      pieces.push(piece);
    }
  } catch (error) {
    // The caller has gone, which is not a fault of ours.
    throw isCrawlError(error) ? error : badRequest(["the body ended before it was whole"]);
  }
  return pieces;
}

/** Looks at brackets outside of texts, before anything is made of them. */
function isDeep(json: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) isText = !isText;
    else if (isText) continue;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function tooLarge(): CrawlError {
  return new CrawlError(
    "API_BODY_TOO_LARGE",
    `The body of a request may have ${BODY_BYTES_MAX} bytes, and this one has more.`,
  );
}
