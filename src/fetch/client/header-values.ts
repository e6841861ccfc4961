/** The values of all headers of a name (given in lower case), without the space around them. */
import type { Header } from "../../base/seams/index.ts";

export function headerValues(headers: readonly Header[], name: string): string[] {
  const values: string[] = [];
  for (const [each, value] of headers) {
    if (each.length === name.length && each.toLowerCase() === name) values.push(value.trim());
  }
  return values;
}
