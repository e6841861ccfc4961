/** Which bytes may occur where in a head: one table, read once for each byte. */

export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const TAB = 9;
export const COLON = 58;
export const SEMICOLON = 59;
export const EQUALS = 61;
export const QUOTE = 34;
export const ZERO = 48;

/** May occur in the name of a header (a token). */
export const IN_NAME = 1;
/** May occur in the value of a header or in the reason: no control character but the tab. */
export const IN_VALUE = 2;

const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]/;

export const BYTE_KINDS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isName = byte < 128 && TOKEN.test(String.fromCharCode(byte));
  const isValue = byte === TAB || (byte >= SPACE && byte !== 127);
  return (isName ? IN_NAME : 0) | (isValue ? IN_VALUE : 0);
});

export function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
