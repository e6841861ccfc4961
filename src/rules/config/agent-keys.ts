/** The keys of an agent and its cluster: frontier, store, lanes, membership, API. */

import {
  DAY_MS,
  HOUR_MS,
  KIB,
  MIB,
  MILLION,
  MINUTE_MS,
  SECOND_MS,
  THOUSAND,
} from "../../base/units/index.ts";
import {
  type KeyDefinition,
  key,
  record,
  type SchemaTree,
  type ValueType,
  value,
} from "../settings/index.ts";
import type { Configuration } from "./configuration.ts";
import { fileWord } from "./crawl-keys.ts";
import { hostAndPort, hostName, port, url } from "./network-types.ts";

type AgentKeys = SchemaTree<
  Pick<
    Configuration,
    "frontier" | "store" | "lanes" | "cluster" | "assignment" | "api" | "topology"
  >
>;

export const AGENT_KEYS: AgentKeys = {
  frontier: {
    traversal: key(
      value.choice(
        "breadth-first",
        "global-breadth-first",
        "depth-first",
        "priority",
        "random-walk",
      ),
      {
        default: "breadth-first",
        meaning: "Order of the crawl; breadth-first is per host, priority is by score.",
        fixed: true,
      },
    ),
    score: key(value.choiceOrModule("backlinks", "cash", "topic"), {
      default: "backlinks",
      meaning: "What determines the priority of a URL; used if traversal is priority.",
      fixed: true,
    }),
    topic: key(
      value.list(value.text({ form: "a word", examples: ["history", "Venezia"], lengthMax: 100 })),
      {
        default: [],
        meaning: "Words that the score topic looks for in anchor texts and URLs.",
        fixed: true,
      },
    ),
    memory: key(value.byteSize({ min: 1 * MIB }), {
      default: 512 * MIB,
      meaning:
        "Memory for the frontier of one agent: sieve, queues, hosts and what waits in them; what does not fit is on disk.",
      reach: "local",
      bubing: ["workbenchMaxByteSize"],
    }),
    recentlySeen: key(value.count({ min: 0, max: 100 * MILLION }), {
      default: 100 * THOUSAND,
      meaning: "URLs in the table that drops repetitions of recent URLs; 0 turns it off.",
      reach: "local",
    }),
    shards: key(value.count({ min: 1, max: 1024, powerOfTwo: true }), {
      default: 64,
      meaning: "Parts into which an agent's hosts are divided; the most lanes it can ever have.",
      fixed: true,
    }),
  },
  store: {
    kind: key(value.choiceOrModule("warc", "jsonl"), {
      default: "warc",
      meaning:
        "Where pages are stored: WARC files, files of JSON lines, or a module that exports createStore.",
      fixed: true,
      bubing: ["storeClass"],
    }),
    compression: key(value.choice("gzip", "zstd", "none"), {
      default: "gzip",
      meaning: "Compression of the records, or of the lines of jsonl.",
    }),
    level: key(value.nullable(value.count({ min: 1, max: 22 })), {
      default: null,
      meaning:
        "Level of compression, 1 to 9 for gzip, 1 to 22 for zstd; ~ is the default: level 3 for zstd, and for gzip a compressor of our own that takes less than half of the time of level 3 for files up to 3 % larger.",
    }),
    warcSize: key(value.byteSize({ min: 1 * KIB }), {
      default: 1024 * MIB,
      meaning: "Size at which a new WARC file, or file of JSON lines, is started.",
    }),
    prefix: key(value.nullable(fileWord("library", "news-2026")), {
      default: null,
      meaning:
        "What the names of WARC files and files of JSON lines begin with; ~ is the crawl's name.",
      fixed: true,
    }),
    output: key(value.choice("files", "stdout"), {
      default: "files",
      meaning: "Where the lines of jsonl go: to files in the folder pages, or to standard output.",
    }),
    body: key(value.toggle(), {
      default: false,
      meaning: "Whether each line of jsonl has the head of the answer and its content, in base64.",
    }),
    outlinks: key(value.toggle(), {
      default: false,
      meaning:
        "Whether pages are stored with their links: as a metadata record in WARC files, as the field links of jsonl.",
    }),
    index: fixedOn("Whether the page index (crawl.db) is kept."),
    links: fixedOn("Whether the link graph is kept."),
    text: key(value.toggle(), {
      default: false,
      meaning:
        "Whether the text of each page is kept, with what the page says of itself: title, dates, canonical and alternate URLs, types.",
    }),
    refused: key(value.toggle(), {
      default: false,
      meaning:
        "Whether logs/refused.log lists URLs that were not taken up, with reason, rule and page; a sample of each reason beyond the first thousand.",
    }),
    migrate: key(value.toggle(), {
      default: false,
      meaning:
        "Whether pages follow their hosts to the agents that own them, when agents join or leave.",
    }),
    checkpoint: key(value.duration({ min: 10, max: HOUR_MS }), {
      default: 10 * SECOND_MS,
      meaning: "Time between checkpoints.",
      reach: "local",
    }),
  },
  lanes: key(value.wordOr("auto", value.count({ min: 1, max: 1024 })), {
    default: "auto",
    meaning:
      "Threads that crawl, each with its own part of the hosts; auto is one for each core, if so many can be of use.",
    reach: "local",
  }),
  cluster: {
    id: key(value.nullable(fileWord("agent-1", "trovatore")), {
      default: null,
      meaning: "Name of this agent, unique in the crawl; ~ makes one up and keeps it.",
      reach: "local",
      fixed: true,
    }),
    capacity: key(value.wordOr("auto", value.count({ min: 1, max: 1000 })), {
      default: "auto",
      meaning:
        "Share of hosts relative to other agents; auto is the number of lanes at the first start, or of " +
        "cores where that is auto too.",
      reach: "local",
      fixed: true,
      bubing: ["weight"],
    }),
    join: local(
      value.list(hostAndPort(), 1000),
      [],
      "Peers of the managed mesh; none for the first agent.",
    ),
    nats: local(
      value.list(
        url({ schemes: ["nats", "tls"], examples: ["nats://10.0.0.5:4222"], bare: true }),
        1000,
      ),
      [],
      "Existing NATS servers to use in place of the managed mesh; with NAME:PASSWORD@ or TOKEN@ before the host where they ask for it, and tls where only TLS will do.",
    ),
    listen: local(
      value.nullable(hostAndPort()),
      null,
      "Where the agent's mesh listens; ~ is loopback, any port.",
    ),
    token: local(
      value.nullable(path("join.token")),
      null,
      "File that holds the join token; needed off loopback.",
    ),
    replicas: key(value.count({ min: 1, max: 10 * THOUSAND }), {
      default: 200,
      meaning: "Points on the ring for each unit of capacity.",
      fixed: true,
    }),
    recovery: key(value.wordOr("all", value.count({ min: 0, max: 10 * THOUSAND })), {
      default: "all",
      meaning: "How many answers a takeover waits for: all, or this many.",
    }),
    heartbeat: key(value.duration({ min: 10, max: MINUTE_MS }), {
      default: 1 * SECOND_MS,
      meaning: "Time between an agent's signs of life.",
    }),
    suspectAfter: key(value.duration({ min: 10, max: HOUR_MS }), {
      default: 5 * SECOND_MS,
      meaning: "Silence after which an agent is suspected, and nothing more is sent to it.",
    }),
    deadAfter: key(value.duration({ min: 10, max: DAY_MS }), {
      default: 15 * SECOND_MS,
      meaning: "Silence after which an agent counts as dead: it can be forgotten by command.",
    }),
    giveUpAfter: key(value.duration({ min: 10, max: 365 * DAY_MS }), {
      default: 10 * MINUTE_MS,
      meaning: "Silence after which an agent's hosts are taken over.",
    }),
    partition: key(value.choice("continue", "fence"), {
      default: "continue",
      meaning: "When the network is partitioned: both sides continue, or only the majority does.",
    }),
    fullDisk: key(value.choice("wait", "leave"), {
      default: "wait",
      meaning: "What an agent does whose disk is full, if others have room.",
    }),
  },
  assignment: {
    kind: key(value.choice("ring", "master"), {
      default: "ring",
      meaning: "What decides which agent crawls a host: the ring, or a master.",
      fixed: true,
    }),
    database: key(
      value.wordOr(
        "sqlite",
        url({ schemes: ["postgres", "postgresql"], examples: ["postgres://db/crawl"] }),
      ),
      { default: "sqlite", meaning: "Where a master keeps its table.", fixed: true },
    ),
    strategy: key(value.nullable(value.choiceOrModule()), {
      default: null,
      meaning: "How a master spreads domains over workers: a module; ~ is the built-in one.",
      fixed: true,
    }),
  },
  api: {
    host: local(
      hostName(),
      "127.0.0.1",
      "Address on which the API listens; one that other machines can reach needs a token file.",
    ),
    port: local(value.wordOr("auto", port()), "auto", "Port of the API; auto takes a free one."),
    token: local(
      value.wordOr("auto", path("api.token")),
      "auto",
      "File that holds the API's token; auto makes one.",
    ),
    readToken: local(
      value.nullable(path("read.token")),
      null,
      "File that holds a second token, which may read and change nothing.",
    ),
    tls: local(
      value.nullable(
        record(
          { cert: path("api.crt"), key: path("api.key") },
          {
            form: "the files of a certificate and its key",
            examples: ["{cert: api.crt, key: api.key}"],
          },
        ),
      ),
      null,
      "Certificate and key for HTTPS, in PEM; ~ is plain HTTP.",
    ),
  },
  topology: local(
    value.nullable(path("topology.yaml")),
    null,
    "File of a topology that replaces the default one.",
  ),
};

function local<Value>(type: ValueType<Value>, usual: Value, meaning: string): KeyDefinition<Value> {
  return key(type, { default: usual, meaning, reach: "local" });
}

function fixedOn(meaning: string): KeyDefinition<boolean> {
  return key(value.toggle(), { default: true, meaning, fixed: true });
}

function path(example: string): ValueType<string> {
  return value.text({
    form: "the path of a file",
    examples: [example, `./some folder/${example}`],
    lengthMax: 4096,
  });
}
