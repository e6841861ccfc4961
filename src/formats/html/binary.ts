/** Whether something that is declared to be text is text. */

/** This many bytes are looked at. */
const LOOK_BYTES = 1000;

/**
 * Text has no NUL byte, unless it is UTF-16, which begins with a byte order mark; so pictures and
 * archives that a server calls `text/html` are not parsed.
 */
export function isBinary(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return !hasMark && bytes.subarray(0, LOOK_BYTES).includes(0);
}
