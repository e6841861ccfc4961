/**
 * The checks of `trobar doctor`. Each compares what a machine answered with what a crawl of this
 * configuration needs, and says what was found, what would go wrong, and what to do about it.
 */
import { isCrawlError } from "../../base/errors/index.ts";
import { HOW_TO_INSTALL, isNewEnough, SERVER_VERSION_MIN } from "../../base/transport/index.ts";
import { GIB, MIB } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { amount, bytesText, durationText } from "../crawl/figures.ts";
import type { DiskFacts, Machine, NameFacts } from "./machine.ts";

/** `bad`: a crawl would fail. `poor`: it works, but something may go wrong, or it is slow. */
export type Fitness = "good" | "poor" | "bad";

export interface Finding {
  /** One word or two; scripts rely on them. */
  readonly name: string;
  readonly fitness: Fitness;
  readonly found: string;
  /** What would go wrong, and what to do; null when all is well. */
  readonly problem: string | null;
  readonly remedy: string | null;
}

/** Beside the frontier and the bodies: the program, its threads and its tables. */
const OTHER_MEMORY_BYTES = 300 * MIB;
const NODE_MAJOR_MIN = 24;
/** Certificates, and dates in the archive, cannot be right before the first version of Trobar. */
const FIRST_VERSION_AT_MS = Date.UTC(2026, 0, 1);
const CLOCK_SKEW_MS_MAX = 2000;
/** A checkpoint is a few of them, every ten seconds. */
const SYNC_MS_MAX = 200;
const ANSWER_MS_MAX = 1000;

export function checkVersions({ versions }: Machine): Finding {
  const { node, openssl, sqlite } = versions;
  const found = `Node ${node}, OpenSSL ${openssl}, SQLite ${sqlite}`;
  if (Number.parseInt(node, 10) >= NODE_MAJOR_MIN) return good("versions", found);
  return bad("versions", found, {
    problem: `Trobar needs Node ${NODE_MAJOR_MIN} or newer.`,
    remedy: "Start it with `npx trobar`, which brings its own.",
  });
}

export function checkCores({ cores }: Machine): Finding {
  return good("cores", amount(cores));
}

export function checkMemory({ memoryBytes }: Machine, { frontier, fetch }: Configuration): Finding {
  const neededBytes = frontier.memory + fetch.bodyMemory + OTHER_MEMORY_BYTES;
  const found = `${bytesText(memoryBytes)}, of which a crawl may use ${bytesText(neededBytes)}`;
  if (neededBytes <= memoryBytes) return good("memory", found);
  return poor("memory", found, {
    problem: "A large crawl may be killed because memory runs out.",
    remedy: "Lower frontier.memory or fetch.bodyMemory.",
  });
}

/** By the same rules as the start of a crawl. */
export function checkLimits(machine: Machine, configuration: Configuration): Finding {
  const { concurrency } = configuration.fetch;
  try {
    const note = machine.shortage(configuration);
    if (note === null) return good("limits", `enough for ${amount(concurrency)} connections`);
    const remedy = "Raise the limit: `ulimit -n`, or LimitNOFILE of its service.";
    return poor("limits", "too few open files", { problem: `Now ${note}.`, remedy });
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    return bad("limits", "too low for any crawl", { problem: error.message, remedy: null });
  }
}

const NETWORKED =
  "Locks and durable writes may not be reliable there, and SQLite may damage crawl.db.";

/** File systems by their numbers in statfs(2), with what is wrong with some of them. */
const FILE_SYSTEMS: ReadonlyMap<number, readonly [name: string, problem: string | null]> = new Map([
  [0xef53, ["ext4", null]],
  [0x58465342, ["XFS", null]],
  [0x9123683e, ["Btrfs", null]],
  [0x2fc12fc1, ["ZFS", null]],
  [0x794c7630, ["overlay", "What is in a container's own file system is gone with the container."]],
  [0x01021994, ["tmpfs", "It is in memory: a crawl there is gone when the machine restarts."]],
  [0x6969, ["NFS", NETWORKED]],
  [0xff534d42, ["CIFS", NETWORKED]],
  [0xfe534d42, ["SMB", NETWORKED]],
  [0x65735546, ["FUSE", NETWORKED]],
  [0x01021997, ["9p", NETWORKED]],
]);

