/**
 * Untrusted text made safe to show. A terminal obeys escape sequences, a log is cut by line ends,
 * a reader is misled by characters that turn the direction of writing: whatever comes from a file,
 * the environment or the web is passed through here before it is printed. Afterwards it is one
 * line, and every character in it is seen as itself.
 */

/**
 * Controls (C0, DEL, C1), line and paragraph separators, marks that are invisible or turn the
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

/** The text on one line, unsafe characters as escapes such as `\x1b` or `\u{202e}`. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => SHORT.get(character) ?? escaped(character));
}

/**
 * The text in double quotes, for a sentence that speaks of it: printable, without the user and
 * password of a URL, and cut to `lengthMax` characters.
 */
export function quoted(text: string, lengthMax = 60): string {
  // The rest of a megabyte need not be looked at; credentials are well inside this.
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
