/**
 * Reads one question out of a DNS message (RFC 1035, and the size of RFC 6891). The message comes
 * from anyone, so every length is checked, no pointer is followed, and nothing throws.
 */

export interface DnsQuery {
  readonly id: number;
  /** Whether the client asks for recursion; the answer repeats it. */
  readonly isRecursive: boolean;
  /** Lower case, without the dot of the root. */
  readonly name: string;
  readonly type: number;
  /** The question as it came, since clients compare it letter by letter, in upper and lower case. */
  readonly question: Uint8Array;
  /** The longest answer that the client takes over UDP. */
  readonly udpBytesMax: number;
  readonly hasExtension: boolean;
}

export type DnsReading =
  | { readonly kind: "query"; readonly query: DnsQuery }
  /** Worth an answer that says so. */
  | { readonly kind: "malformed"; readonly id: number }
  | { readonly kind: "unsupported"; readonly id: number }
  /** Not even a question: answering it could start a loop. */
  | { readonly kind: "ignored" };

export const DNS_TYPE = { A: 1, CNAME: 5, SOA: 6, AAAA: 28, OPT: 41, ANY: 255 } as const;
const CLASS_INTERNET = 1;
const HEADER_BYTES = 12;
const NAME_BYTES_MAX = 255;
const UDP_BYTES_DEFAULT = 512;
/** Longer answers are truncated whatever the client says: that is what loopback carries in one. */
const UDP_BYTES_LIMIT = 4096;

export function readDnsQuery(bytes: Uint8Array): DnsReading {
  if (bytes.length < HEADER_BYTES) return { kind: "ignored" };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const id = view.getUint16(0);
  const flags = view.getUint16(2);
  if ((flags & 0x8000) !== 0) return { kind: "ignored" };
  if ((flags & 0x7800) !== 0) return { kind: "unsupported", id };
  if (view.getUint16(4) !== 1) return { kind: "malformed", id };
  const name = readName(bytes, HEADER_BYTES);
  if (name === null || name.end + 4 > bytes.length) return { kind: "malformed", id };
  const end = name.end + 4;
  if (view.getUint16(name.end + 2) !== CLASS_INTERNET) return { kind: "unsupported", id };
  const extension = extensionSize(view, end);
  const query: DnsQuery = {
    id,
    isRecursive: (flags & 0x0100) !== 0,
    name: name.text,
    type: view.getUint16(name.end),
    question: bytes.slice(HEADER_BYTES, end),
    udpBytesMax: Math.min(UDP_BYTES_LIMIT, Math.max(UDP_BYTES_DEFAULT, extension ?? 0)),
    hasExtension: extension !== null,
  };
  return { kind: "query", query };
}

/** The labels from `start` on, and where they end; null when they are not well formed. */
function readName(
  bytes: Uint8Array,
  start: number,
): { readonly text: string; readonly end: number } | null {
  let text = "";
  let at = start;
  for (;;) {
    const length = bytes[at];
    // Lengths above 63 are pointers, which a question never needs.
    if (length === undefined || length > 63) return null;
    at += 1;
    if (length === 0) return { text, end: at };
    if (at + length > bytes.length || at + length - start > NAME_BYTES_MAX) return null;
    text += `${text === "" ? "" : "."}${labelText(bytes.subarray(at, at + length))}`;
    at += length;
  }
}

/** Bytes that no host name has are written as `\DDD`, so that they match none. */
function labelText(label: Uint8Array): string {
  let text = "";
  for (const byte of label) {
    if (byte >= 65 && byte <= 90) text += String.fromCharCode(byte + 32);
    else if (byte > 32 && byte < 127 && byte !== 46 && byte !== 92)
      text += String.fromCharCode(byte);
    else text += `\\${String(byte).padStart(3, "0")}`;
  }
  return text;
}

/** What the first record after the question says of sizes, if it is the one that does. */
function extensionSize(view: DataView, at: number): number | null {
  const hasOnlyAdditional = view.getUint16(6) === 0 && view.getUint16(8) === 0;
  if (!hasOnlyAdditional || view.getUint16(10) === 0 || at + 11 > view.byteLength) return null;
  if (view.getUint8(at) !== 0 || view.getUint16(at + 1) !== DNS_TYPE.OPT) return null;
  return view.getUint16(at + 3);
}
