/** The codes of the disk: of the crawl directory, its databases, logs, runs and archive. */

export const DISK_ERRORS = {
  DATABASE_CORRUPT: {
    retry: "never",
    meaning: "A database file is damaged, or is not a database at all.",
    remedy: "Move the file away and restore it from a copy.",
  },
  DATABASE_FAILED: {
    retry: "never",
    meaning: "The operating system or SQLite refused to open, read or write a database.",
    remedy: "Look at the reason in the message: missing rights, a wrong path, a failing disk.",
  },
  DATABASE_FULL: {
    retry: "later",
    meaning: "A database could not grow because the disk, or its own limit, is full.",
    remedy:
      "Free some space on the disk that holds the crawl directory; the work continues by itself.",
  },
  DATABASE_LOCKED: {
    retry: "later",
    meaning: "Another process held a database locked for longer than we wait.",
    remedy: "Close other programs that write to the file; readers do no harm.",
  },
  DATABASE_SCHEMA: {
    retry: "never",
    meaning: "A database file has tables of another shape than this version of Trobar declares.",
    remedy: "Use the version that made the file, or move it away so that a new one is made.",
  },
  DIRECTORY_DAMAGED: {
    retry: "never",
    meaning: "The file crawl.json or config.yaml of a crawl directory cannot be read as such.",
    remedy: "Restore it from a copy, or crawl into another directory or with --fresh.",
  },
  DIRECTORY_FAILED: {
    retry: "never",
    meaning:
      "The operating system refused to make, read, write or lock a file of a crawl directory.",
    remedy: "Look at the system's error in the message: missing rights, a full or failing disk.",
  },
  DIRECTORY_FOREIGN: {
    retry: "never",
    meaning:
      "The directory is a file, or holds files and is not a crawl directory, or a file of somebody else's is in the way of a new crawl.",
    remedy:
      "Name another directory with --out, or move the file elsewhere; nothing was changed in this one.",
  },
  DIRECTORY_IN_USE: {
    retry: "later",
    meaning: "Another process is using the crawl directory.",
    remedy: "Wait until it ends, or stop it; the message says who it is.",
  },
  DIRECTORY_MISSING: {
    retry: "never",
    meaning: "There is no crawl in this directory.",
    remedy: "Check the path; `trobar crawl SEED...` begins a crawl.",
  },
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
  NEAR_RUN_DAMAGED: {
    retry: "never",
    meaning: "A sorted file of the near-duplicate index is not as it was written.",
    remedy:
      "Nothing is lost: the file is made anew from its log when the crawl is continued. Check the disk.",
  },
  PAGES_FAILED: {
    retry: "never",
    meaning: "The file or pipe that --pages names could not be written.",
    remedy: "Look at the system's error in the message; check the disk and the rights of the file.",
  },
  PAGES_FULL: {
    retry: "later",
    meaning: "The disk of the file that --pages names is full, so no page is taken.",
    remedy: "Free some space; fetching goes on by itself and no line is lost.",
  },
  PAGES_READER_GONE: {
    retry: "never",
    meaning: "The program that read the pages of --pages ended, so the crawl ended too.",
    remedy: "Nothing needs doing; what was fetched until then is in the crawl directory.",
  },
  QUEUES_CLOSED: {
    retry: "never",
    meaning: "The queues of hosts were closed while somebody waited for records.",
    remedy: "Nothing needs doing: the records are there when the crawl is continued.",
  },
  QUEUES_DAMAGED: {
    retry: "never",
    meaning: "A file of the host queues, or of the host table, is missing or was altered.",
    remedy:
      "Check the disk; restore frontier/ from a copy together with crawl.db, or start a fresh crawl.",
  },
  RUN_DAMAGED: {
    retry: "never",
    meaning: "A file of sorted fingerprints is missing or not as it was written.",
    remedy: "Restore the crawl directory from a copy, and check the disk.",
  },
  SIEVE_MARKS_UNREADABLE: {
    retry: "never",
    meaning: "What a checkpoint recorded about the sieve is not what this version writes.",
    remedy:
      "Continue the crawl with the version that wrote it, or restore the crawl directory from a copy.",
  },
  SIEVE_TEXT_DAMAGED: {
    retry: "never",
    meaning:
      "A part of the sieve's text is not as it was written; the URLs in it that were new are lost.",
    remedy:
      "Check the disk. The crawl goes on without those URLs; to have them, restore a copy or crawl afresh.",
  },
  STORAGE_FAILED: {
    retry: "never",
    meaning: "The operating system refused to read or write a file, and not for want of space.",
    remedy:
      "Look at the system's error in the message: a failing disk, missing rights, too many open files.",
  },
  STORAGE_FULL: {
    retry: "later",
    meaning: "A file could not grow because the disk, or the quota, is full.",
    remedy:
      "Free some space on the disk that holds the crawl directory; the work continues by itself.",
  },
  STORAGE_MISSING: {
    retry: "never",
    meaning: "A file that was expected is not there.",
    remedy:
      "Check the path; if the file belongs to a crawl directory, restore it or start a fresh crawl.",
  },
  STORE_FAILED: {
    retry: "never",
    meaning: "A file of the archive or the crawl log could not be written, so no page is taken.",
    remedy:
      "Look at the system's error in the message; then continue the crawl, which repairs its files.",
  },
  STORE_FULL: {
    retry: "later",
    meaning: "The disk of the crawl directory is full, so no page is taken.",
    remedy: "Free some space; fetching goes on by itself and nothing that was fetched is lost.",
  },
} as const;
