/**
 * The last resort for pages that declare nothing: bytes that are valid UTF-8 are UTF-8, for texts
 * in other encodings almost never are; the rest is the fallback of the site's country or
 * windows-1252. `docs/adr/0014-charset.md` has the measurements, also of the statistical detectors
 * that were left out.
 */
import { isUtf8 } from "node:buffer";
import { type EncodingName, UTF_8, WINDOWS_1252 } from "./encoding-name.ts";

/** As many bytes as detection looks at; a page is held back for them only if it declares nothing. */
export const DETECT_BYTES = 16_384;

export interface DetectOptions {
  /** Whether the page ends with these bytes; else the last character may be cut off. */
  readonly isWhole: boolean;
  readonly fallback?: EncodingName | undefined;
}

export function detect(bytes: Uint8Array, options: DetectOptions): EncodingName {
  const fallback = options.fallback ?? WINDOWS_1252;
  const first = firstNonAscii(bytes);
  // All ASCII: any answer decodes it. A page that goes on may yet turn out to be UTF-8.
  if (first === bytes.length) return options.isWhole ? fallback : UTF_8;
  const to = options.isWhole ? bytes.length : wholeCharacters(bytes);
  return isUtf8(bytes.subarray(first, to)) ? UTF_8 : fallback;
}

function firstNonAscii(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] as number) < 0x80) at++;
  return at;
}

/** The length without a last character that may be cut off. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at--) {
    const byte = bytes[at] as number;
    if (byte >= 0xc0) return at;
    if (byte < 0x80) break;
  }
  return bytes.length;
}
