/**
 * The named fields of a record: an ordered list, looked up without regard to case.
 *
 * Nothing from the web can break the framing: control characters, of which CR and LF are the
 * dangerous ones, are percent-encoded when a value is written, so a field is always one line.
 */
import { headerValue, headerValues } from "../http/index.ts";

export type Field = readonly [name: string, value: string];

export class Fields {
  readonly list: readonly Field[];

  constructor(list: readonly Field[]) {
    this.list = list;
  }

  /** The first value under this name, or null. */
  get(name: string): string | null {
    return headerValue(this.list, name.toLowerCase()) ?? null;
  }

  getAll(name: string): readonly string[] {
    return headerValues(this.list, name.toLowerCase());
  }
}

/** Anything but printable ASCII: a quick test that nearly every value passes without a match. */
export const UNUSUAL: RegExp = /[^ -~]/;
const EVERY_CONTROL = /\p{Cc}/gu;

/** A value as one line: control characters percent-encoded, no white space at the ends. */
export function fieldValue(value: string): string {
  return UNUSUAL.test(value)
    ? value.replace(EVERY_CONTROL, encodeURIComponent).trim()
    : value.trim();
}

/** As `fieldValue`, for addresses of pages: a space would end them for many readers. */
export function uriValue(uri: string): string {
  return fieldValue(uri).replaceAll(" ", "%20");
}

/** The position after the empty line that ends a head, of a record or of HTTP; null without one. */
export function headEnd(bytes: Buffer): number | null {
  const proper = bytes.indexOf("\r\n\r\n", 0, "latin1");
  const bare = bytes.indexOf("\n\n", 0, "latin1");
  if (proper >= 0 && (bare < 0 || proper < bare)) return proper + 4;
  return bare >= 0 ? bare + 2 : null;
}

/**
 * Reads `Name: value` lines. Tolerates white space around the colon and folded lines (a line that
 * begins with white space continues the one before); a line without a colon is left out and counted
 * in `strayLines`.
 */
export function parseFields(lines: readonly string[]): { fields: Fields; strayLines: number } {
  const list: [string, string][] = [];
  let strayLines = 0;
  for (const line of lines) {
    if (line === "") continue;
    const last = list.at(-1);
    const colon = line.indexOf(":");
    if ((line.startsWith(" ") || line.startsWith("\t")) && last !== undefined) {
      last[1] = `${last[1]} ${line.trim()}`;
    } else if (colon > 0) {
      list.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
    } else {
      strayLines += 1;
    }
  }
  return { fields: new Fields(list), strayLines };
}
