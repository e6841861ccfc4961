/**
 * The HTML standard's "encoding sniffing algorithm", fed with chunks: byte order mark, then the
 * Content-Type header, then the prescan, then what the bytes themselves suggest. The answer depends
 * only on the bytes, never on where chunks end, so the sniffer may ask for more before it decides.
 */
import { DETECT_BYTES, detect } from "./detect.ts";
import { type EncodingName, UTF_8, UTF_16BE, UTF_16LE } from "./encoding-name.ts";
import { PRESCAN_BYTES, prescan } from "./prescan.ts";

/** What the answer is based on, the most certain first. */
export type EncodingSource = "mark" | "header" | "meta" | "detected";

export interface Sniffed {
  readonly encoding: EncodingName;
  readonly source: EncodingSource;
  /** Bytes of the byte order mark, to be left out of the text. */
  readonly markBytes: number;
}

export interface SniffOptions {
  /** The charset of the `Content-Type` header, if it names one. */
  readonly header?: EncodingName | undefined;
  /** For bytes that declare nothing and are not UTF-8: what this site is likely to use. */
  readonly fallback?: EncodingName | undefined;
  /** False for plain text, in which a `<meta>` declares nothing. */
  readonly isMarkup?: boolean;
}

/**
 * Decides from the first bytes of a page, or returns undefined to ask for more. With `isWhole` (the
 * page ends here) it always decides, and `DETECT_BYTES` bytes are always enough.
 */
export function sniff(
  bytes: Uint8Array,
  isWhole: boolean,
  options: SniffOptions = {},
): Sniffed | undefined {
  if (bytes.length < 3 && !isWhole) return undefined;
  const marked = byteOrderMark(bytes);
  if (marked !== undefined) return marked;
  if (options.header !== undefined) {
    return { encoding: options.header, source: "header", markBytes: 0 };
  }
  if (bytes.length < PRESCAN_BYTES && !isWhole) return undefined;
  const isMarkup = options.isMarkup ?? true;
  const declared = isMarkup ? prescan(bytes.subarray(0, PRESCAN_BYTES)) : undefined;
  if (declared !== undefined) return { encoding: declared, source: "meta", markBytes: 0 };
  if (bytes.length < DETECT_BYTES && !isWhole) return undefined;
  // A browser that finds a declaration after those 1024 bytes starts again with it. Here the page
  // has to wait for detection anyway, so the declaration is found now and nothing is undone.
  const late = isMarkup ? prescan(bytes.subarray(0, DETECT_BYTES)) : undefined;
  if (late !== undefined) return { encoding: late, source: "meta", markBytes: 0 };
  const encoding = detect(bytes.subarray(0, DETECT_BYTES), {
    isWhole: isWhole && bytes.length <= DETECT_BYTES,
    fallback: options.fallback,
  });
  return { encoding, source: "detected", markBytes: 0 };
}

function byteOrderMark(bytes: Uint8Array): Sniffed | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return mark(UTF_8, 3);
  if (first === 0xfe && second === 0xff) return mark(UTF_16BE, 2);
  if (first === 0xff && second === 0xfe) return mark(UTF_16LE, 2);
  return undefined;
}

function mark(encoding: EncodingName, markBytes: number): Sniffed {
  return { encoding, source: "mark", markBytes };
}
