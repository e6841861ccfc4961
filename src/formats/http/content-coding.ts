/** A stored body without its content encodings. */
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from "node:zlib";
import type { Header } from "../../base/seams/index.ts";
import { headerValues } from "./header-values.ts";

/** More than that is a bomb, not a page. */
const CONTENT_BYTES_MAX = 64 * 1024 * 1024;
const CODINGS_MAX = 4;

export type ContentOutcome =
  | { readonly kind: "content"; readonly bytes: Uint8Array }
  | { readonly kind: "damaged"; readonly reason: string };

/** Encodings are undone, the last applied first; what is cut off is read as far as it goes. */
export function decodedContent(headers: readonly Header[], payload: Uint8Array): ContentOutcome {
  const codings = headerValues(headers, "content-encoding")
    .flatMap((value) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > CODINGS_MAX) return damaged(`it has ${codings.length} content encodings`);
  let bytes = payload;
  for (const coding of codings.reverse()) {
    if (bytes.length === 0) break;
    const decode = DECODERS[coding];
    if (decode === undefined) return damaged(`its content encoding ${coding} is not known`);
    try {
      bytes = decode(bytes);
    } catch {
      return damaged(`its content encoding ${coding} is damaged or larger than 64 MiB`);
    }
  }
  return { kind: "content", bytes };
}

const LIMIT = { maxOutputLength: CONTENT_BYTES_MAX };
const ZLIB = { ...LIMIT, finishFlush: constants.Z_SYNC_FLUSH };

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, ZLIB),
  "x-gzip": (bytes) => gunzipSync(bytes, ZLIB),
  deflate: (bytes) => (isZlib(bytes) ? inflateSync(bytes, ZLIB) : inflateRawSync(bytes, ZLIB)),
  br: (bytes) =>
    brotliDecompressSync(bytes, { ...LIMIT, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes) => zstdDecompressSync(bytes, { ...LIMIT, finishFlush: constants.ZSTD_e_flush }),
};

/** Many servers send a bare deflate stream under this name. */
function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0;
}

function damaged(reason: string): ContentOutcome {
  return { kind: "damaged", reason };
}
