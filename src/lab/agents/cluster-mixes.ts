/**
 * The mixes of faults under which clusters are tried, by the names that `trobar simulate --faults` takes:
 * which kinds strike, how many of them at most, and what the crawl and its network are like.
 */
import type { Random } from "../../base/seams/index.ts";
import type { Conditions, Schedule } from "../simulator/index.ts";
import { CLUSTER_FAULTS, planClusterFaults } from "./cluster-faults.ts";
import type { ClusterTrialOptions } from "./cluster-trial.ts";
import { strikeNewcomers } from "./newcomers.ts";

/** Drawn for each run: whether agents whose disks are full leave, whether pages move, how many answers. */
type Feature =
  | ("full disks" | "moving pages" | "few answers" | "robots")
  | ("redirects" | "some addresses" | "some depth" | "some limit" | "anything");

export interface ClusterMix {
  readonly name: string;
  /** What happens, in a few words. */
  readonly meaning: string;
  readonly kinds: readonly string[];
  readonly faultsMax: number;
  /** Whether all spares join, and are struck like the others. */
  readonly strikesNewcomers?: boolean;
  readonly network: Partial<Conditions>;
  readonly partition: "continue" | "fence";
  /**
   * What the crawl has besides lanes and, at times, robots.txt files: a delay for addresses, a limit, disks
   * with little room, pages that move with their hosts, takeovers that wait for few answers, robots.txt files
   * for certain. With `anything` each run draws whether it has addresses, full disks and a limit of depth; with
   * what begins with `some`, whether it has that, or which limit.
   */
  readonly has: readonly ("addresses" | "depth" | "pages" | "bytes" | "time" | Feature)[];
  /** How often it is run among all mixes. */
  readonly weight: number;
}

/** A network on a bad day; delays of seconds are among it. */
const NOISY: Partial<Conditions> = {
  ...{ lossRatio: 0.03, duplicateRatio: 0.03, lateRatio: 0.05, lateMsMax: 5000, reorderRatio: 0.2 },
};
const BAD: Partial<Conditions> = {
  ...{ lossRatio: 0.05, duplicateRatio: 0.1, lateRatio: 0.3, lateMsMax: 5000, reorderRatio: 0.5 },
};

const SMALL_WEB = { hosts: 13, pagesPerHost: 4 };
/** A limit on bytes is several times as much as what agents have in flight. */
const LARGE_WEB = { hosts: 26, pagesPerHost: 5 };
/** With so many agents, and with each so many more, there are as many hosts again: else most have nothing to do. */
const AGENTS_PER_WEB = 4;

const LIMITS = ["pages", "bytes", "time"] as const;

/** A disk of a simulated agent has some thousands of bytes in use. */
const MIN_FREE_BYTES = 8000;

/** No disk is lost: without more than half of the electors nothing goes on, as it should. */
const FENCED_KINDS = [
  ...["partition", "join", "leave", "crash", "zombie", "sleep", "cut", "cut-both", "clog"],
  ...["noise", "drift", "clock-jump", "seed", "robots", "disk-full", "web"],
];

/** One elector may lose its disks as often as it will: the others are more than half without it. */
const VOTES_KINDS = [
  "wipe-last",
  "partition",
  "join",
  "crash",
  "zombie",
  "cut",
  "cut-both",
  "seed",
];

const RECOVERY_KINDS = ["crash", "crash-late", "wipe", "leave", "join"];

const DEPTH_KINDS = ["join", "wipe", "crash", "leave", "cut-both"];

const LEAVERS_KINDS = ["leave", "wipe", "join", "crash", "zombie", "sleep", "cut-both", "forget"];

const NEWCOMER_KINDS = ["crash", "crash-late", "wipe", "cut", "cut-both", "leave", "forget"];

const WEB_KINDS = ["web", "join", "crash", "leave", "wipe"];

const LIMIT_KINDS = ["join", "crash", "leave", "wipe"];

const APART_KINDS = ["partition", "cut", "cut-both", "zombie", "join", "crash", "leave"];

const ALL_KINDS = [...CLUSTER_FAULTS, "wipe-many", "disk-full"];

const mix = (
  name: string,
  meaning: string,
  kinds: readonly string[],
  more: Partial<ClusterMix> = {},
): ClusterMix => ({
  ...{ name, meaning, kinds, faultsMax: 3, network: NOISY, partition: "continue", weight: 1 },
  has: [],
  ...more,
});

