/** What a failed write of an export means, and what to do about it. */
import { CrawlError } from "../../../base/errors/index.ts";
import { quoted } from "../../../base/text/index.ts";

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** `path` is as the user gave it. */
export function exportError(error: unknown, path: string): CrawlError {
  const systemCode = error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN";
  const facts = { file: path, systemCode };
  if (FULL.has(systemCode)) {
    const message =
      `The export to ${quoted(path)} stopped because the disk is full. ` +
      "Free some space, or name a file on another disk with --to, and run the command again.";
    return new CrawlError("EXPORT_FULL", message, facts, error);
  }
  const reason = error instanceof Error ? error.message : String(error);
  const message =
    `The export to ${quoted(path)} failed: ${reason}. ` +
    "Check the folder, the disk and the permissions, or name another file with --to.";
  return new CrawlError("EXPORT_FAILED", message, facts, error);
}
