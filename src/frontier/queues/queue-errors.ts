/** The errors that queues and the host table answer with. */
import { CrawlError } from "../../base/errors/index.ts";
import type { FileName } from "../../base/seams/index.ts";

/**
 * For a file or folder that is not as it was written; `fault` completes the sentence "It cannot be
 * used, since …".
 */
export function damagedFile(file: FileName, fault: string): CrawlError {
  const message =
    `The queues of the frontier cannot use ${file}, since ${fault}. Check the disk; ` +
    "`trobar store verify --rebuild` makes them again from archive and crawl log.";
  return new CrawlError("QUEUES_DAMAGED", message, { file, fault });
}

/** For a pull that queues were closed before. */
export function closedError(): CrawlError {
  const message = "The host queues were closed before they could answer: open them again.";
  return new CrawlError("QUEUES_CLOSED", message);
}
