/** The one error for files of queues and of the host table that are not as they were written. */
import { CrawlError } from "../../base/errors/index.ts";
import type { FileName } from "../../base/seams/index.ts";

/** `file` is a file or a folder; `fault` completes the sentence "It cannot be used, since …". */
export function damagedFile(file: FileName, fault: string): CrawlError {
  const message =
    `The queues of the frontier cannot use ${file}, since ${fault}. Check the disk; restore the ` +
    "frontier's folder from a copy together with the crawl's database, or start a fresh crawl.";
  return new CrawlError("QUEUES_DAMAGED", message, { file, fault });
}