export function checkDisk(disk: DiskFacts, { limits }: Configuration): readonly Finding[] {
  if (disk.kind === "unusable") {
    const problem = `Nothing can be written in ${disk.folder}: ${disk.why}.`;
    const remedy = "Choose another directory with -o, or mend this one.";
    return [bad("disk", disk.folder, { problem, remedy })];
  }
  return [freeSpace(disk, limits.minFreeDisk), fileSystem(disk), syncing(disk)];
}

type UsableDisk = DiskFacts & { readonly kind: "usable" };

function freeSpace({ freeBytes, folder }: UsableDisk, keptBytes: number): Finding {
  const found = `${bytesText(freeBytes)} free at ${folder}`;
  if (freeBytes < keptBytes) {
    return bad("disk space", found, {
      problem: `A crawl waits while less than ${bytesText(keptBytes)} are free.`,
      remedy: "Make room, choose another directory with -o, or lower limits.minFreeDisk.",
    });
  }
  if (freeBytes - keptBytes >= GIB) return good("disk space", found);
  return poor("disk space", found, {
    problem: "There is room for a small crawl only.",
    remedy: "Make room, or choose another directory with -o.",
  });
}

function fileSystem({ fileSystem: number }: UsableDisk): Finding {
  const [name, problem] = FILE_SYSTEMS.get(number) ?? [`0x${number.toString(16)}`, null];
  if (problem === null) return good("file system", name);
  return poor("file system", name, { problem, remedy: "Choose a local disk with -o." });
}

function syncing({ syncMs }: UsableDisk): Finding {
  const found = `${Math.ceil(syncMs)} ms for a durable write`;
  if (syncMs <= SYNC_MS_MAX) return good("disk speed", found);
  return poor("disk speed", found, {
    problem: "The disk is slow, and a crawl may have to wait for it.",
    remedy: "Choose a faster disk with -o.",
  });
}

/** The clock itself, and that of the disk, which may be another machine's. */
export function checkClock({ nowMs }: Machine, disk: DiskFacts): Finding {
  const found = new Date(nowMs).toISOString();
  const remedy = "Set the clock, best by a time service such as chrony or systemd-timesyncd.";
  if (nowMs < FIRST_VERSION_AT_MS) {
    const problem = "The clock is wrong: certificates are refused, and archives get wrong dates.";
    return bad("clock", found, { problem, remedy });
  }
  const skewMs = disk.kind === "usable" ? Math.abs(disk.writtenAtMs - nowMs) : 0;
  if (skewMs <= CLOCK_SKEW_MS_MAX) return good("clock", found);
  const problem = `The clock of the disk differs by ${durationText(skewMs)}.`;
  return poor("clock", found, { problem, remedy });
}

/** `server` is null for those of the system. */
export function checkNames(host: string, server: string | null, facts: NameFacts): Finding {
  const asked = server ?? "the servers of the system";
  const name = server === null ? "dns" : `dns ${server}`;
  if (facts.kind === "failed") {
    return bad(name, `no address of ${host}`, {
      problem: `Asked for ${host}, ${asked} gave no address: ${facts.why}`,
      remedy: "Check the network and /etc/resolv.conf, or set dns.servers.",
    });
  }
  const found = `${host} after ${Math.ceil(facts.tookMs)} ms`;
  if (facts.tookMs <= ANSWER_MS_MAX) return good(name, found);
  return poor(name, found, {
    problem: "Every new host of a crawl waits for such an answer.",
    remedy: "Use a name server nearby (dns.servers), best one on this machine.",
  });
}

/** Only agents of a cluster need it. */
export function checkNats(version: string | null): Finding {
  const remedy = HOW_TO_INSTALL;
  if (version === null) {
    const problem = "A cluster cannot manage its own mesh; single crawls do not need it.";
    return poor("nats-server", "not installed", { problem, remedy });
  }
  if (isNewEnough(version)) return good("nats-server", version);
  const problem = `Clusters need version ${SERVER_VERSION_MIN} or newer; single crawls need none.`;
  return poor("nats-server", version, { problem, remedy });
}

interface Trouble {
  readonly problem: string;
  /** Null if the problem says it. */
  readonly remedy: string | null;
}

function good(name: string, found: string): Finding {
  return { name, fitness: "good", found, problem: null, remedy: null };
}

function poor(name: string, found: string, trouble: Trouble): Finding {
  return { name, fitness: "poor", found, ...trouble };
}

function bad(name: string, found: string, trouble: Trouble): Finding {
  return { name, fitness: "bad", found, ...trouble };
}
