/** An item in a sentence: short, on one line, whatever it is and however large. */
import { inspect } from "node:util";

const LENGTH_MAX = 200;

export function itemText(item: unknown): string {
  try {
    const limits = { depth: 1, maxArrayLength: 8, maxStringLength: LENGTH_MAX };
    const text = inspect(item, { ...limits, compact: true, breakLength: Number.POSITIVE_INFINITY });
    return text.slice(0, LENGTH_MAX);
  } catch {
    return "that cannot be printed";
  }
}
