/**
 * The fields of readable lines, separated by one space. Untrusted text is made harmless: everything that
 * is not printable ASCII is percent-encoded, so a field contains no space and a line contains no line end.
 */

/** Stands for an absent value. */
export const NO_FIELD = "-";

const PLAIN = /^[!-~]+$/;

/** One word for any text. */
export function lineField(text: string | null): string {
  if (text === null || text === "") return NO_FIELD;
  return PLAIN.test(text) && text !== NO_FIELD ? text : escaped(text);
}

function escaped(text: string): string {
  let word = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const isPlain = byte > 0x20 && byte < 0x7f && text !== NO_FIELD;
    const digits = byte.toString(16).toUpperCase().padStart(2, "0");
    word += isPlain ? String.fromCharCode(byte) : `%${digits}`;
  }
  return word;
}

/** Texts from outside are as long as their authors like. */
export function clipped(text: string | null, lengthMax: number): string | null {
  return text === null || text.length <= lengthMax ? text : text.slice(0, lengthMax);
}