export const CLUSTER_MIXES: readonly ClusterMix[] = [
  mix("none", "nothing but a network that loses, doubles and delays", [], { faultsMax: 0 }),
  mix("calm", "nothing at all", [], { faultsMax: 0, network: {} }),
  mix("join", "agents join", ["join"]),
  mix("newcomers", "agents join, and die, leave or are cut off soon after", NEWCOMER_KINDS, {
    ...{ strikesNewcomers: true, faultsMax: 6 },
  }),
  mix("restart", "power fails, back before it is given up", ["crash-soon"]),
  mix("outage", "power fails, back after it was given up", ["crash-late"]),
  mix("disk", "disks are lost, with a quick, a late or no return", ["wipe"]),
  mix("disks", "many disks are lost, together or in a row", ["wipe-many", "wipe", "crash"], {
    faultsMax: 7,
  }),
  mix("partition", "the network is parted; both sides go on", ["partition"]),
  mix("fence", "the network is parted; only a majority goes on", ["partition"], {
    ...{ partition: "fence", weight: 0.5 },
  }),
  mix("fenced", "the same, while agents join, leave, crash, pause; links are cut", FENCED_KINDS, {
    ...{ partition: "fence", faultsMax: 8, weight: 0.5, has: ["moving pages", "anything"] },
  }),
  mix("votes", "the same, while one elector loses its disks, and joins again", VOTES_KINDS, {
    ...{ partition: "fence", faultsMax: 6, weight: 0.5, has: ["some addresses", "some depth"] },
  }),
  mix("link", "single links are cut", ["cut", "cut-both"]),
  mix("pause", "processes are stopped and wake up again", ["zombie"], { faultsMax: 2 }),
  mix(
    "seed",
    "seeds are added in mid-crawl, agents join and die",
    ["seed", "join", "wipe", "crash"],
    {
      faultsMax: 5,
    },
  ),
  mix("forget", "dead agents are given up by command", ["crash-late", "wipe", "forget"], {
    faultsMax: 6,
  }),
  mix("clocks", "clocks drift and are set", ["drift", "clock-jump", "crash"], { faultsMax: 5 }),
  mix("depth", "disks are lost, agents join and leave; depth is limited", DEPTH_KINDS, {
    ...{ has: ["depth", "moving pages"], faultsMax: 5 },
  }),
  mix("address", "the same; agents are polite to addresses together", ["join", "wipe", "crash"], {
    ...{ has: ["addresses"] },
  }),
  mix("meet", "the same while single links are cut", ["cut", "cut-both", "join", "crash", "wipe"], {
    ...{ has: ["addresses"], faultsMax: 6, weight: 0.5 },
  }),
  mix("leave", "agents leave and join, with their pages or without", ["leave", "join"], {
    ...{ has: ["moving pages"], weight: 0.5 },
  }),
  mix(
    "leavers",
    "agents leave and join while disks are lost, and others fall silent",
    LEAVERS_KINDS,
    {
      ...{ has: ["moving pages"], faultsMax: 5 },
    },
  ),
  mix("recovery", "agents die and leave; takeovers wait for few answers", RECOVERY_KINDS, {
    ...{ has: ["moving pages", "few answers"], faultsMax: 5, weight: 0.5 },
  }),
  mix("full", "disks are full for a while; agents wait, or leave", ["disk-full", "join", "crash"], {
    ...{ has: ["full disks", "moving pages"], faultsMax: 4, weight: 0.5 },
  }),
  mix("robots", "robots.txt files are not to be had for a while", ["robots", "join", "crash"], {
    ...{ has: ["robots"], faultsMax: 5, weight: 0.25 },
  }),
  mix("web", "pages are not to be had for a while, or redirect", WEB_KINDS, {
    ...{ has: ["redirects", "moving pages", "some depth"], faultsMax: 7 },
  }),
  mix("limit", "agents join, die and leave before a limit on pages", LIMIT_KINDS, {
    ...{ has: ["pages"], faultsMax: 4 },
  }),
  mix("bytes", "the same before a limit on bytes", LIMIT_KINDS, {
    ...{ has: ["bytes"], faultsMax: 4, weight: 0.25 },
  }),
  mix("time", "the same before a limit on time", LIMIT_KINDS, {
    ...{ has: ["time"], faultsMax: 4, weight: 0.25 },
  }),
  mix("apart", "the network is parted before a limit; agents pause and die", APART_KINDS, {
    ...{ has: ["some limit", "some addresses"], faultsMax: 4, weight: 0.5 },
  }),
  mix("limited", "the same, and only a majority goes on", APART_KINDS, {
    ...{ has: ["some limit", "some addresses"], faultsMax: 4, weight: 0.5, partition: "fence" },
  }),
  mix("scramble", "all start from arbitrary states", ["scramble"], {
    ...{ faultsMax: 3 },
  }),
  mix("states", "the same, with drawn queues, claims and generations", ["scramble-deep"], {
    ...{ faultsMax: 3, weight: 0.5 },
  }),
  mix("all", "everything at once", ALL_KINDS, {
    ...{ faultsMax: 8, weight: 2, has: ["moving pages", "anything"] },
  }),
  mix("bad", "everything at once, on a bad network", ALL_KINDS, {
    ...{ faultsMax: 8, network: BAD, has: ["moving pages", "anything"] },
  }),
];

