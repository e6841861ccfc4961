/**
 * One trial of a cluster: agents that crawl a small web while faults strike, and the judge of what must
 * hold afterwards. The judge believes the web, which knows every fetch, and the disks; never an agent.
 */
import type { Fault, Kernel, Trial } from "../simulator/index.ts";
import { SimCluster, SimDisk } from "../simulator/index.ts";
import { ClusterWorld } from "./cluster-world.ts";
import { SimAgent } from "./sim-agent.ts";
import { SmallWeb, type SmallWebOptions } from "./small-web.ts";

export interface ClusterTrialOptions {
  readonly agents: number;
  /** Agents that are there, and not started. */
  readonly spares: number;
  readonly web: SmallWebOptions;
  readonly partition: "continue" | "fence";
  readonly hostDelayMs: number;
  readonly checkpointMs: number;
  readonly network: ConstructorParameters<typeof SimCluster>[1];
}

interface Machine {
  readonly id: string;
  disk: SimDisk;
  disks: number;
  agent: SimAgent | null;
  /** Whether it takes part: spares do when they are started, leavers no more. */
  isMember: boolean;
  /** Whether its disk has taken part in the crawl. */
  isEstablished: boolean;
}

/** How often it is looked whether everything is done. */
const LOOK_MS = 100;

/** Faults after which agents may have different opinions of who is there; and for how long afterwards. */
const APART: ReadonlySet<string> = new Set([
  "partition",
  "cut",
  "cut-both",
  "zombie",
  "sleep",
  "clog",
]);
const HEALING_MS = 6000;

const MEMBERSHIP = {
  ...{ heartbeatMs: 1000, suspectAfterMs: 3000, deadAfterMs: 6000, giveUpAfterMs: 10_000 },
  ...({ fullDisk: "wait", recovery: "all", replicas: 20 } as const),
};

export class ClusterTrial implements Trial {
  readonly always: Trial["always"];
  readonly atEnd: Trial["atEnd"];
  readonly world: ClusterWorld;
  readonly #kernel: Kernel;
  readonly #cluster: SimCluster;
  readonly #machines = new Map<string, Machine>();
  /** Seeds that somebody was told are held, with how many agents hold them. */
  readonly #seeds = new Set<string>();
  #isSeeded = false;
  #lookAtMs = 0;

