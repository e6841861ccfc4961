/**
 * Every flag in one table: its names, what follows it, the keys it sets, and what it means. Help,
 * parsing and the effect on the configuration all come from here, so that a flag is declared once.
 */

export interface Flag {
  /** Without the two hyphens. */
  readonly long: string;
  /** A single letter, without its hyphen. */
  readonly short?: string;
  /** What follows, as shown in help; none for a flag that stands alone. */
  readonly value?: string;
  /** Whether what follows may be left out. */
  readonly valueOptional?: boolean;
  /** Keys of the configuration that it sets: to a fixed text, or to what follows it. */
  readonly sets?: readonly { readonly key: string; readonly text?: string }[];
  readonly meaning: string;
  /** True if it is not part of this version yet: recognised, refused by name, not shown in help. */
  readonly unbuilt?: true;
}

/** Flags that every command has. */
export const COMMON_FLAGS: readonly Flag[] = [
  { long: "help", short: "h", meaning: "show this help" },
];

export const JSON_FLAG: Flag = {
  long: "json",
  meaning: "print JSON, a line for each answer of a stream, and nothing else",
};

const FRESH_FLAGS: readonly Flag[] = [
  { long: "fresh", meaning: "start over in an existing directory" },
  { long: "yes", meaning: "do not ask before starting over" },
];

export const CRAWL_FLAGS: readonly Flag[] = [
  {
    long: "seeds",
    short: "i",
    value: "FILE|-",
    meaning: "read seeds from a file, one URL per line",
  },
  setting("limit", "limits.pages", { short: "n", value: "N", meaning: "fetch N pages in all" }),
  setting("depth", "limits.depth", {
    short: "d",
    value: "N",
    meaning: "follow links N steps from a seed",
  }),
  setting("scope", "scope", {
    value: "page|prefix|host|domain|any",
    meaning: "how far from the seeds links are followed",
  }),
  {
    long: "include",
    value: "F",
    meaning: "only URLs that this filter or glob accepts (repeatable)",
  },
  { long: "exclude", value: "F", meaning: "no URLs that this filter or glob accepts (repeatable)" },
  setting("delay", "politeness.hostDelay", {
    value: "D",
    meaning: "pause between fetches from one host",
  }),
  setting("ip-delay", "politeness.ipDelay", {
    value: "D",
    meaning: "pause between fetches from one address",
  }),
  setting("concurrency", "fetch.concurrency", {
    short: "c",
    value: "N",
    meaning: "connections open at once in an agent",
  }),
  setting("lanes", "lanes", {
    value: "N|auto",
    meaning: "threads that crawl, each with its own part of the hosts",
  }),
  setting("max-time", "limits.time", { value: "D", meaning: "end after this time" }),
  setting("max-bytes", "limits.bytes", { value: "B", meaning: "end after this many bytes" }),
  setting("min-free-disk", "limits.minFreeDisk", {
    value: "B",
    meaning: "wait when less of the disk is free",
  }),
  setting("user-agent", "userAgent", { value: "S", meaning: "the User-Agent header" }),
  setting("contact", "contact", { value: "URL|mail", meaning: "where site owners can complain" }),
  {
    long: "header",
    value: "'N: v'",
    meaning: "a further header of every request (repeatable)",
  },
  {
    long: "cookies",
    value: "FILE",
    sets: [{ key: "fetch.cookies", text: "true" }],
    meaning: "send the cookies of a file in Netscape's form, and those that hosts set",
  },
  {
    long: "ignore-robots",
    sets: [{ key: "politeness.robots", text: "ignore" }],
    meaning: "do not ask robots.txt",
  },
  {
    long: "allow-private",
    sets: [
      { key: "fetch.allowAddresses", text: "0.0.0.0/0, ::/0" },
      { key: "fetch.ports", text: "any" },
    ],
    meaning: "allow private and special addresses, and any port",
  },
  { long: "out", short: "o", value: "DIR", meaning: "the crawl directory" },
  { long: "config", value: "FILE", meaning: "read settings from a file (repeatable)" },
  {
    long: "set",
    value: "KEY=VALUE",
    meaning: "set any key, VALUE in YAML (repeatable, the last wins)",
  },
  setting("page-requisites", "parse.requisites", {
    text: "true",
    meaning: "also fetch what pages need to be shown: images, styles, scripts, fonts",
  }),
  {
    long: "pages",
    value: "FILE|-",
    meaning: "also write each page as a line of data (.jsonl, .csv, both also .gz; - is stdout)",
  },
  { long: "text", meaning: "with --pages: also the text of each page" },
  { long: "links", meaning: "with --pages: also the links of each page" },
  { long: "markdown", meaning: "with --pages: also the main content of each page, as Markdown" },
  {
    long: "extract",
    value: "'NAME=SELECTOR'",
    meaning:
      "with --pages: also the text that a CSS selector finds, or SELECTOR@ATTRIBUTE (repeatable)",
  },
  {
    long: "dry-run",
    meaning: "fetch the seeds only, say what the rules would take, and keep nothing",
  },
  { long: "stay", meaning: "wait for new seeds (trobar seed) when nothing is left to fetch" },
  { long: "add", meaning: "add these seeds to the crawl that is in the directory" },
  ...FRESH_FLAGS,
  setting("dashboard", "api.port", {
    value: "PORT",
    valueOptional: true,
    meaning: "serve the dashboard, on this port",
    unbuilt: true,
  }),
  { long: "no-dashboard", meaning: "serve no dashboard", unbuilt: true },
  {
    long: "agents",
    value: "N",
    meaning: "share the crawl among N agents on this machine (nats-server is needed)",
  },
  JSON_FLAG,
  { long: "quiet", short: "q", meaning: "show no progress" },
];

