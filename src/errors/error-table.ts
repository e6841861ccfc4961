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
  BACKGROUND_CLOSED: {
    retry: "never",
    meaning: "Background work was dropped because the agent was stopping.",
    remedy: "Nothing needs doing: the work is done again when the crawl is continued.",
  },
  BACKGROUND_TASK_FAILED: {
    retry: "never",
    meaning: "A piece of background work threw an error, or the thread that ran it died.",
    remedy:
      "The message names the task and the cause; if memory ran out, give the process more of it.",
  },
  BACKGROUND_TASK_UNKNOWN: {
    retry: "never",
    meaning:
      "The background thread could not load the module of a task, or found no such task there.",
    remedy:
      "A task is an exported constant that names its own module and export; reinstall if a file is missing.",
  },
  CONFIG_BAD_VALUE: {
    retry: "never",
    meaning: "A configuration key was given a value that it cannot have.",
    remedy: "Write one of the legal values that the message names.",
  },
  CONFIG_CONFLICT: {
    retry: "never",
    meaning: "Two configuration keys have values that contradict each other.",
    remedy: "Change one of the keys that the message names.",
  },
  CONFIG_DUPLICATE_KEY: {
    retry: "never",
    meaning: "One source gives the same configuration key twice.",
    remedy: "Remove one of the two; the message says where the first one stands.",
  },
  CONFIG_FILE_TOO_LARGE: {
    retry: "never",
    meaning: "A configuration file is larger than the limit.",
    remedy: "Keep the settings alone in it; long lists of seeds belong in a file for --seeds.",
  },
  CONFIG_FILE_UNREADABLE: {
    retry: "never",
    meaning: "A file named in the configuration or on the command line could not be read.",
    remedy: "Check the path and the rights; the message holds the system's reason.",
  },
  CONFIG_FIXED_KEY: {
    retry: "never",
    meaning: "A crawl that exists was to be continued with another value of a key that is fixed.",
    remedy:
      "Leave the key as the crawl has it, or start over in another directory or with --fresh.",
  },
  CONFIG_INVALID: {
    retry: "never",
    meaning: "The configuration has mistakes; the message lists every one of them.",
    remedy: "Correct them; `trobar inspect config` shows the result without crawling.",
  },
  CONFIG_SHARED_KEY: {
    retry: "never",
    meaning: "An agent that joins a cluster has another value of a key that all agents share.",
    remedy: "Leave the key out: a joiner takes the cluster's value and sets local keys only.",
  },
  CONFIG_SYNTAX: {
    retry: "never",
    meaning: "A configuration source is not well formed, so its keys could not be read.",
    remedy: "Correct the file at the line and column that the message names.",
  },
  CONFIG_UNKNOWN_KEY: {
    retry: "never",
    meaning: "A configuration source names a key that does not exist.",
    remedy: "Use the name that the message suggests, or look it up in docs/configuration.md.",
  },
  DATABASE_CORRUPT: {
    retry: "never",
    meaning: "A database file is damaged, or is not a database at all.",
    remedy:
      "Move the file away and restore it from a copy; a page index is rebuilt by 'trobar store verify --rebuild'.",
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
  FETCH_CONNECT_FAILED: {
    retry: "later",
    meaning: "No connection to the server could be made: refused, reset, or no way there.",
    remedy: "The server may be down; it is tried again as the retry settings say.",
  },
  FETCH_DISCONNECTED: {
    retry: "later",
    meaning: "The server closed the connection before the head of its answer was complete.",
    remedy: "The server may be overloaded; it is tried again as the retry settings say.",
  },
  FETCH_PROTOCOL: {
    retry: "never",
    meaning: "The server's answer is not HTTP, or its head is longer than the limit.",
    remedy: "Look at the server's answer; it may speak another protocol on this port.",
  },
  FETCH_TIMED_OUT: {
    retry: "later",
    meaning: "The server did not connect or answer within a time limit, which the facts name.",
    remedy:
      "Raise fetch.connectTimeout, fetch.headerTimeout or fetch.totalTimeout if it is just slow.",
  },
  FILTER_ATOM_FAILED: {
    retry: "never",
    meaning:
      "An atom from a user's module threw, or answered neither true nor false; the filter refused what it was shown.",
    remedy: "Correct the module that the message names: its atom must return true or false.",
  },
  FILTER_INVALID: {
    retry: "never",
    meaning: "A filter could not be loaded: its text, an atom or an argument is wrong.",
    remedy:
      "Correct each place that the message points at; `trobar inspect filter` shows how a filter is understood.",
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
  SIMWEB_LISTEN_FAILED: {
    retry: "never",
    meaning: "The synthetic web, its name server or its control port could not listen on loopback.",
    remedy:
      "Choose another port, or 0 for any that is free; the message names the address and the cause.",
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
  USAGE_BAD_ARGUMENT: {
    retry: "never",
    meaning: "A command was given an argument that it does not take, or lacks one that it needs.",
    remedy: "Look at the usage line of `trobar help COMMAND`.",
  },
  USAGE_BAD_FLAG_VALUE: {
    retry: "never",
    meaning: "A flag lacks its value, or was given one though it takes none.",
    remedy: "Look at the flags of `trobar help COMMAND`.",
  },
  USAGE_NOT_BUILT: {
    retry: "never",
    meaning: "The command belongs to Trobar but is not part of this version yet.",
    remedy: "`trobar --help` lists what works today.",
  },
  USAGE_UNKNOWN_COMMAND: {
    retry: "never",
    meaning: "There is no command of this name.",
    remedy: "Use the name that the message suggests; `trobar --help` lists them all.",
  },
  USAGE_UNKNOWN_FLAG: {
    retry: "never",
    meaning: "The command has no flag of this name.",
    remedy: "Use the name that the message suggests; `trobar help COMMAND` lists them all.",
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** The entry of a code; that it compiles proves that every entry of the table is whole. */
export function errorEntry(code: ErrorCode): ErrorEntry {
  return ERRORS[code];
}
