/** Errors of encoded content. */
import { CrawlError } from "../../../base/errors/index.ts";
import { quoted } from "../../../base/text/index.ts";
import { CODINGS_MAX } from "./content-codings.ts";

export function unknownEncoding(name: string): CrawlError {
  return new CrawlError(
    "FETCH_CONTENT_UNKNOWN_ENCODING",
    `The content encoding ${quoted(name)} is not known: the body is used as received. Known are ` +
      "gzip, deflate, br and zstd.",
    { contentEncoding: name.slice(0, 100) },
  );
}

export function tooManyEncodings(): CrawlError {
  return new CrawlError(
    "FETCH_CONTENT_TOO_MANY_ENCODINGS",
    `The server names more than ${CODINGS_MAX} content encodings: the body is used as received, ` +
      "since such answers are made to exhaust the memory or time of clients.",
    { encodingsMax: CODINGS_MAX },
  );
}

export function notEncoded(): CrawlError {
  return new CrawlError(
    "FETCH_CONTENT_NOT_ENCODED",
    "The server names a content encoding that the body does not have: the body is used without it.",
  );
}

/** What is kept of truncated content is right; what is kept of damaged content may be garbage. */
export function corrupt(how: "damaged" | "cut", keptBytes: number): CrawlError {
  const what = how === "cut" ? "ends too soon" : "is damaged";
  return new CrawlError(
    "FETCH_CONTENT_CORRUPT",
    `The compressed content ${what}: the first ${keptBytes} bytes are kept.`,
    { how, keptBytes },
  );
}

export function tooLarge(limit: "length" | "ratio" | "time", keptBytes: number): CrawlError {
  const why = {
    length: `becomes longer than ${keptBytes} bytes (fetch.maxBody)`,
    ratio: `becomes longer than ${keptBytes} bytes, which is suspiciously much for what was sent`,
    time: "takes too long to unpack",
  };
  return new CrawlError(
    "FETCH_CONTENT_TOO_LARGE",
    `The compressed content ${why[limit]}: it was cut there.`,
    { limit },
  );
}
