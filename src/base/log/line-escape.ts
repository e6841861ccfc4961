/**
 * Keeps a payload on one line, and a reader's terminal safe: line ends, other control characters
 * and the backslash itself are written as `\n`, `\r`, `\xHH` and `\\`; all other bytes, including
 * tabs, stay as they are, so that people can search for text as they know it.
 */

const BACKSLASH = 0x5c;
const TAB = 0x09;
const DIGITS: Uint8Array = new TextEncoder().encode("0123456789abcdef");
const SHORT: ReadonlyMap<number, number> = new Map([
  [0x0a, 0x6e],
  [0x0d, 0x72],
  [BACKSLASH, BACKSLASH],
]);
const X = 0x78;

/** How many bytes each byte becomes: 1, 2 or 4. */
const ESCAPED_BYTES: Uint8Array = new Uint8Array(256).map((_, byte) => {
  if (SHORT.has(byte)) return 2;
  return (byte < 0x20 && byte !== TAB) || byte === 0x7f ? 4 : 1;
});

export function escapedBytes(payload: Uint8Array): number {
  let bytes = 0;
  for (let at = 0; at < payload.length; at += 1) bytes += ESCAPED_BYTES[payload[at] ?? 0] ?? 1;
  return bytes;
}

/** Writes the payload, escaped, at `at`, and returns where it ends. */
export function escapeInto(bytes: Uint8Array, at: number, payload: Uint8Array): number {
  let end = at;
  for (let from = 0; from < payload.length; from += 1) {
    const byte = payload[from] ?? 0;
    if (ESCAPED_BYTES[byte] === 1) {
      bytes[end] = byte;
      end += 1;
    } else end = escapeByte(bytes, end, byte);
  }
  return end;
}

function escapeByte(bytes: Uint8Array, at: number, byte: number): number {
  const letter = SHORT.get(byte);
  bytes[at] = BACKSLASH;
  bytes[at + 1] = letter ?? X;
  if (letter !== undefined) return at + 2;
  bytes[at + 2] = DIGITS[byte >>> 4] ?? 0;
  bytes[at + 3] = DIGITS[byte & 15] ?? 0;
  return at + 4;
}

/** The payload: the same memory if nothing in it was escaped. */
export function unescaped(line: Uint8Array): Uint8Array {
  let from = line.indexOf(BACKSLASH);
  if (from === -1) return line;
  const payload = new Uint8Array(line.length);
  payload.set(line.subarray(0, from));
  let end = from;
  while (from < line.length) {
    const byte = line[from] ?? 0;
    const letter = line[from + 1] ?? 0;
    if (byte !== BACKSLASH) payload[end] = byte;
    else if (letter === X) payload[end] = Number.parseInt(text(line, from + 2, from + 4), 16);
    else payload[end] = letter === 0x6e ? 0x0a : letter === 0x72 ? 0x0d : letter;
    from += byte !== BACKSLASH ? 1 : letter === X ? 4 : 2;
    end += 1;
  }
  return payload.subarray(0, end);
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
