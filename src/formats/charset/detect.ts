/**
 * The last resort for pages that declare no encoding. Bytes that are valid UTF-8 are taken as
 * UTF-8, since texts in other encodings almost never are. For the rest, a few pages in a thousand,
 * the statistics of the package `chardet` decide; if they are unsure, the fallback of the page's
 * site, or else windows-1252. `docs/adr/0014-charset.md` has the measurements.
 */
import { isUtf8 } from "node:buffer";
import { type EncodingName, encodingOfLabel, UTF_8, WINDOWS_1252 } from "./encoding-name.ts";
import { chardet } from "./late-packages.ts";

/** How many bytes detection looks at; only a page that declares nothing has to wait for them. */
export const DETECT_BYTES = 16_384;

/** Statistics need a few hundred characters; each further two kilobytes cost a millisecond. */
const SAMPLE_BYTES = 2048;

/** Out of a hundred. */
const CONFIDENCE_MIN = 30;

export interface DetectOptions {
  /** Whether the page ends with these bytes; otherwise the last character may be cut off. */
  readonly isWhole: boolean;
  readonly fallback?: EncodingName | undefined;
}

export function detect(bytes: Uint8Array, options: DetectOptions): EncodingName {
  const fallback = options.fallback ?? WINDOWS_1252;
  const first = firstNonAscii(bytes);
  // All ASCII: any answer decodes it. A page that goes on may still turn out to be UTF-8.
  if (first === bytes.length) return options.isWhole ? fallback : UTF_8;
  const to = options.isWhole ? bytes.length : wholeCharacters(bytes);
  if (isUtf8(bytes.subarray(first, to))) return UTF_8;
  return guess(bytes.subarray(first, first + SAMPLE_BYTES)) ?? fallback;
}

function guess(sample: Uint8Array): EncodingName | undefined {
  const [best] = chardet().analyse(sample);
  if (best === undefined || best.confidence < CONFIDENCE_MIN) return undefined;
  const encoding = encodingOfLabel(best.name);
  const isText = encoding !== undefined && encoding !== UTF_8 && encoding !== "replacement";
  // Servers do not send UTF-16 without a mark; what looks like it is binary.
  return isText && !encoding.startsWith("utf-16") ? encoding : undefined;
}

function firstNonAscii(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] as number) < 0x80) at++;
  return at;
}

/** The length without a last character that may be incomplete. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at--) {
    const byte = bytes[at] as number;
    if (byte >= 0xc0) return at;
    if (byte < 0x80) break;
  }
  return bytes.length;
}
