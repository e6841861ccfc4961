/**
 * Small files of JSON with a checksum of their own, so that a byte that the disk has altered is noticed.
 * A file without one, of an earlier version, may be taken as it is.
 */
import { crc32 } from "node:zlib";

const CHECKSUM = "checksum";

/** An object as text that ends with a newline; `indent` is for those that people look at. */
export function printChecked(value: Readonly<Record<string, unknown>>, indent = 0): string {
  const whole = { ...value, [CHECKSUM]: sumOf(value) };
  return `${JSON.stringify(whole, null, indent)}\n`;
}

/**
 * The object without its checksum; null if the text is not that of an object, or is not as written. A file
 * whose every version has had a checksum must have one: or a bit in that very word would hide all others.
 */
export function parseChecked(
  text: string,
  checksums: "may-lack" | "must-have" = "may-lack",
): Record<string, unknown> | null {
  const parsed = parsedObject(text);
  if (parsed === null) return null;
  const { [CHECKSUM]: checksum, ...value } = parsed;
  const isMissing = checksum === undefined && checksums === "may-lack";
  return isMissing || checksum === sumOf(value) ? value : null;
}

function sumOf(value: Readonly<Record<string, unknown>>): string {
  return crc32(JSON.stringify(value)).toString(16).padStart(8, "0");
}

function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
