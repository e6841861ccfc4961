/**
 * Claim: a thousand agents can share a crawl of a million hosts. Hosts are divided as evenly as chance allows; an
 * agent receives one message a second from each other one while nothing changes; and what it knows of its cluster
 * takes less than ten megabytes, the ring of 200,000 points included. When one more joins, each agent has some
 * twenty messages about that, those about slots of addresses included.
 *
 * What is real: ring, membership, messages and their encoding, and the whole node around them (custody,
 * delivery, termination, slots, limits, queries), as agents ship them. What is modelled: one process and
 * virtual time; a network on which every message arrives after a millisecond; simulated disks; agents without
 * URLs and pages, so that nothing is said but what agents say about themselves (`bench/support/idle-agent.ts`).
 *
 * Clusters of up to some hundred agents are simulated whole (`--whole`): the work of all of them grows with the
 * third power of their number. Among a thousand, two nodes are real, the first one and one that joins; the others
 * are voices (`bench/support/member-voice.ts`), which say what agents with nothing to do say.
 *
 *     node --expose-gc bench/cluster-size.ts [--whole 50,100] [--agents 1000] [--hosts 1000000]
 *         [--seconds 60] [--ip-delay 500]
 */
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { BEAT } from "../src/cluster/membership/membership-messages.ts";
import { Messenger } from "../src/cluster/messages/index.ts";
import { ClusterNode, type NodeSettings } from "../src/cluster/node/index.ts";
import { Ring } from "../src/cluster/ring/index.ts";
import { Roll } from "../src/cluster/slots/roll.ts";
import { Kernel, SimBackground, SimDisk } from "../src/lab/simulator/index.ts";
import { idleAgent } from "./support/idle-agent.ts";
import { LargeNetwork, type Traffic } from "./support/large-network.ts";
import { MemberVoice } from "./support/member-voice.ts";
import { deviations, largest, meanAbsolute, pagesOfHosts } from "./support/ring-balance.ts";

const { values } = parseArgs({
  options: {
    whole: { type: "string", default: "50,100" },
    agents: { type: "string", default: "1000" },
    hosts: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "60" },
    "ip-delay": { type: "string", default: "500" },
  },
});
const WHOLE = values.whole.split(",").map(Number);
const AGENTS = Number(values.agents);
const HOSTS = Number(values.hosts);
const SECONDS = Number(values.seconds);
const REPLICAS = 200;
/** Of clusters that are simulated whole. */
const QUIET_SECONDS = 10;

/** The times of the configuration, but that nobody waits for ten minutes. */
const SETTINGS: NodeSettings = {
  membership: {
    ...{ heartbeatMs: 1000, suspectAfterMs: 5000, deadAfterMs: 15_000, giveUpAfterMs: 60_000 },
    ...{ partition: "continue", fullDisk: "wait", recovery: "all", replicas: REPLICAS },
  },
  delivery: {
    ...{
      batchEntries: 512,
      batchBytes: 64_000,
      lingerMs: 100,
      restMs: 100,
      burst: 1,
      waitMsMax: 100,
      timeoutMs: 5000,
    },
    ...{ segmentBytesMax: 1_000_000, retainBytes: 100_000, repeatsMax: 1000 },
  },
  slots: {
    ipDelayMs: Number(values["ip-delay"]),
    ...{
      totalTimeoutMs: 60_000,
      deadAfterMs: 20_000,
      timeoutMs: 5000,
      retryMs: 1000,
      forgetMs: 600_000,
    },
  },
  termination: { intervalMs: 5000, timeoutMs: 2000 },
  limits: {
    ...{ timeoutMs: 2000, retryMs: 1000, retryMsMax: 10_000, lingerMs: 1000, compareMs: 10_000 },
    ...{ least: { pages: 1, bytes: 1 }, low: { pages: 0, bytes: 0 } },
  },
  queries: {
    ...{
      timeoutMs: 5000,
      triesMax: 3,
      retryMs: 500,
      partBytes: 64_000,
      servedMax: 8,
      pollMs: 1000,
    },
  },
  shipping: { pieceBytes: 64_000, pagesAtOnce: 4, timeoutMs: 5000, bytesPerSecondMax: 1e6 },
  ...{ askTimeoutMs: 5000, migrate: false, claimsBytes: 1000, keepsDepths: false },
};

const FOUNDING = {
  ...{ crawl: "large", fingerprintKey: "none", shards: 1024, text: "" },
  bounds: { pages: null, bytes: null, timeMs: null },
};

