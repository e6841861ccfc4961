/** What a disk error means for the store: it waits for room, or it stops for good. */
import { CrawlError } from "../../base/errors/index.ts";

const OWN: ReadonlySet<string> = new Set(["STORE_FULL", "STORE_FAILED", "CHECKPOINT_DAMAGED"]);

/** Turns the storage's or the log's error into the store's; one of the store's own stays. */
export function storeError(cause: CrawlError): CrawlError {
  if (OWN.has(cause.code)) return cause;
  if (cause.code === "STORAGE_FULL") {
    const message =
      "No page can be stored because the disk of the crawl directory is full. " +
      "Free some space; fetching continues by itself, and nothing that was fetched is lost.";
    return new CrawlError("STORE_FULL", message, cause.facts, cause);
  }
  const message =
    `The store stopped because a file of the crawl directory failed: ${cause.message} ` +
    "Then continue the crawl: its archive is read and cut to what is whole.";
  return new CrawlError("STORE_FAILED", message, cause.facts, cause);
}
