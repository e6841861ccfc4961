/** The exit code of a failure, by its code: scripts rely on these numbers. */
import type { ErrorCode } from "../errors/index.ts";

export const EXIT_CODES = {
  finished: 0,
  unexpected: 1,
  usage: 2,
  disk: 4,
} as const;

export function exitCodeOf(code: ErrorCode): number {
  if (code.startsWith("USAGE_") || code.startsWith("CONFIG_")) return EXIT_CODES.usage;
  return code === "STORAGE_FULL" ? EXIT_CODES.disk : EXIT_CODES.unexpected;
}
