/**
 * Checks that concern several keys at once. Each names its keys and says what is wrong. A check
 * is made only if each of its keys is legal by itself, so that no mistake is reported twice.
 */

import { printDuration } from "../../base/units/index.ts";
import { configError, type Location, MistakeList } from "../settings/index.ts";
import type { Configuration } from "./configuration.ts";
import { CONFIGURATION_SCHEMA } from "./configuration-schema.ts";
import { PAIRED_DEPTH_MAX } from "./crawl-keys.ts";
import { isLoopback } from "./network-types.ts";

interface CrossCheck {
  /** Dotted keys; a mistake is shown at the first of them that somebody gave. */
  readonly keys: readonly string[];
  /** What is wrong, as a clause after the first key; null when all is well. */
  problem(configuration: Configuration): string | null;
}

const CROSS_CHECKS: readonly CrossCheck[] = [
  ordered("fetch.connectTimeout", "at most", "fetch.totalTimeout"),
  ordered("fetch.headerTimeout", "at most", "fetch.totalTimeout"),
  ordered("fetch.idleTimeout", "at most", "fetch.totalTimeout"),
  ordered("fetch.retryWait", "at most", "fetch.retryMaxWait"),
  ordered("cluster.heartbeat", "less than", "cluster.suspectAfter"),
  ordered("cluster.suspectAfter", "less than", "cluster.deadAfter"),
  ordered("cluster.deadAfter", "at most", "cluster.giveUpAfter"),
  {
    keys: ["parse.requisites", "frontier.traversal"],
    problem: ({ parse, frontier }) =>
      parse.requisites && ["depth-first", "random-walk"].includes(frontier.traversal)
        ? `is not possible with frontier.traversal ${frontier.traversal}; use another traversal`
        : null,
  },
  {
    keys: ["limits.depth", "limits.hostDepth"],
    problem: ({ limits }) =>
      limits.hostDepth !== null && (limits.depth ?? 0) > PAIRED_DEPTH_MAX
        ? `is more than ${PAIRED_DEPTH_MAX}, the greatest beside limits.hostDepth`
        : null,
  },
  {
    keys: ["limits.hostDepth", "frontier.traversal"],
    problem: ({ limits, frontier }) =>
      limits.hostDepth !== null && frontier.traversal === "random-walk"
        ? "is not possible with frontier.traversal random-walk, which only has limits.depth"
        : null,
  },
  {
    keys: ["fetch.protocols", "fetch.proxy"],
    problem: ({ fetch }) =>
      fetch.protocols.length > 0 && fetch.proxy !== null
        ? "is given, but fetch.proxy leads everything through a proxy, which modules cannot use"
        : null,
  },
  {
    keys: ["cluster.nats", "cluster.join"],
    problem: ({ cluster }) =>
      cluster.nats.length > 0 && cluster.join.length > 0
        ? "names existing servers and cluster.join peers of the managed mesh; only one can be used"
        : null,
  },
  {
    keys: ["cluster.nats"],
    problem: ({ cluster }) => {
      const logins = cluster.nats
        .map((each) => new URL(each))
        .filter((each) => each.username !== "");
      return new Set(logins.map(({ username, password }) => `${username}:${password}`)).size > 1
        ? "has different names, passwords or tokens; an agent may come to any of the servers, with the same"
        : null;
    },
  },
  {
    keys: ["cluster.token", "cluster.listen", "cluster.join"],
    problem: ({ cluster }) => {
      const endpoints = [...cluster.join, ...(cluster.listen === null ? [] : [cluster.listen])];
      const far = endpoints.find((endpoint) => !isLoopback(endpoint));
      return cluster.token === null && far !== undefined
        ? `is not given, and ${far} is not on loopback; make one with \`trobar peers token\``
        : null;
    },
  },
  {
    keys: ["store.level", "store.compression"],
    problem: ({ store }) => {
      if (store.level === null) return null;
      if (store.compression === "none") return "is given, but store.compression is none";
      return store.compression === "gzip" && store.level > 9
        ? "is more than 9, the highest that gzip has"
        : null;
    },
  },
  {
    keys: ["store.output", "store.kind"],
    problem: ({ store }) =>
      store.output === "stdout" && store.kind !== "jsonl"
        ? "is stdout, but store.kind is not jsonl, and only lines of JSON can be written there"
        : null,
  },
  {
    keys: ["store.body", "store.kind"],
    problem: ({ store }) =>
      store.body && store.kind !== "jsonl"
        ? "is on, but store.kind is not jsonl; WARC files have all bodies, and a module asks for them"
        : null,
  },
  {
    keys: ["store.text", "store.index"],
    problem: ({ store }) =>
      store.text && !store.index
        ? "is on, but store.index is off, and only the page index says where a text is"
        : null,
  },
  {
    keys: ["store.text", "parse.text"],
    problem: ({ store, parse }) =>
      store.text && parse.text === false
        ? "is on, but parse.text is off; leave that at auto"
        : null,
  },
  {
    keys: ["frontier.topic", "frontier.score", "frontier.traversal"],
    problem: ({ frontier }) =>
      frontier.traversal === "priority" && frontier.score === "topic" && frontier.topic.length === 0
        ? "has no words, and frontier.score is topic"
        : null,
  },
  {
    keys: ["limits.pages", "frontier.traversal"],
    problem: ({ frontier, limits }) =>
      frontier.traversal === "random-walk" &&
      limits.pages === null &&
      limits.time === null &&
      limits.bytes === null
        ? "is not set, and a random walk ends only at a limit; set it, limits.time or limits.bytes"
        : null,
  },
  {
    keys: ["lanes", "frontier.shards"],
    problem: ({ lanes, frontier }) =>
      lanes !== "auto" && lanes > frontier.shards
        ? `is more than frontier.shards, ${frontier.shards}`
        : null,
  },
  {
    keys: ["assignment.database", "assignment.kind"],
    problem: ({ assignment }) =>
      assignment.kind === "ring" && assignment.database !== "sqlite"
        ? "is given, but only a master has a database; set assignment.kind to master"
        : null,
  },
  {
    keys: ["assignment.strategy", "assignment.kind"],
    problem: ({ assignment }) =>
      assignment.kind === "ring" && assignment.strategy !== null
        ? "is given, but only a master has a strategy; set assignment.kind to master"
        : null,
  },
];

