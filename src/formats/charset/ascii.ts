/** The few facts about ASCII bytes that scanners of markup share. */

/** Tab, line feed, form feed, carriage return, space: "ASCII whitespace" of the standards. */
export function isWhitespace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b);
}

export function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The bytes as a string of equal length, letters in lower case. For short pieces of markup. */
export function lowerCaseString(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    text += String.fromCharCode(byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);
  }
  return text;
}
