/**
 * Every error code of the project, in one table: whether trying again can help, what it means and
 * what to do. `docs/errors.md` is printed from it and a test compares the two, so a code exists in
 * the documentation exactly when it exists here. Codes are never renamed or given a new meaning.
 */

/** `later`: the same attempt may succeed after a wait. `elsewhere`: another agent may succeed. */
export type Retry = "never" | "later" | "elsewhere";

export interface ErrorEntry {
  readonly retry: Retry;
  /** What happened, as one sentence that is true of every occurrence. */
  readonly meaning: string;
  /** What the reader can do about it. */
  readonly remedy: string;
}

export const ERRORS = {
  LOG_BROKEN: {
    retry: "later",
    meaning:
      "Writing or syncing a log failed, so it is not known which of its last frames are durable.",
    remedy:
      "Close the log and open it again: it is then read and cut to what is there. If it happens again, check the disk.",
  },
  LOG_DAMAGED: {
    retry: "never",
    meaning:
      "The manifest of a log is missing or unreadable, so its segments cannot be put together.",
    remedy: "Restore the manifest from a copy, or move the log's files away to start it afresh.",
  },
  LOG_OUT_OF_RANGE: {
    retry: "never",
    meaning: "A log was to be cut at a position that it does not have.",
    remedy:
      "The log and what recorded its length do not belong together, or the disk lost bytes that it had promised to keep: restore both from one copy.",
  },
  STORAGE_FULL: {
    retry: "later",
    meaning: "A file could not grow because the disk, or the quota, is full.",
    remedy:
      "Free some space on the disk that holds the crawl directory; the work continues by itself.",
  },
  STORAGE_FAILED: {
    retry: "never",
    meaning: "The operating system refused to read or write a file, and not for want of space.",
    remedy:
      "Look at the system's error in the message: a failing disk, missing rights, too many open files.",
  },
  STORAGE_MISSING: {
    retry: "never",
    meaning: "A file that was expected is not there.",
    remedy:
      "Check the path; if the file belongs to a crawl directory, restore it or start a fresh crawl.",
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** The entry of a code; that it compiles proves that every entry of the table is whole. */
export function errorEntry(code: ErrorCode): ErrorEntry {
  return ERRORS[code];
}
