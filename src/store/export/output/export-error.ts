/** What a failed write of an export means, and what to do about it. */
import { CrawlError, isNoRoom, systemCodeOf } from "../../../base/errors/index.ts";
import { quoted } from "../../../base/text/index.ts";

/** `path` is as the user gave it. */
export function exportError(error: unknown, path: string): CrawlError {
  const systemCode = systemCodeOf(error) || "UNKNOWN";
  const facts = { file: path, systemCode };
  if (isNoRoom(systemCode) || systemCode === "EFBIG") {
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