export function mixNamed(name: string): ClusterMix | undefined {
  return CLUSTER_MIXES.find((one) => one.name === name);
}

export interface ClusterSize {
  readonly agents: number;
  readonly spares: number;
}

export const USUAL_SIZE: ClusterSize = { agents: 4, spares: 2 };

export function scheduleOf(mix: ClusterMix, size: ClusterSize, random: Random): Schedule {
  const { kinds, faultsMax, strikesNewcomers = false } = mix;
  if (faultsMax === 0) return [];
  const schedule = planClusterFaults(random, { ...size, kinds, faultsMax });
  if (!strikesNewcomers) return schedule;
  const spares = Array.from({ length: size.spares }, (_none, at) => `a${size.agents + at}`);
  return strikeNewcomers(random.fork("newcomers"), spares, schedule);
}

/** What the crawl of a run is like: its seed decides. */
export function optionsOf(mix: ClusterMix, size: ClusterSize, random: Random): ClusterTrialOptions {
  const { network, partition } = mix;
  const has = featuresOf(mix, random);
  const isIn = (share: number): boolean => random.unit() < share;
  const robots = isIn(1 / 3) || has.includes("robots");
  const { hosts, pagesPerHost } = has.includes("bytes") ? LARGE_WEB : SMALL_WEB;
  const isSlow = has.some((one) => one === "pages" || one === "bytes" || one === "time");
  return {
    ...{ ...size, network, partition, checkpointMs: 1000 },
    // So that all of them are electors.
    expect: partition === "fence" ? size.agents : 1,
    // A crawl that ends at a limit is slow enough for faults to strike before.
    hostDelayMs: isSlow ? 3000 : 1000,
    addressDelayMs: has.includes("addresses") ? 300 : 0,
    depthMax: has.includes("depth") ? 2 + random.below(4) : null,
    pagesMax: has.includes("pages") ? 10 + random.below(40) : null,
    bytesMax: has.includes("bytes") ? 6000 + random.below(5000) : null,
    timeMsMax: has.includes("time") ? 15_000 + random.below(25_000) : null,
    pagesPerHostMax: null,
    lanes: isIn(1 / 3) ? 2 + random.below(2) : 1,
    ...{ robots: robots ? "obey" : "ignore", waitsForAll: false },
    web: {
      ...{ hosts: hosts * Math.max(1, Math.floor(size.agents / AGENTS_PER_WEB)), pagesPerHost },
      ...{ linksMax: 3, seeds: 2, hostsPerAddress: 2, robots, islands: 3 },
      redirects: has.includes("redirects"),
    },
    ...(has.includes("moving pages") ? { migrate: isIn(1 / 2) } : {}),
    ...(has.includes("few answers") ? { recovery: random.below(3) } : {}),
    ...(has.includes("full disks")
      ? { minFreeBytes: MIN_FREE_BYTES, fullDisk: isIn(1 / 2) ? "leave" : "wait" }
      : {}),
  };
}

/** What a run of a mix has, after what is drawn. */
function featuresOf({ has }: ClusterMix, random: Random): ClusterMix["has"] {
  const features = new Set(has);
  const isIn = (feature: Feature): boolean => features.has(feature);
  if (isIn("anything")) {
    for (const one of ["addresses", "full disks"] as const) {
      if (random.below(4) === 0) features.add(one);
    }
    if (random.fork("depth").below(4) === 0) features.add("depth");
  }
  if (isIn("some depth") && random.fork("depth").below(4) === 0) features.add("depth");
  if (isIn("some addresses") && random.fork("addresses").below(2) === 0) features.add("addresses");
  if (isIn("some limit"))
    features.add(LIMITS[random.fork("limit").below(LIMITS.length)] as "pages");
  return [...features];
}