class LargeCluster {
  readonly kernel: Kernel = new Kernel({ seed: "1" });
  readonly network: LargeNetwork = new LargeNetwork(this.kernel);
  readonly nodes: ClusterNode[] = [];
  readonly voices: MemberVoice[] = [];
  /** What the first agent last said of what all share. */
  #shared = { seedsHash: "", configuration: { number: 0, by: "" } };
  /** Its roll, and the members that it was made of. */
  #roll = { of: "", text: "" };

  constructor() {
    const ear = new Messenger(this.network.join("ear", false), this.kernel.clock);
    ear.attach({
      self: () => null,
      refuses: ({ place }) => (place.id === "agent-0" ? null : "place"),
      hearsOther: () => undefined,
    });
    ear.serve(BEAT, (_from, { seedsHash, configuration }) => {
      this.#shared = { seedsHash, configuration };
    });
  }

  /** Another real agent. */
  add(): ClusterNode {
    const { clock, random: seeded } = this.kernel;
    const id = `agent-${this.nodes.length}`;
    const random = seeded.fork(id);
    const disk = new SimDisk(random);
    const later = (run: () => void): void => void clock.after(1, run);
    const node = new ClusterNode({
      ...{ id, capacity: 1, founds: this.nodes.length === 0 ? FOUNDING : null, clock, random },
      ...{ storage: disk.mount(clock), transport: this.network.join(id), settings: SETTINGS },
      ...{ background: new SimBackground({ clock, disk, random }), saved: null },
      agent: idleAgent(later, (code) => {
        throw new Error(`${id}: ${code}`);
      }),
    });
    this.nodes.push(node);
    node.start();
    return node;
  }

