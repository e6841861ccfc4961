/** Maps errors of the operating system to the three that callers of storage can act on. */
import { CrawlError, isNoRoom, systemCodeOf } from "../errors/index.ts";
import type { FileName } from "../seams/index.ts";

/** `doing` completes the sentence "Could not …", such as "append to". */
export function storageError(
  error: NodeJS.ErrnoException,
  doing: string,
  name: FileName,
): CrawlError {
  const systemCode = systemCodeOf(error) || "UNKNOWN";
  const facts = { file: name, systemCode };
  if (isNoRoom(systemCode)) {
    const why = systemCode === "EDQUOT" ? "its quota is used up" : "no space is left on its disk";
    const message =
      `Could not ${doing} ${name}: ${why} (${systemCode}). ` +
      "Free some space; the work continues by itself.";
    return new CrawlError("STORAGE_FULL", message, facts, error);
  }
  if (systemCode === "ENOENT") {
    const message =
      `Could not ${doing} ${name}: there is no such file. ` +
      "Check the path; if it belongs to a crawl directory, restore it.";
    return new CrawlError("STORAGE_MISSING", message, facts, error);
  }
  return storageFailure(error, doing, name);
}

/** For failures after which the effect may have happened, whatever the system's reason. */
export function storageFailure(
  error: NodeJS.ErrnoException,
  doing: string,
  name: FileName,
): CrawlError {
  const systemCode = systemCodeOf(error) || "UNKNOWN";
  const message =
    `Could not ${doing} ${name}: the system answered ${error.message}. ` +
    "Check the disk, the permissions of the folder and the number of open files.";
  return new CrawlError("STORAGE_FAILED", message, { file: name, systemCode }, error);
}
