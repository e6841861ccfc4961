/**
 * Percent-escapes in their one normal form: an escaped character that needs no escape (letters,
 * digits, `-._~`) is written as itself, every other escape with upper-case digits (RFC 3986,
 * 6.2.2). A `%` that does not begin an escape stays as it is.
 *
 * Invariant: doing it twice changes nothing. So an escape is left alone when the character it
 * stands for would complete another escape with a lone `%` before it: `%%36%31` must not become
 * `%61`, and that `a`.
 */
export function normalEscapes(text: string): string {
  let result = "";
  let copiedTo = 0;
  let lonePercentAt = Number.NaN;
  for (let at = text.indexOf("%"); at !== -1; at = text.indexOf("%", at + 1)) {
    const code = escapedCode(text, at);
    if (code === NO_ESCAPE) {
      lonePercentAt = at;
      continue;
    }
    const isWritten = isUnreserved(code) && !completes(text, at - lonePercentAt, at, code);
    if (!isWritten && isUpperCase(text, at)) continue;
    result += text.slice(copiedTo, at) + (isWritten ? String.fromCharCode(code) : escapeOf(code));
    copiedTo = at + 3;
  }
  return copiedTo === 0 ? text : result + text.slice(copiedTo);
}

/** Whether this byte needs no escape. */
export function isUnreserved(code: number): boolean {
  return UNRESERVED[code] === 1;
}

/** The value of a hexadecimal digit, or `NO_DIGIT`. */
export function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const small = unit | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : NO_DIGIT;
}

const NO_DIGIT = -1;
const NO_ESCAPE = -1;

const UNRESERVED = new Uint8Array(256);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~") {
  UNRESERVED[character.charCodeAt(0)] = 1;
}

/** The byte that an escape here stands for. */
function escapedCode(text: string, percentAt: number): number {
  if (percentAt + 2 >= text.length) return NO_ESCAPE;
  const high = hexValue(text.charCodeAt(percentAt + 1));
  const low = hexValue(text.charCodeAt(percentAt + 2));
  return high === NO_DIGIT || low === NO_DIGIT ? NO_ESCAPE : high * 16 + low;
}

/** Whether the decoded character would complete an escape with a lone `%` one or two places before. */
function completes(text: string, afterPercent: number, at: number, code: number): boolean {
  if (hexValue(code) === NO_DIGIT) return false;
  return (
    afterPercent === 1 || (afterPercent === 2 && hexValue(text.charCodeAt(at - 1)) !== NO_DIGIT)
  );
}

function isUpperCase(text: string, percentAt: number): boolean {
  return text.charCodeAt(percentAt + 1) < 0x61 && text.charCodeAt(percentAt + 2) < 0x61;
}

function escapeOf(code: number): string {
  return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}
