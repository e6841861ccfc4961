/** Whether a text consists of white space and references to white space. */
import { isWhitespace } from "../../charset/index.ts";
import { decodeReference } from "./references.ts";
import { Utf8Buffer } from "./utf8-buffer.ts";

export function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  const decoded = new Utf8Buffer(8);
  for (let at = from; at < to; ) {
    if (bytes[at] !== 0x26) {
      if (!isBlankByte(bytes[at] as number)) return false;
      at++;
      continue;
    }
    decoded.length = 0;
    at = decodeReference(bytes, at, to, decoded, false);
    if (decoded.length !== 1 || !isBlankByte(decoded.bytes[0] as number)) return false;
  }
  return true;
}

/** White space, or NUL, which is dropped from texts. */
function isBlankByte(byte: number): boolean {
  return byte === 0 || isWhitespace(byte);
}
