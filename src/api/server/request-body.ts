/** The body of a request: JSON, up to a limit. */
import { CrawlError } from "../../base/errors/index.ts";
import { MIB } from "../../base/units/index.ts";
import { badRequest } from "./api-refusal.ts";
import type { HttpRequest } from "./http-listener.ts";

const BODY_BYTES_MAX = MIB;

/** Rejects with the refusal. What comes after it is too much is not read. */
export async function readJson(request: HttpRequest): Promise<unknown> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > BODY_BYTES_MAX) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > BODY_BYTES_MAX) throw tooLarge();
    pieces.push(piece);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    throw badRequest(["the body is not JSON in UTF-8"]);
  }
}

function tooLarge(): CrawlError {
  return new CrawlError(
    "API_BODY_TOO_LARGE",
    `The body of a request may have ${BODY_BYTES_MAX} bytes, and this one has more.`,
  );
}
