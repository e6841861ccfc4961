/**
 * Looks up headers by name, without regard to case. The length of a name excludes nearly all other
 * headers before any letter is compared, so a look-up costs one pass over the lengths, and an
 * absent header costs no allocation.
 */
import type { Header } from "../../base/seams/index.ts";

const NONE: readonly string[] = [];

/** Whether a header's name, as the server wrote it, is this one, which is in lower case. */
export function isNamed(written: string, name: string): boolean {
  return written.length === name.length && (written === name || written.toLowerCase() === name);
}

/** The value of the first header of this name, which is in lower case. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  for (const header of headers) {
    if (isNamed(header[0], name)) return header[1];
  }
  return undefined;
}

/** The values of all headers of this name, which is in lower case, in their order. */
export function headerValues(headers: readonly Header[], name: string): readonly string[] {
  let values: string[] | null = null;
  for (const header of headers) {
    if (!isNamed(header[0], name)) continue;
    if (values === null) values = [header[1]];
    else values.push(header[1]);
  }
  return values ?? NONE;
}
