/**
 * Agents that share limits while everything goes wrong, and the judge: there are never more pages than
 * the limit allows, on all disks that ever were; exactly as many if no disk was lost; and everybody learns
 * that the limit was the reason.
 */
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import type { CrawlBounds } from "../../src/cluster/limits/index.ts";
import type {
  MembershipSettings,
  SharedConfiguration,
} from "../../src/cluster/membership/index.ts";
import type { Messenger } from "../../src/cluster/messages/index.ts";
import { planClusterFaults } from "../../src/lab/agents/index.ts";
import {
  CALM_DISK,
  type Fault,
  type Kernel,
  type Schedule,
  SimCluster,
  SimDisk,
  type Trial,
} from "../../src/lab/simulator/index.ts";
import { type LimitsDoor, Spender } from "./limits-agent.ts";

const MEMBERSHIP: MembershipSettings = {
  ...{ heartbeatMs: 500, suspectAfterMs: 1500, deadAfterMs: 3000, giveUpAfterMs: 6000 },
  ...{ fullDisk: "wait", recovery: "all", replicas: 5, partition: "continue" },
};
const CRAWL = "limits";

interface Machine {
  readonly id: string;
  disk: SimDisk;
  disks: number;
  spender: Spender | null;
  isMember: boolean;
  hasLeft: boolean;
  isEstablished: boolean;
  /** What its pages were when it went down. */
  downPages: number;
}

export interface LimitsTrialOptions {
  readonly door: LimitsDoor;
  readonly agents: number;
  readonly spares: number;
  readonly bounds: CrawlBounds;
  /** Who has work without end; all if left out. */
  readonly workers?: readonly string[];
  readonly fetchMsMax?: number;
  readonly network?: ConstructorParameters<typeof SimCluster>[1];
}

/** What agents ask of the world around them. */
export interface LimitsWorld {
  readonly door: LimitsDoor;
  readonly membership: MembershipSettings;
  readonly troubles: string[];
  readonly fetchMsMax: number;
  founds(id: string): SharedConfiguration | null;
  founding(id: string): Parameters<LimitsDoor["openLedger"]>[1];
  hasWork(id: string): boolean;
  judge(): void;
  counting(messenger: Messenger): Pick<Messenger, "ask" | "serve">;
}

export class LimitsTrial implements Trial, LimitsWorld {
  readonly always: Trial["always"];
  readonly atEnd: Trial["atEnd"];
  readonly door: LimitsDoor;
  readonly membership: MembershipSettings = MEMBERSHIP;
  readonly troubles: string[] = [];
  readonly fetchMsMax: number;
  bounds: CrawlBounds;
  /** How many messages about limits were sent. */
  messages = 0;
  /** The most pages that there were. */
  most = 0;
  /** A disk was lost, and what it had of the limits with it. */
  hasLostDisk = false;
  workers: ReadonlySet<string>;
  readonly #kernel: Kernel;
  readonly #cluster: SimCluster;
  readonly #machines = new Map<string, Machine>();
  /** Pages on disks that are lost. */
  #lostPages = 0;
  #hasLostFounder = false;
  #hasLeaver = false;
  #wasParted = false;
  readonly #founded: CrawlBounds;
  #lookAtMs = 0;

  constructor(kernel: Kernel, options: LimitsTrialOptions) {
    const { door, agents, spares, bounds } = options;
    this.#kernel = kernel;
    this.door = door;
    this.bounds = bounds;
    this.#founded = bounds;
    this.fetchMsMax = options.fetchMsMax ?? 400;
    this.#cluster = new SimCluster(kernel, options.network);
    const ids = Array.from({ length: agents + spares }, (_none, number) => `a${number}`);
    this.workers = new Set(options.workers ?? ids);
    for (const id of ids) this.#machines.set(id, this.#machine(id));
    // The founder is not always the one with the lowest id.
    for (const id of ids.slice(0, agents).toReversed()) this.#start(id);
    this.always = {
      troubles: () => this.troubles[0] ?? null,
      "never too many": () =>
        this.most > (this.bounds.pages ?? Number.POSITIVE_INFINITY)
          ? `${this.most} pages of ${this.bounds.pages}`
          : null,
    };
    this.atEnd = {
      "exactly as many": () => this.#judgeEnd(),
      reason: () =>
        this.#live().every(({ spender }) => spender?.endedBy !== null)
          ? null
          : "somebody does not know that the limit was reached",
    };
  }

