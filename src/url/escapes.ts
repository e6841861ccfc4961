/**
 * Percent-escapes in their one normal form: an escaped character that needs no escape (letters,
 * digits, `-._~`) is written as itself, every other escape with upper-case digits (RFC 3986,
 * 6.2.2). A `%` that begins no escape stays as it is.
 *
 * Invariant: doing it twice changes nothing. So an escape is left alone when the character it
 * stands for would complete another escape with a lone `%` before it: `%%36%31` must not become
 * `%61`, and that `a`.
 */
export function normalEscapes(text: string): string {
  let percentAt = text.indexOf("%");
  if (percentAt === -1) return text;
  let result = "";
  let copiedTo = 0;
  let lonePercentAt = -1;
  while (percentAt !== -1) {
    result += text.slice(copiedTo, percentAt);
    const code = escapedCode(text, percentAt);
    if (code === -1) {
      result += "%";
      lonePercentAt = result.length - 1;
      copiedTo = percentAt + 1;
    } else {
      const completes = lonePercentAt !== -1 && completesEscape(result, lonePercentAt, code);
      result += isUnreserved(code) && !completes ? String.fromCharCode(code) : escapeOf(code);
      copiedTo = percentAt + 3;
    }
    percentAt = text.indexOf("%", copiedTo);
  }
  return result + text.slice(copiedTo);
}

/** The byte that an escape at this place stands for, or -1 when there is no escape. */
function escapedCode(text: string, percentAt: number): number {
  if (percentAt + 2 >= text.length) return -1;
  const high = hexValue(text.charCodeAt(percentAt + 1));
  const low = hexValue(text.charCodeAt(percentAt + 2));
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

/** Whether this character, put at the end, would stand where a digit of the lone `%` is missing. */
function completesEscape(result: string, lonePercentAt: number, code: number): boolean {
  if (hexValue(code) === -1) return false;
  const digits = result.length - lonePercentAt - 1;
  return digits === 0 || (digits === 1 && hexValue(result.charCodeAt(lonePercentAt + 1)) !== -1);
}

function escapeOf(code: number): string {
  return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}

function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function isUnreserved(code: number): boolean {
  return UNRESERVED.test(String.fromCharCode(code));
}

const UNRESERVED = /[0-9A-Za-z._~-]/;
