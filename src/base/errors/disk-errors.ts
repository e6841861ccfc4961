/** The codes of the disk: of the crawl directory, its databases, logs, runs and archive. */

export const DISK_ERRORS = {
  CHECKPOINT_DAMAGED: {
    retry: "never",
    meaning:
      "What a crawl wrote down at its end, to go on from there, does not fit its other files.",
    remedy:
      "`trobar store verify --rebuild` makes it again from archive and crawl log, which are not affected.",
  },
  CHECKPOINT_MISSING: {
    retry: "never",
    meaning: "A crawl did not end in order, and is of a kind that cannot go on from there.",
    remedy: "Start over with --fresh, or crawl into another directory; the archive stays readable.",
  },
  CHECKPOINT_VERSION: {
    retry: "never",
    meaning: "What a crawl wrote down to go on from was written by another version of Trobar.",
    remedy:
      "Go on with that version. From an older one, `trobar store verify --rebuild` makes it again from archive and crawl log.",
  },
  DATABASE_CORRUPT: {
    retry: "never",
    meaning: "A database file is damaged, or is not a database at all.",
    remedy:
      "If it is crawl.db, `trobar store verify --rebuild` makes it again from archive and crawl log.",
  },
  DATABASE_FAILED: {
    retry: "never",
    meaning: "The operating system or SQLite refused to open, read or write a database.",
    remedy: "The message has the reason: missing permissions, a wrong path, a failing disk.",
  },
  DATABASE_FULL: {
    retry: "later",
    meaning: "A database could not grow because the disk, or its own limit, is full.",
    remedy:
      "Free some space on the disk that holds the crawl directory; the work continues by itself.",
  },
  DATABASE_LOCKED: {
    retry: "later",
    meaning: "Another process kept a database locked for too long.",
    remedy: "Close other programs that write to the file; readers do no harm.",
  },
  DATABASE_LOG_LARGE: {
    retry: "later",
    meaning:
      "The file crawl.db-wal grows: another program has been reading crawl.db in one transaction for long.",
    remedy: "End that transaction or the program; meanwhile the crawl goes on.",
  },
  DATABASE_SCHEMA: {
    retry: "never",
    meaning: "A database file has tables of another shape than this version of Trobar declares.",
    remedy: "Use the version that made the file, or move it away so that a new one is made.",
  },
  DIRECTORY_DAMAGED: {
    retry: "never",
    meaning: "The file crawl.json or config.yaml of a crawl directory is damaged.",
    remedy: "Restore it from a copy, or crawl into another directory or with --fresh.",
  },
  DIRECTORY_FAILED: {
    retry: "never",
    meaning:
      "The operating system refused to make, read, write or lock a file of a crawl directory.",
    remedy: "The message has the system's error: missing permissions, a full or failing disk.",
  },
  DIRECTORY_FOREIGN: {
    retry: "never",
    meaning:
      "The directory is a file, or contains files but is not a crawl directory, or one of your files is in the way of a new crawl.",
    remedy: "Name another directory with --out, or move the file elsewhere; nothing was changed.",
  },
  DIRECTORY_IN_USE: {
    retry: "later",
    meaning: "Another process is using the crawl directory.",
    remedy: "Wait until it ends, or stop it; the message says which it is.",
  },
  DIRECTORY_MISSING: {
    retry: "never",
    meaning: "There is no crawl in this directory.",
    remedy: "Check the path; `trobar crawl SEED...` starts a crawl.",
  },
  DIRECTORY_VERSION: {
    retry: "never",
    meaning:
      "The crawl directory was made by a newer version of Trobar, which this one cannot read.",
    remedy:
      "Use that version or a newer one, or crawl into another directory; nothing was changed.",
  },
  EXPORT_FAILED: {
    retry: "never",
    meaning: "An export could not be written.",
    remedy: "The message has the system's error; name another place with --to.",
  },
  EXPORT_FULL: {
    retry: "later",
    meaning: "An export stopped because the disk it is written to is full.",
    remedy: "Free some space and run the command again; most formats go on where they stopped.",
  },
  LINKS_DAMAGED: {
    retry: "never",
    meaning: "A file of the link graph is missing or was altered.",
    remedy:
      "Check the disk; `trobar store verify --rebuild` makes the links again from the archive.",
  },
  LOG_BROKEN: {
    retry: "later",
    meaning:
      "Writing or syncing a log failed, so it is not known which of its last frames are durable.",
    remedy:
      "Open the log again, which cuts it to what is there. If it happens again, check the disk.",
  },
  LOG_DAMAGED: {
    retry: "never",
    meaning:
      "The manifest of a log is missing or unreadable, so its segments cannot be put together.",
    remedy: "Restore the manifest from a copy, or use `trobar store verify --rebuild`.",
  },
  LOG_OUT_OF_RANGE: {
    retry: "never",
    meaning: "A log should have been cut at a position beyond its end.",
    remedy:
      "The log and the record of its length do not belong together, or the disk lost bytes that were synced; `trobar store verify --rebuild` makes the frontier again.",
  },
  NEAR_RUN_DAMAGED: {
    retry: "never",
    meaning: "A sorted file of the near-duplicate index is damaged.",
    remedy:
      "No page is lost, but near duplicates of earlier pages may not be recognized. Check the disk.",
  },
  PAGES_DAMAGED: {
    retry: "never",
    meaning: "A file of pages has fewer bytes than the last checkpoint knows to be in it.",
    remedy:
      "Put the file back from a copy, or start over with --fresh. A crawl with --pages also goes on with another file.",
  },
  PAGES_FAILED: {
    retry: "never",
    meaning: "The file or pipe that --pages names could not be written.",
    remedy: "The message has the system's error; check the disk and the permissions of the file.",
  },
  PAGES_FULL: {
    retry: "later",
    meaning: "The disk of the file that --pages names is full, so fetching has stopped.",
    remedy: "Free some space; fetching continues by itself and no line is lost.",
  },
  PAGES_NO_MARKDOWN: {
    retry: "never",
    meaning:
      "A page has no Markdown: it is longer than 2 Mi characters, has more than 50,000 elements or 500 levels of them, or took longer than ten seconds to convert.",
    remedy:
      "Nothing to do: its field markdown is null, and the page is archived; --text gives the text of such pages too.",
  },
  PAGES_READER_GONE: {
    retry: "never",
    meaning: "The program that read the pages of --pages ended, so the crawl ended too.",
    remedy: "Nothing to do: what was fetched before is in the crawl directory.",
  },
  QUEUES_CLOSED: {
    retry: "never",
    meaning: "The queues of hosts were closed because the agent was stopping.",
    remedy: "Nothing to do: the records are still on disk.",
  },
  QUEUES_DAMAGED: {
    retry: "never",
    meaning: "A file of the host queues, or of the host table, is missing or was altered.",
    remedy:
      "Check the disk; `trobar store verify --rebuild` makes them again from archive and crawl log.",
  },
  RUN_DAMAGED: {
    retry: "never",
    meaning: "A file of sorted fingerprints is missing or damaged.",
    remedy:
      "Check the disk; `trobar store verify --rebuild` makes it again from archive and crawl log.",
  },
  SIEVE_MARKS_UNREADABLE: {
    retry: "never",
    meaning: "The recorded state of the sieve was not written by this version.",
    remedy: "Use the version that wrote it, or `trobar store verify --rebuild`.",
  },
  SIEVE_TEXT_DAMAGED: {
    retry: "never",
    meaning: "A part of the sieve's text is damaged; the URLs in it are not known any more.",
    remedy:
      "Check the disk. A crawl does not go on from such a text; `trobar store verify --rebuild` makes it again.",
  },
  STORAGE_FAILED: {
    retry: "never",
    meaning:
      "The operating system refused to read or write a file, for another reason than a full disk.",
    remedy:
      "The message has the system's error: a failing disk, missing permissions, too many open files.",
  },
  STORAGE_FULL: {
    retry: "later",
    meaning: "A file could not grow because the disk, or the quota, is full.",
    remedy:
      "Free some space on the disk that holds the crawl directory; the work continues by itself.",
  },
  CLAIMS_DAMAGED: {
    retry: "never",
    meaning:
      "A part of what another agent says to have can no longer be read from the disk of this one.",
    remedy:
      "Check the disk. It matters only if that other agent is lost with its disk: then start this agent over with an empty directory, so that others tell it again.",
  },
  INBOX_DAMAGED: {
    retry: "never",
    meaning:
      "A part of what other agents have told this one can no longer be read, and no checkpoint has it.",
    remedy:
      "Check the disk. Start this agent over with an empty directory, so that others tell it again.",
  },
  OUTBOX_DAMAGED: {
    retry: "never",
    meaning:
      "A part of what another agent was told about can no longer be read from the disk of this one.",
    remedy:
      "Check the disk. It matters only if that other agent is lost with its disk: then start this agent over with an empty directory, so that others tell it again.",
  },
  STORAGE_MISSING: {
    retry: "never",
    meaning: "A file that was expected is not there.",
    remedy:
      "Check the path; if the file belongs to a crawl directory, restore it or start a new crawl.",
  },
  STORE_FAILED: {
    retry: "never",
    meaning:
      "A file of the archive or the crawl log could not be written, or a store of the user failed, so the crawl ended.",
    remedy: "The message has the error; check the disk and its permissions, or the module.",
  },
  STORE_FULL: {
    retry: "later",
    meaning: "The disk of the crawl directory is full, so fetching has stopped.",
    remedy: "Free some space; fetching continues by itself and nothing that was fetched is lost.",
  },
  STORE_RECORD_DAMAGED: {
    retry: "never",
    meaning: "The record of a page cannot be read from the archive.",
    remedy: "`trobar store verify` lists all damage; the other pages can be read.",
  },
  TEXTS_DAMAGED: {
    retry: "never",
    meaning: "Texts of pages to which the page index refers are missing or were altered.",
    remedy:
      "Restore texts/ from the copy that crawl.db is from, or remove it: texts are then read from the archive.",
  },
} as const;
