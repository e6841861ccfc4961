/** What a failed write of rows means: wait for space, the reader's wish to end, or a failure. */
import { CrawlError, isNoRoom, systemCodeOf } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";

const GONE: ReadonlySet<string> = new Set(["EPIPE", "ECONNRESET"]);

/** `name` is as the user gave it: a path, or `-`. */
export function rowError(error: NodeJS.ErrnoException, name: string): CrawlError {
  const systemCode = systemCodeOf(error) || "UNKNOWN";
  const facts = { file: name, systemCode };
  if (isNoRoom(systemCode)) {
    const message =
      `No page can be written to ${quoted(name)} because its disk is full. ` +
      "Free some space; fetching continues by itself, and no line is lost.";
    return new CrawlError("PAGES_FULL", message, facts, error);
  }
  if (GONE.has(systemCode)) {
    const message =
      `Nobody reads the pages written to ${quoted(name)} any more, so the crawl ends. ` +
      "What was fetched is in the crawl directory.";
    return new CrawlError("PAGES_READER_GONE", message, facts, error);
  }
  const message =
    `The pages could not be written to ${quoted(name)}: ${error.message}. ` +
    "Check the disk and the permissions, or name another file with --pages.";
  return new CrawlError("PAGES_FAILED", message, facts, error);
}
