/**
 * Takes one uncompressed record, WARC or ARC, off the front of a window of bytes. Mistakes that a
 * strict reader would refuse, but whose meaning is clear, are accepted with a warning.
 */
import { Fields, headEnd, parseFields } from "./fields.ts";

export interface PlainRecord {
  readonly format: "warc" | "arc";
  readonly type: string;
  readonly targetUri: string | null;
  readonly fields: Fields;
  readonly block: Uint8Array;
  readonly warnings: readonly string[];
}

export type PlainStep =
  | { readonly kind: "record"; readonly record: PlainRecord; readonly lengthBytes: number }
  /** The window must hold at least `bytes` to go on. */
  | { readonly kind: "short"; readonly bytes: number }
  | { readonly kind: "damaged"; readonly reason: string };

const HEAD_BYTES_MAX = 64 * 1024;
const NEWLINE = 0x0a;

export function takePlainRecord(window: Uint8Array, isLast: boolean): PlainStep {
  const bytes = Buffer.from(window.buffer, window.byteOffset, window.byteLength);
  return startsLikeWarc(bytes) ? takeWarc(bytes, isLast) : takeArc(bytes, isLast);
}

export function startsLikeWarc(bytes: Buffer): boolean {
  return bytes.length >= 5 && bytes.toString("latin1", 0, 5) === "WARC/";
}

function takeWarc(bytes: Buffer, isLast: boolean): PlainStep {
  const end = headEnd(bytes.subarray(0, HEAD_BYTES_MAX));
  if (end === null) {
    if (bytes.length > HEAD_BYTES_MAX || isLast) {
      return { kind: "damaged", reason: "its head does not end" };
    }
    return { kind: "short", bytes: bytes.length + 1 };
  }
  const [version = "", ...lines] = bytes.toString("utf8", 0, end).split(/\r?\n/);
  if (!/^WARC\/(?:0\.\d+|1\.\d)\s*$/.test(version)) {
    return { kind: "damaged", reason: `unknown version ${JSON.stringify(version.slice(0, 12))}` };
  }
  const { fields, strayLines } = parseFields(lines);
  const warnings = strayLines > 0 ? [`${strayLines} lines of the head have no colon`] : [];
  const length = blockLength(fields.get("Content-Length"));
  if (length === null) return { kind: "damaged", reason: "its Content-Length is not a number" };
  const type = fields.get("WARC-Type") ?? "unknown";
  const targetUri = cleanUri(fields.get("WARC-Target-URI"), warnings);
  return finish(bytes, { start: end, length, isLast }, (block) => ({
    format: "warc",
    ...{ type, targetUri, fields, block, warnings },
  }));
}

/** Some writers put the address in angle brackets, or leave spaces in it. */
function cleanUri(uri: string | null, warnings: string[]): string | null {
  if (uri === null) return null;
  const bare = /^<(.*)>$/.exec(uri)?.[1];
  if (bare !== undefined) warnings.push("its address is in angle brackets");
  const clean = bare ?? uri;
  if (clean.includes(" ")) warnings.push("its address contains spaces");
  return clean.replaceAll(" ", "%20");
}

/** `URL IP-address date type length`; version 2 has five more fields before the length. */
function takeArc(bytes: Buffer, isLast: boolean): PlainStep {
  const lineEnd = bytes.indexOf(NEWLINE);
  if (lineEnd < 0) {
    if (bytes.length > HEAD_BYTES_MAX || isLast) {
      return { kind: "damaged", reason: "no record begins here" };
    }
    return { kind: "short", bytes: bytes.length + 1 };
  }
  const words = bytes.toString("utf8", 0, lineEnd).trim().split(" ");
  const length = blockLength(words.at(-1) ?? null);
  const dateAt = words.findLastIndex((word) => /^\d{8,17}$/.test(word), words.length - 2);
  const isArc = length !== null && dateAt >= 2 && /^[a-z][a-z0-9+.-]*:/i.test(words[0] ?? "");
  if (!isArc) return { kind: "damaged", reason: "no record begins here" };
  const uri = words.slice(0, dateAt - 1);
  const warnings = uri.length > 1 ? ["its address contains spaces"] : [];
  const isFileHead = words[0]?.startsWith("filedesc:") ?? false;
  const fields = new Fields([
    ["WARC-Date", words[dateAt] ?? ""],
    ["WARC-IP-Address", words[dateAt - 1] ?? ""],
    ["Content-Type", words[dateAt + 1] ?? ""],
    ["Content-Length", String(length)],
  ]);
  return finish(bytes, { start: lineEnd + 1, length, isLast }, (block) => ({
    format: "arc",
    type: isFileHead ? "warcinfo" : "response",
    targetUri: isFileHead ? null : uri.join("%20"),
    fields,
    block,
    warnings,
  }));
}

interface Extent {
  readonly start: number;
  readonly length: number;
  readonly isLast: boolean;
}

function finish(
  bytes: Buffer,
  extent: Extent,
  record: (block: Uint8Array) => PlainRecord,
): PlainStep {
  const end = extent.start + extent.length;
  if (end > bytes.length) {
    if (!extent.isLast) return { kind: "short", bytes: end + 4 };
    const missing = end - bytes.length;
    return { kind: "damaged", reason: `the file ends ${missing} bytes before its block does` };
  }
  let after = end;
  while (bytes[after] === 0x0d || bytes[after] === NEWLINE) after += 1;
  // More line ends may follow in bytes that are not in the window yet.
  if (after === bytes.length && !extent.isLast) return { kind: "short", bytes: after + 1 };
  return { kind: "record", record: record(bytes.subarray(extent.start, end)), lengthBytes: after };
}

function blockLength(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