  addVoice(): void {
    const { clock } = this.kernel;
    const transport = this.network.join(`voice-${this.voices.length}`, false);
    const voice = new MemberVoice({
      ...{ clock, transport, crawl: FOUNDING.crawl, shared: () => this.#shared },
      member: () => (this.nodes[0] as ClusterNode).view.self,
      ring: () => this.voices.map(({ row }) => row),
      roll: () => this.#rollText(),
    });
    this.voices.push(voice);
    // Agents do not beat all at the same moment.
    clock.after(this.kernel.random.below(1000), () => voice.start());
  }

  /** The voices see what the first agent sees. */
  #rollText(): string {
    const { view } = this.nodes[0] as ClusterNode;
    if (view.hash !== this.#roll.of) this.#roll = { of: view.hash, text: new Roll(view).text };
    return this.#roll.text;
  }

  until(isMet: () => boolean): number {
    const { kernel } = this;
    const { nowMs } = kernel;
    let lookAtMs = 0;
    const end = kernel.runUntil(
      () => {
        if (kernel.nowMs < lookAtMs) return false;
        lookAtMs = kernel.nowMs + 100;
        return isMet();
      },
      { stepsMax: 1e9, virtualMsMax: 600_000 },
    );
    if (end !== "done") throw new Error(`it never came to that: ${end}`);
    return (kernel.nowMs - nowMs) / 1000;
  }

  /** Whether all are active, and real ones agree. */
  get areSettled(): boolean {
    const [first] = this.nodes as [ClusterNode];
    const count = this.nodes.length + this.voices.length;
    const areActive = [...first.view.members()].filter(({ state }) => state === "active").length;
    return areActive === count && this.nodes.every(({ view }) => view.hash === first.view.hash);
  }
}

/** Since an earlier moment, in milliseconds of the processor. */
function processorMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function memoryBytes(): number {
  assert(globalThis.gc !== undefined, "memory is measured with --expose-gc");
  for (let times = 0; times < 3; times += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What was received, divided by a number of agents, or of agents and seconds. */
function describe(received: ReadonlyMap<string, Traffic>, per: number): string {
  const all = [...received.values()];
  const messages = all.reduce((sum, traffic) => sum + traffic.messages, 0);
  const bytes = all.reduce((sum, traffic) => sum + traffic.bytes, 0);
  const kinds = [...received]
    .toSorted(([, one], [, other]) => other.messages - one.messages)
    .filter(([, traffic]) => traffic.messages > messages / 100)
    .map(([kind, one]) => `${kind.replace("cluster.", "")} ${(one.messages / per).toFixed(1)}`);
  const kilobytes = (bytes / per / 1000).toFixed(1);
  return `${(messages / per).toFixed(1)} messages, ${kilobytes} kB (${kinds.join(", ")})`;
}

function withoutBeats(received: ReadonlyMap<string, Traffic>): ReadonlyMap<string, Traffic> {
  return new Map([...received].filter(([kind]) => kind !== "cluster.beat"));
}

/** Every agent is real. */
function measureWhole(agents: number): void {
  const cluster = new LargeCluster();
  const { network, kernel } = cluster;
  const before = memoryBytes();
  const begun = process.cpuUsage();
  for (let number = 0; number < agents; number += 1) cluster.add();
  const startSeconds = cluster.until(() => cluster.areSettled);
  console.log(`${agents} whole agents; each of them, on average:`);
  console.log(
    `  all start at once: ${startSeconds.toFixed(1)} virtual s; receives ` +
      `${describe(network.received(), agents)}, uses ${(processorMs(begun) / agents).toFixed(1)} ms`,
  );
  const quiet = process.cpuUsage();
  kernel.pass(QUIET_SECONDS * 1000);
  const quietMs = processorMs(quiet) / agents / QUIET_SECONDS;
  console.log(
    `  a second without changes: receives ${describe(network.received(), agents * QUIET_SECONDS)}, ` +
      `uses ${quietMs.toFixed(2)} ms`,
  );
  console.log(`  memory: ${((memoryBytes() - before) / agents / 1e6).toFixed(2)} MB`);
  cluster.add();
  const joinSeconds = cluster.until(() => cluster.areSettled);
  console.log(
    `  one more joins: ${joinSeconds.toFixed(1)} virtual s; less the beats receives ` +
      `${describe(withoutBeats(network.received()), agents + 1)}`,
  );
}

/** One agent among many voices, and one that joins them. */
function measureAmong(agents: number): void {
  const cluster = new LargeCluster();
  const { network, kernel } = cluster;
  for (let number = 1; number < agents; number += 1) cluster.addVoice();
  const before = memoryBytes();
  cluster.add();
  const begun = process.cpuUsage();
  const startSeconds = cluster.until(() => cluster.areSettled);
  console.log(`one agent among ${agents}:`);
  console.log(
    `  all others join at once: ${startSeconds.toFixed(1)} virtual s; receives ` +
      `${describe(network.received(), 1)}; ${(processorMs(begun) / 1000).toFixed(1)} s with the voices`,
  );
  const quiet = process.cpuUsage();
  kernel.pass(SECONDS * 1000);
  console.log(
    `  a second without changes, of ${SECONDS}: receives ${describe(network.received(), SECONDS)}; ` +
      `${(processorMs(quiet) / SECONDS).toFixed(1)} ms with the voices`,
  );
  console.log(`  memory: ${((memoryBytes() - before) / 1e6).toFixed(2)} MB, the ring included`);
  const joining = process.cpuUsage();
  cluster.add();
  const joinSeconds = cluster.until(() => cluster.areSettled);
  console.log(
    `  one more joins: ${joinSeconds.toFixed(1)} virtual s; it and the first one receive, less the beats, ` +
      `${describe(withoutBeats(network.received()), 1)}; ` +
      `${(processorMs(joining) / 1000).toFixed(1)} s with the voices`,
  );
}

function measureRing(agents: number): void {
  const members = Array.from({ length: agents }, (_, at) => ({ id: `agent-${at}`, capacity: 1 }));
  const begun = process.cpuUsage();
  const { highs, lows, agents: owners, starts } = Ring.of(members, REPLICAS).circle;
  const madeMs = processorMs(begun);
  const bytes = [highs, lows, owners, starts].reduce((sum, { byteLength }) => sum + byteLength, 0);
  console.log(
    `ring of ${agents} agents, ${REPLICAS} points each: ${(bytes / 1e6).toFixed(1)} MB, made in ` +
      `${madeMs.toFixed(0)} ms`,
  );
  const [arcs = [], hosts = []] = deviations(members, {
    ...{ replicas: REPLICAS, hosts: HOSTS, pages: pagesOfHosts(HOSTS) },
  });
  const percent = (value: number): string => `${(100 * value).toFixed(2)} %`;
  // The mean absolute deviation of a Poisson variable with this mean.
  const chance = Math.sqrt((2 / Math.PI) * (agents / HOSTS));
  console.log(
    `  ${HOSTS} hosts: the share of an agent deviates by ${percent(meanAbsolute(hosts))} on average, ` +
      `at most ${percent(largest(hosts))}; by arc length ${percent(meanAbsolute(arcs))}, at most ` +
      `${percent(largest(arcs))}; by chance alone ${percent(chance)}`,
  );
}

measureRing(AGENTS);
measureAmong(AGENTS);
for (const agents of WHOLE) if (agents > 0) measureWhole(agents);
