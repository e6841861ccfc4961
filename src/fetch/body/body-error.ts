/** Errors of bodies that could not be kept. */
import { CrawlError } from "../../base/errors/index.ts";

export function noRoom(budgetBytes: number): CrawlError {
  return new CrawlError(
    "FETCH_BODY_NO_ROOM",
    "A body had to be written to a temporary file, but too many others were waiting to be " +
      `written: the ${budgetBytes} bytes for bodies are used up. Raise fetch.bodyMemory or lower ` +
      "fetch.concurrency; a quarter of the memory should hold 64 KiB for every connection.",
    { budgetBytes },
  );
}

export function notKept(cause: CrawlError): CrawlError {
  if (cause.code === "STORAGE_FULL") {
    return new CrawlError(
      "FETCH_BODY_NO_ROOM",
      `A body did not fit in memory, and there was no room for it on the disk: ${cause.message}`,
      { ...cause.facts, storageCode: cause.code },
      cause,
    );
  }
  return new CrawlError(
    "FETCH_BODY_NOT_KEPT",
    `A body that did not fit in memory was lost with its temporary file: ${cause.message}`,
    { ...cause.facts, storageCode: cause.code },
    cause,
  );
}