  founds(id: string): SharedConfiguration | null {
    if (id !== this.#founder || this.#hasLostFounder) return null;
    const text = JSON.stringify(this.door.foundingTerms(this.#founded));
    return { crawl: CRAWL, fingerprintKey: "k", shards: 64, version: { number: 1, by: "" }, text };
  }

  founding(id: string): Parameters<LimitsDoor["openLedger"]>[1] {
    if (this.founds(id) === null) return null;
    return { crawl: CRAWL, amounts: this.door.foundingTerms(this.#founded).founded };
  }

  hasWork(id: string): boolean {
    return this.workers.has(id);
  }

  /** How many pages there are, on all disks that ever were. */
  judge(): void {
    this.most = Math.max(this.most, this.pages);
  }

  get pages(): number {
    let pages = this.#lostPages;
    for (const { spender, downPages } of this.#machines.values()) {
      pages += spender?.pages ?? downPages;
    }
    return pages;
  }

  get bytes(): number {
    return [...this.#machines.values()].reduce(
      (sum, { spender }) => sum + (spender?.bytes ?? 0),
      0,
    );
  }

  spender(id: string): Spender | null {
    return this.#machines.get(id)?.spender ?? null;
  }

  counting(messenger: Messenger): Pick<Messenger, "ask" | "serve"> {
    return {
      ask: (place, type, question, answered) => {
        this.messages += 1;
        messenger.ask(place, type, question, answered);
      },
      serve: (type, listener) => messenger.serve(type, listener),
    };
  }

  strike(fault: Fault): void {
    if (fault.kind === "leave") this.#hasLeaver = true;
    else if (PARTING.has(fault.kind)) this.#wasParted = true;
    const machine = this.#machines.get(fault.nodes[0] ?? "a0");
    const areThere = fault.nodes.every((id) => this.#machines.get(id)?.isMember === true);
    if (machine === undefined || (!areThere && fault.kind !== "join")) return;
    if (fault.kind === "join") this.#start(machine.id);
    else if (fault.kind === "crash") this.#down(machine, fault.durationMs, false);
    else if (fault.kind === "wipe") {
      if (this.#isDispensable(machine)) this.#down(machine, fault.durationMs, true);
    } else if (fault.kind === "leave") this.#leave(machine);
    else this.#cluster.strike(fault);
  }

  isDone(): boolean {
    if (this.#kernel.nowMs < this.#lookAtMs) return false;
    this.#lookAtMs = this.#kernel.nowMs + 100;
    const live = this.#live();
    const hash = live[0]?.spender?.membership.view.hash;
    return live.every(
      ({ spender }) =>
        spender?.termination.isFinished === true && spender.membership.view.hash === hash,
    );
  }

  describe(): string {
    return [...this.#machines.values()]
      .map(({ id, spender }) => spender?.describe ?? id)
      .join("\n");
  }

  get #founder(): string {
    return "a1";
  }

  #machine(id: string): Machine {
    const disk = this.#disk(id);
    const nobody = { spender: null, isMember: false, hasLeft: false, isEstablished: false };
    return { id, disk, disks: 1, ...nobody, downPages: 0 };
  }

  /** Slow enough to be caught in the middle of a write. */
  #disk(name: string): SimDisk {
    const disk = new SimDisk(this.#kernel.random.fork(`disk ${name}`));
    disk.speed = { ...CALM_DISK, stallRatio: 0.2, stallMs: 150 };
    return disk;
  }

  #live(): Machine[] {
    return [...this.#machines.values()].filter(({ isMember }) => isMember);
  }

  /** The last disk that has taken part in the crawl is not lost: nothing could bring that back. */
  #isDispensable(machine: Machine): boolean {
    for (const one of this.#live()) one.isEstablished ||= one.spender?.wasActive === true;
    return this.#live().some((one) => one !== machine && one.isEstablished);
  }

  #start(id: string): void {
    const machine = this.#machines.get(id) as Machine;
    if (machine.isMember || machine.hasLeft) return;
    machine.isMember = true;
    this.#cluster.add(id, (life, transport) => {
      machine.spender = new Spender(this, life, transport, machine.disk);
    });
  }

  #down(machine: Machine, durationMs: number, isLost: boolean): void {
    if (!machine.isMember) return;
    const restart = this.#cluster.takeDown(machine.id);
    // Some of its last pages may not be durable; who knows which must not matter.
    const pages = machine.spender?.pages ?? machine.downPages;
    machine.spender = null;
    if (isLost) {
      this.hasLostDisk = true;
      machine.isEstablished = false;
      this.#lostPages += pages;
      machine.downPages = 0;
      machine.disks += 1;
      machine.disk = this.#disk(`${machine.id} ${machine.disks}`);
      if (machine.id === this.#founder) this.#hasLostFounder = true;
    } else {
      machine.disk.crash();
      machine.downPages = 0;
    }
    this.#kernel.schedule(durationMs, restart);
  }

  #leave(machine: Machine): void {
    const { spender } = machine;
    const active = this.#live().filter((one) => one.spender?.membership.state === "active");
    if (spender === null || !active.includes(machine) || active.length < 3) return;
    machine.hasLeft = true;
    // What it was to do is with others by then.
    this.workers = new Set(this.#machines.keys());
    for (const one of this.#live()) one.spender?.workChanged();
    spender.membership.leave(() => {
      machine.isMember = false;
      machine.downPages = spender.pages;
      machine.spender = null;
      this.#cluster.takeDown(machine.id);
    });
  }

  #judgeEnd(): string | null {
    const { pages } = this.bounds;
    if (pages === null || this.hasLostDisk) return null;
    // What was lent to a leaver that could not be reached meanwhile is lost with it (M9).
    if (this.#hasLeaver && this.#wasParted) return null;
    const isExact = this.pages === pages;
    return isExact ? null : `${this.pages} pages of ${pages}, and no disk was lost`;
  }
}

/** Faults during which agents cannot be reached. */
const PARTING: ReadonlySet<string> = new Set([
  ...["crash", "wipe", "partition", "cut", "cut-both", "zombie", "sleep", "clog"],
]);

/** Faults of clusters, and some agents that leave. */
export function planLimitFaults(
  random: Random,
  kinds: readonly string[],
  faultsMax: number,
): Schedule {
  const others = kinds.filter((kind) => kind !== "leave");
  const faults = planClusterFaults(random, { agents: 4, spares: 1, faultsMax, kinds: others });
  if (!kinds.includes("leave")) return faults;
  const leaver = `a${random.below(4)}`;
  const atMs = 2000 + random.below(12_000);
  const leave = { kind: "leave", nodes: [leaver], atMs, durationMs: 0, parameters: {} };
  return [...faults, leave].toSorted((one, other) => one.atMs - other.atMs);
}

/** The bounds, workers and network of one trial, by its kernel's seed. */
export function drawnTrial(door: LimitsDoor, kernel: Kernel): LimitsTrial {
  const random = new SeededRandom(String(kernel.random.below(1e9))).fork("limits");
  const agents = 2 + random.below(4);
  const all = Array.from({ length: agents }, (_none, number) => `a${number}`);
  const some = all.filter(() => random.below(2) === 0);
  const pages = [1, 2, 3, 7, 40, 150, 400][random.below(7)] ?? 1;
  return new LimitsTrial(kernel, {
    ...{ door, agents, spares: 1, workers: some.length === 0 ? all : some },
    bounds: { pages, bytes: null, timeMs: null },
    network: {
      ...{ lossRatio: 0.05, duplicateRatio: 0.1, reorderRatio: 0.4 },
      ...{ lateRatio: 0.05, lateMsMax: 3000 },
    },
  });
}