export interface CheckedConfiguration {
  readonly configuration: Configuration;
  readonly locations: ReadonlyMap<string, Location>;
  /** Keys that already have a mistake. */
  readonly wrong: ReadonlySet<string>;
}

export function crossCheck(checked: CheckedConfiguration, mistakes: MistakeList): void {
  for (const { keys, problem } of CROSS_CHECKS) {
    if (keys.some((key) => checked.wrong.has(key))) continue;
    const found = problem(checked.configuration);
    if (found === null) continue;
    const given = keys.find((key) => checked.locations.has(key)) ?? "";
    mistakes.add(() => ({
      code: "CONFIG_CONFLICT",
      location: checked.locations.get(given) ?? { kind: "default" },
      key: keys[0] ?? null,
      problem: found,
    }));
  }
}

const SETTINGS: Location = { kind: "file", path: "settings", line: null, column: null };

/** The same configuration; throws `CONFIG_INVALID` if some of its keys do not fit together. */
export function crossChecked(configuration: Configuration): Configuration {
  const mistakes = new MistakeList();
  const locations = new Map(CONFIGURATION_SCHEMA.keys.map(({ path }) => [path, SETTINGS]));
  crossCheck({ configuration, locations, wrong: new Set() }, mistakes);
  if (!mistakes.isEmpty) throw configError(mistakes.sorted(), mistakes.omitted);
  return configuration;
}

/** Two durations of which one bounds the other. */
function ordered(smaller: string, relation: "at most" | "less than", larger: string): CrossCheck {
  return {
    keys: [smaller, larger],
    problem: (configuration) => {
      const smallerMs = Number(CONFIGURATION_SCHEMA.value(configuration, smaller));
      const largerMs = Number(CONFIGURATION_SCHEMA.value(configuration, larger));
      if (relation === "at most" ? smallerMs <= largerMs : smallerMs < largerMs) return null;
      const bound = relation === "at most" ? "not be more than" : "be less than";
      return `is ${printDuration(smallerMs)} and must ${bound} ${larger}, ${printDuration(largerMs)}`;
    },
  };
}
