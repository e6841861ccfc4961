/**
 * Makes untrusted text safe to show. A terminal obeys escape sequences, a line end breaks a log,
 * and characters that change the direction of writing mislead a reader. So text from a file, the
 * environment or the web passes through here before it is printed. The result is one line, in which
 * every character is visible as itself.
 */

/**
 * Controls (C0, DEL, C1), line and paragraph separators, marks that are invisible or change the
 * direction of writing, the byte order mark, interlinear marks, tags, and halves of surrogate
 * pairs.
 */
const UNSAFE =
  /[\p{Cc}\u2028\u2029\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;

/** Up to the last `@` before the host ends. It begins at the slashes, so that it stays linear. */
const CREDENTIALS = /:\/\/[^/?#\s"']*@/g;

const LOOKED_AT_MAX = 4096;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** The text on one line, with unsafe characters escaped, as in `\x1b` or `\u{202e}`. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => SHORT.get(character) ?? escaped(character));
}

/**
 * The text in double quotes, for use in a sentence: printable, without the user and
 * password of a URL, and cut to `lengthMax` characters.
 */
export function quoted(text: string, lengthMax = 60): string {
  // There is no need to look at a whole megabyte: credentials are near the beginning.
  const shown = printable(withoutCredentials(text.slice(0, LOOKED_AT_MAX)));
  return shown.length <= lengthMax ? `"${shown}"` : `"${shown.slice(0, lengthMax)}…"`;
}

/** `http://name:secret@proxy` becomes `http://…@proxy`. */
export function withoutCredentials(text: string): string {
  return text.replace(CREDENTIALS, "://…@");
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}
