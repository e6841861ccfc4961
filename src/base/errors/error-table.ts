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
  DNS_CLOSED: {
    retry: "later",
    meaning: "A name was not resolved because the agent was stopping.",
    remedy: "Nothing needs doing: the host is resolved again when the crawl is continued.",
  },
  DNS_NOT_FOUND: {
    retry: "never",
    meaning: "The host does not exist, or has no address: the name servers said so.",
    remedy:
      "Check the spelling of the seed or the link; the site may be gone. If no host at all is found, look at this machine's network and name servers (dns.servers).",
  },
  DNS_OVERLOADED: {
    retry: "later",
    meaning: "More hosts than the resolver holds were waiting to be resolved.",
    remedy: "It is tried again as the retry settings say; a faster server in dns.servers helps.",
  },
  DNS_SERVER_FAILED: {
    retry: "later",
    meaning: "The name servers failed, refused to answer, could not be reached, or sent nonsense.",
    remedy: "The site's servers may be down; if all hosts fail, check dns.servers and the network.",
  },
  DNS_TIMED_OUT: {
    retry: "later",
    meaning: "No name server answered for the host within dns.timeout.",
    remedy: "Raise dns.timeout if the servers are slow; if all hosts fail, check dns.servers.",
  },
  FETCH_ADDRESS_REFUSED: {
    retry: "never",
    meaning: "A host's address is not public, or is blocked, so no connection was made.",
    remedy:
      "If it is to be crawled, name its range in fetch.allowAddresses, or use --allow-private.",
  },
  FETCH_BODY_NOT_KEPT: {
    retry: "later",
    meaning:
      "A body that did not fit in memory could not be written to its temporary file, or read from it.",
    remedy:
      "Look at the reason in the message: a full or failing disk. Free some space, or raise fetch.bodyMemory.",
  },
  FETCH_BODY_NO_ROOM: {
    retry: "later",
    meaning: "A body had to go to disk, and memory had no room for bytes on their way there.",
    remedy:
      "Raise fetch.bodyMemory or lower fetch.concurrency: each connection may need 256 KiB of it.",
  },
  FETCH_CONNECT_FAILED: {
    retry: "later",
    meaning: "No connection to the server could be made: refused, reset, or no way there.",
    remedy:
      "Check the host and the port of the URL; the server may be down. It is tried again as the retry settings say.",
  },
  FETCH_CONTENT_CORRUPT: {
    retry: "never",
    meaning:
      "Compressed content is damaged or ends too soon; what could be unpacked before that is kept.",
    remedy: "The server's mistake, or a body that was cut: nothing needs doing.",
  },
  FETCH_CONTENT_NOT_ENCODED: {
    retry: "never",
    meaning: "The server says that content is compressed, but it is not; it is used as it came.",
    remedy: "The server's mistake: nothing needs doing.",
  },
  FETCH_CONTENT_TOO_LARGE: {
    retry: "never",
    meaning:
      "Compressed content becomes larger than a limit when it is unpacked, or takes too long; it was cut there.",
    remedy:
      "Raise fetch.maxBody if such pages are wanted; beware of content made to exhaust readers.",
  },
  FETCH_CONTENT_TOO_MANY_ENCODINGS: {
    retry: "never",
    meaning:
      "The server says that content was compressed more often than is unpacked; it is used as it came.",
    remedy:
      "Such answers are made to exhaust readers, or are a server's mistake: nothing needs doing.",
  },
  FETCH_CONTENT_UNKNOWN_ENCODING: {
    retry: "never",
    meaning: "Content is compressed in a way that is not known here; it is used as it came.",
    remedy:
      "Nothing needs doing: the page is archived as it was received, but its links are not found.",
  },
  FETCH_DISCONNECTED: {
    retry: "later",
    meaning: "The server closed the connection before the head of its answer was complete.",
    remedy: "The server may be overloaded; it is tried again as the retry settings say.",
  },
  FETCH_FILE_MISSING: {
    retry: "never",
    meaning: "A file: URL names a file that is not there.",
    remedy: "Correct the link or the seed that names it.",
  },
  FETCH_FILE_REFUSED: {
    retry: "never",
    meaning:
      "A file: URL leads out of the folders of the seeds, or to something that is no file or folder.",
    remedy: "Give the other folder as a seed if it is wanted; the facts say why it was refused.",
  },
  FETCH_FILE_UNREADABLE: {
    retry: "never",
    meaning: "The operating system refused to open or read a file that a file: URL names.",
    remedy: "Check the file's rights; the message holds the system's reason.",
  },
  FETCH_NO_SOCKET: {
    retry: "later",
    meaning: "This machine had no socket left: too many connections, descriptors or ports in use.",
    remedy:
      "Lower fetch.concurrency or fetch.keepAlive, or raise the limit on open files (`ulimit -n`).",
  },
  FETCH_PORT_REFUSED: {
    retry: "never",
    meaning: "A URL's port is not among those that are crawled, or is the crawler's own.",
    remedy: "If it is to be crawled, add it to fetch.ports; the crawler's own ports never are.",
  },
  FETCH_PROTOCOL: {
    retry: "later",
    meaning: "The server's answer is not HTTP, or its head is longer than the limit.",
    remedy:
      "Look at the server's answer: it may speak another protocol on this port, such as https. It is tried again as the retry settings say.",
  },
  FETCH_PROXY_FAILED: {
    retry: "later",
    meaning: "The proxy could not be reached, answered nonsense, or could not reach the server.",
    remedy:
      "Check that fetch.proxy names the right host and port and that the proxy runs; its own log may say more.",
  },
  FETCH_PROXY_REFUSED: {
    retry: "never",
    meaning: "The proxy wants other credentials, or does not allow this server.",
    remedy: "Put the user and password into the URL of fetch.proxy, or ask who runs the proxy.",
  },
  FETCH_REQUEST_INVALID: {
    retry: "never",
    meaning: "A request was not sent: its URL or a header has what no request may hold.",
    remedy: "Correct what the message names; such a request could be taken for two.",
  },
  FETCH_ROBOTS_INCOMPLETE: {
    retry: "later",
    meaning:
      "A robots.txt was cut short, damaged, or encoded in a way that is not known, so it gives no permission.",
    remedy:
      "It is tried again as the retry settings say; if it goes on, tell whoever runs the server.",
  },
  FETCH_SCHEME_REFUSED: {
    retry: "never",
    meaning: "The URL has a scheme for which there is no protocol module.",
    remedy: "Only http, https and, for local files, file are fetched.",
  },
  FETCH_TIMED_OUT: {
    retry: "later",
    meaning: "The server did not connect or answer within a time limit, which the facts name.",
    remedy:
      "Raise fetch.connectTimeout, fetch.headerTimeout or fetch.totalTimeout if it is just slow.",
  },
  FETCH_TLS_CERTIFICATE: {
    retry: "never",
    meaning: "The server's certificate does not verify.",
    remedy:
      "It may be expired, self-signed or for another host; fetch.insecure accepts such certificates.",
  },
  FETCH_TLS_FAILED: {
    retry: "later",
    meaning: "No TLS connection could be agreed on, or the server does not speak TLS there.",
    remedy:
      "Try the URL with http, or look at the server's versions and ciphers of TLS. It is tried again as the retry settings say.",
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
  INTERNAL_DECODE: {
    retry: "never",
    meaning:
      "A fault of Trobar itself while the content of a page was decoded; it ended that page alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
  },
  INTERNAL_DUPLICATES: {
    retry: "never",
    meaning:
      "A fault of Trobar itself while duplicates of a page were looked for; it ended that page alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
  },
  INTERNAL_FETCH: {
    retry: "never",
    meaning: "A fault of Trobar itself while a page was fetched; it ended that page alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
  },
  INTERNAL_FILTER: {
    retry: "never",
    meaning:
      "A fault of Trobar itself while the `fetch` filter or robots.txt was asked about a URL; it ended the URL alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
  },
  INTERNAL_LINKS: {
    retry: "never",
    meaning:
      "A fault of Trobar itself while the links of a page were followed, or a redirect; it ended that page alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
  },
  INTERNAL_PARSE: {
    retry: "never",
    meaning: "A fault of Trobar itself while a page was parsed; it ended that page alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
  },
  INTERNAL_RESOLVE: {
    retry: "later",
    meaning:
      "A fault of Trobar itself while the name of a host was resolved; it ended the host alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
  },
  INTERNAL_ROBOTS: {
    retry: "later",
    meaning:
      "A fault of Trobar itself while a robots.txt was fetched or read; it ended the attempt alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
  },
  INTERNAL_STORE: {
    retry: "never",
    meaning:
      "A fault of Trobar itself while a page was stored or logged; it ended that page alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
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
  PARSE_PARSER_UNKNOWN: {
    retry: "never",
    meaning: "The configuration names a parser that does not exist and was not loaded as a module.",
    remedy: "Correct the name in parse.parsers; the message lists the parsers that exist.",
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
  SCORE_FAILED: {
    retry: "never",
    meaning: "A user's score threw, or answered no finite number; the link has the priority 0.",
    remedy:
      "Correct the module that the message names: priorityOf must return a finite number and not throw.",
  },
  SCORE_INVALID: {
    retry: "never",
    meaning: "The module that frontier.score names could not be loaded, or is no score.",
    remedy: "Correct the path or the module; docs/traversal.md says what a score is.",
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
  USAGE_DECLINED: {
    retry: "never",
    meaning: "A question was not answered with yes, so nothing was done.",
    remedy: "Answer yes, or give --yes to be asked nothing.",
  },
  USAGE_NOT_BUILT: {
    retry: "never",
    meaning: "The command belongs to Trobar but is not part of this version yet.",
    remedy: "`trobar --help` lists what works today.",
  },
  USAGE_NO_SEEDS: {
    retry: "never",
    meaning: "A crawl was started without a URL to begin with.",
    remedy: "Name a URL, or a file of URLs with --seeds.",
  },
  USAGE_PROCESS_LIMIT: {
    retry: "never",
    meaning: "The process may open too few files, or use too little memory, for any crawl.",
    remedy: "Raise the limit to what the message names.",
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