  constructor(kernel: Kernel, options: ClusterTrialOptions) {
    const { agents, spares, web, partition, network, hostDelayMs, checkpointMs } = options;
    this.#kernel = kernel;
    this.#cluster = new SimCluster(kernel, network);
    this.world = new ClusterWorld({
      ...{ kernel, hostDelayMs, checkpointMs, founder: "a0" },
      web: new SmallWeb(web, kernel.random.fork("web")),
      membership: { ...MEMBERSHIP, partition },
    });
    for (let number = 0; number < agents + spares; number += 1) this.#addMachine(`a${number}`);
    for (let number = 0; number < agents; number += 1) this.#start(`a${number}`);
    kernel.schedule(1, () => this.#seed());
    this.always = {
      troubles: () => this.world.troubles[0] ?? null,
      politeness: () => this.world.rudeness[0] ?? null,
    };
    this.atEnd = {
      coverage: () => this.#missing(),
      copies: () => this.#doubled(),
    };
  }

  /** Fetches that were neither the first of their page nor of one whose copies were lost. */
  get extraFetches(): number {
    const urls = new Set(this.world.fetches.map(({ url }) => url));
    return this.world.fetches.length - urls.size;
  }

  strike(fault: Fault): void {
    const [id = "a0"] = fault.nodes;
    const machine = this.#machines.get(id);
    if (machine === undefined) return;
    switch (fault.kind) {
      case "join":
        this.#start(id);
        break;
      case "crash":
        this.#down(machine, fault.durationMs, false);
        break;
      case "wipe":
        if (this.#isDispensable(machine)) this.#down(machine, fault.durationMs, true);
        break;
      default:
        this.#cluster.strike(fault);
        if (APART.has(fault.kind)) this.#partUntil(fault.durationMs);
    }
  }

  isDone(): boolean {
    // Asked after every event.
    if (this.#kernel.nowMs < this.#lookAtMs) return false;
    this.#lookAtMs = this.#kernel.nowMs + LOOK_MS;
    const members = this.#members();
    if (!this.#isSeeded || members.length === 0) return false;
    const [first] = members;
    return members.every(
      ({ agent }) =>
        agent?.isIdle === true && agent.membership.view.hash === first?.agent?.membership.view.hash,
    );
  }

  describe(): string {
    return this.#members()
      .map(({ id, agent }) => agent?.describe ?? `${id} is down`)
      .join("\n");
  }

  #addMachine(id: string): void {
    const disk = new SimDisk(this.#kernel.random.fork(`disk ${id}`));
    this.#machines.set(id, {
      id,
      disk,
      disks: 1,
      agent: null,
      isMember: false,
      isEstablished: false,
    });
  }

  #start(id: string): void {
    const machine = this.#machines.get(id) as Machine;
    if (machine.isMember) return;
    machine.isMember = true;
    this.#cluster.add(id, (life, transport) => {
      machine.agent = new SimAgent(this.world, life, transport, machine.disk);
    });
  }

  /** The last disk that has taken part in the crawl is not lost: nothing could bring that back. */
  #isDispensable(machine: Machine): boolean {
    for (const one of this.#members()) if (one.agent?.wasActive === true) one.isEstablished = true;
    return this.#members().some((one) => one !== machine && one.isEstablished);
  }

  /** The process dies with the power; with its disk, if that is lost. */
  #down(machine: Machine, durationMs: number, isLost: boolean): void {
    if (!machine.isMember) return;
    const { id } = machine;
    const restart = this.#cluster.takeDown(id);
    this.world.died(id);
    machine.agent = null;
    if (isLost) {
      if (id === "a0") this.world.hasLostFounder = true;
      machine.disks += 1;
      machine.isEstablished = false;
      machine.disk = new SimDisk(this.#kernel.random.fork(`disk ${id} ${machine.disks}`));
    } else machine.disk.crash();
    this.#kernel.schedule(durationMs, restart);
  }

  /** Those that cannot hear each other may visit one host at once, until they have agreed again. */
  #partUntil(durationMs: number): void {
    const { nowMs } = this.#kernel;
    this.world.allowRudeness(nowMs, nowMs + durationMs + HEALING_MS);
  }

  #seed(): void {
    if (this.#isSeeded) return;
    // Whoever has no answer asks again.
    this.#kernel.schedule(2000, () => this.#seed());
    const ready = this.#members().find(({ agent }) => agent?.membership.mayFetch === true);
    const { seeds } = this.world.web;
    ready?.agent?.addSeeds(seeds, () => {
      this.#isSeeded = true;
      for (const seed of seeds) this.#seeds.add(seed);
    });
  }

  #members(): readonly Machine[] {
    return [...this.#machines.values()].filter(({ isMember }) => isMember);
  }

  #missing(): string | null {
    const due = this.world.web.reachedFrom(this.#seeds);
    const had = new Set<string>();
    for (const { agent } of this.#members()) {
      for (const { url } of agent?.pages?.pages() ?? []) had.add(url);
    }
    const missing = [...due].filter((url) => !had.has(url));
    return missing.length === 0
      ? null
      : `${missing.length} of ${due.size} missing: ${missing.slice(0, 5)}`;
  }

  #doubled(): string | null {
    const visible = new Map<string, number>();
    for (const { agent } of this.#members()) {
      for (const { url, hiddenBy } of agent?.pages?.pages() ?? []) {
        visible.set(url, (visible.get(url) ?? 0) + (hiddenBy === null ? 1 : 0));
      }
    }
    const wrong = [...visible].filter(([, count]) => count !== 1);
    return wrong.length === 0 ? null : `visible copies: ${wrong.slice(0, 5).join(" ")}`;
  }
}
