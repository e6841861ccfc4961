/** The codes of our own mistakes, and of background work that was dropped or died. */

export const FAULT_ERRORS = {
  BACKGROUND_CLOSED: {
    retry: "never",
    meaning: "Background work was dropped because the agent was stopping.",
    remedy: "Nothing to do: no committed data is lost.",
  },
  BACKGROUND_TASK_FAILED: {
    retry: "never",
    meaning: "A piece of background work threw an error, or the thread that ran it died.",
    remedy: "The message names the task and the cause; if memory ran out, give the process more.",
  },
  BACKGROUND_TASK_UNKNOWN: {
    retry: "never",
    meaning:
      "The background thread could not load the module of a task, or did not find the task there.",
    remedy:
      "A task is an exported constant that names its own module and export; reinstall if a file is missing.",
  },
  INTERNAL_API: {
    retry: "never",
    meaning:
      "A fault of Trobar itself while a request to its API was answered; it ended that request alone.",
    remedy: "The crawl goes on. Please report the entry of logs/faults.log, with its stack.",
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
  INTERNAL_KERNEL: {
    retry: "never",
    meaning:
      "A kernel (compiled code for a loop over bytes) failed on a page, or cannot run on this machine. The same work was done without it, only slower.",
    remedy:
      "Nothing is lost. Please report the entry of logs/faults.log, with its stack, unless the processor has no SIMD.",
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
  INTERNAL_LANE: {
    retry: "never",
    meaning: "The thread of a lane ended while the crawl was running, so the crawl ended too.",
    remedy:
      "What was archived is whole. If the thread ran out of memory, use fewer lanes or a smaller frontier.memory; otherwise please report the message.",
  },
  INTERNAL_UNIT: {
    retry: "never",
    meaning:
      "A unit of the topology threw an error while it worked on an item, or while it was made or closed.",
    remedy:
      "The message names the unit and the item. If the unit is yours, mend it; otherwise please report the entry of logs/faults.log.",
  },
  INTERNAL_UNIT_DROPPED: {
    retry: "never",
    meaning:
      "A unit of the topology dropped an item that must be passed on, such as a visit of a crawl, so the item ended there.",
    remedy:
      "The message names the unit and the item. If that is meant, nothing is to be done; to leave pages out without this, use filters.",
  },
  INTERNAL_UNIT_LATE: {
    retry: "never",
    meaning:
      "A processor of a crawl was not done with a page within its patience, so the page goes on without it.",
    remedy:
      "The message names the unit and the page. See that every promise of the unit settles, or raise its setting patience.",
  },
} as const;