export const DEMO_FLAGS: readonly Flag[] = [
  { long: "out", short: "o", value: "DIR", meaning: "keep the crawl in this directory" },
  ...FRESH_FLAGS,
  { long: "no-dashboard", meaning: "serve no dashboard", unbuilt: true },
  JSON_FLAG,
  { long: "quiet", short: "q", meaning: "show no progress" },
];

export const AGENT_FLAGS: readonly Flag[] = [
  setting("join", "cluster.join", {
    value: "HOST:PORT[,…]",
    meaning: "where other agents listen; the first agent has none to join",
  }),
  setting("listen", "cluster.listen", {
    value: "HOST:PORT",
    meaning: "where this agent listens for others; loopback, any port, if left out",
  }),
  setting("token", "cluster.token", {
    value: "FILE",
    meaning: "file that holds the join token; needed between machines",
  }),
  setting("nats", "cluster.nats", {
    value: "URL[,…]",
    meaning: "existing NATS servers, in place of those that agents start",
  }),
  setting("id", "cluster.id", {
    value: "ID",
    meaning: "the name of this agent, one for each disk",
  }),
  setting("capacity", "cluster.capacity", {
    value: "N",
    meaning: "its share of the hosts, compared with that of others",
  }),
  { long: "expect", value: "N", meaning: "of the first agent: begin when N agents are there" },
  {
    long: "change",
    meaning: "what is given here counts for all agents, also where they share other settings",
  },
  { long: "leave-on-stop", meaning: "when stopped by a signal, hand everything over first" },
  {
    ...setting("master", "assignment.kind", { text: "master", meaning: "be a worker of a master" }),
    unbuilt: true,
  },
];

/** Of an agent; it starts no others. */
export const AGENT_COMMAND_FLAGS: readonly Flag[] = [
  ...AGENT_FLAGS,
  ...CRAWL_FLAGS.filter(({ long }) => long !== "agents"),
];

function setting(
  long: string,
  key: string,
  rest: Omit<Flag, "long" | "sets"> & { readonly text?: string },
): Flag {
  const { text, ...flag } = rest;
  return { long, ...flag, sets: [text === undefined ? { key } : { key, text }] };
}

/** Of the flags of a crawl, those by which a filter may get atoms and a URL become another. */
export const INSPECT_FILTER_FLAGS: readonly Flag[] = [
  ...CRAWL_FLAGS.filter(({ long }) => long === "config" || long === "set"),
  JSON_FLAG,
];

/** Of the flags of a crawl, those that matter when a single URL is fetched. */
const FETCHING = ["allow-private", "user-agent", "contact", "header", "cookies", "config", "set"];
const FETCHING_FLAGS = CRAWL_FLAGS.filter(({ long }) => FETCHING.includes(long));

export const INSPECT_ROBOTS_FLAGS: readonly Flag[] = [
  { long: "agent", value: "A", meaning: "who asks; trobar by default" },
  ...FETCHING_FLAGS,
  JSON_FLAG,
];

export const DOCTOR_FLAGS: readonly Flag[] = [
  { long: "out", short: "o", value: "DIR", meaning: "the crawl directory whose disk is tried" },
  { long: "config", value: "FILE", meaning: "the settings of the crawl (repeatable)" },
  { long: "set", value: "KEY=VALUE", meaning: "set any key, as for crawl (repeatable)" },
  JSON_FLAG,
];

export const INSPECT_TOPOLOGY_FLAGS: readonly Flag[] = [
  {
    long: "format",
    value: "text|json|svg|dot|mermaid",
    meaning: "how the graph is drawn; text by default",
  },
  JSON_FLAG,
];

export const INSPECT_URL_FLAGS: readonly Flag[] = [
  { long: "base", value: "B", meaning: "resolve against this URL" },
  ...INSPECT_FILTER_FLAGS,
];

export const INSPECT_LINKS_FLAGS: readonly Flag[] = [
  { long: "base", value: "B", meaning: "the page's URL; that of a page that is fetched is known" },
  { long: "content-type", value: "T", meaning: "what the server would have said of the page" },
  ...CRAWL_FLAGS.filter(({ long }) => long === "ignore-robots"),
  ...FETCHING_FLAGS,
  JSON_FLAG,
];

export const STORE_EXPORT_FLAGS: readonly Flag[] = [
  {
    long: "out",
    short: "o",
    value: "DIR",
    meaning: "the crawl directory; the only one here if left out",
  },
  { long: "warc", value: "FILE...", meaning: "archives that others made, instead of a crawl" },
  { long: "to", value: "FILE|DIR|-", meaning: "where to write; - is stdout" },
  { long: "filter", value: "F", meaning: "only pages that this filter or glob accepts" },
  { long: "text", meaning: "jsonl and csv: also the text of each page" },
  { long: "links", meaning: "jsonl and csv: also the links of each page" },
  { long: "replace", meaning: "replace a file that exists" },
  JSON_FLAG,
  { long: "quiet", short: "q", meaning: "show no progress" },
];
