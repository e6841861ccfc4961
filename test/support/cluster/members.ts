/**
 * Agents that consist of nothing but membership, on simulated disks and a simulated network, for its unit
 * tests and its schedules. Custody is played by the listener of each: it hands over after a while, and
 * withholds the hosts that it is told to.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../src/base/errors/index.ts";
import type { AgentId, Transport } from "../../../src/base/transport/index.ts";
import {
  type Absence,
  Membership,
  type MembershipListener,
  type MembershipSettings,
  type SharedConfiguration,
} from "../../../src/cluster/membership/index.ts";
import { Messenger, type Place, placeText } from "../../../src/cluster/messages/index.ts";
import {
  type Conditions,
  Kernel,
  type Life,
  SimCluster,
  SimDisk,
} from "../../../src/lab/simulator/index.ts";
import { namedTransport } from "./named-transport.ts";

export const BEAT_MS = 1000;

export const SETTINGS: MembershipSettings = {
  ...{ heartbeatMs: BEAT_MS, suspectAfterMs: 3000, deadAfterMs: 6000, giveUpAfterMs: 10_000 },
  ...{ partition: "continue", fullDisk: "wait", recovery: "all", replicas: 4 },
};

export const FOUNDED: SharedConfiguration = {
  ...{ crawl: "tried", fingerprintKey: "k", shards: 1, text: "first" },
  version: { number: 1, by: "" },
};

/** Hosts whose owners are looked at; at most 31, so that sets of them are numbers. */
export const HOSTS: readonly string[] = Array.from({ length: 24 }, (_, n) => `h${n}.test`);

/** One process: one life of an agent, and what its membership has told it. */
export class MemberProcess {
  readonly id: AgentId;
  readonly life: Life;
  readonly membership: Membership;
  readonly messenger: Messenger;
  readonly gaveUp: string[] = [];
  readonly returned: string[] = [];
  readonly handedTo: string[] = [];
  /** How often it was to hand over everything. */
  handedAll = 0;
  readonly seeds: Set<string> = new Set();
  readonly troubles: CrawlError[] = [];
  /** Why it may not fetch, as it was told; null while it may. */
  why: string | null = "joining";
  /** How long the crawl has run: what it says, and what others have said (M8). */
  elapsedMs = 0;
  readonly heardElapsed: number[] = [];
  takeover: readonly Place[] = [];
  takeovers = 0;
  /** Whose former hosts are withheld. */
  absences: readonly Absence[] = [];
  /** While true, nothing is handed over. */
  isHolding = false;
  isTooLate = false;
  /** How many entries it has told each other agent. */
  told = 0;
  /** Whether they have acknowledged them. */
  isTaken = true;
  #held: (() => void)[] = [];
  #owned = { version: -1, takeovers: -1, hosts: 0 };
  readonly #rig: Members;

  constructor(rig: Members, machine: MemberMachine, life: Life, transport: Transport) {
    this.id = machine.id;
    this.#rig = rig;
    this.life = life;
    this.messenger = new Messenger(transport, life.clock);
    this.membership = new Membership({
      ...{ id: this.id, capacity: machine.capacity, settings: { ...rig.settings } },
      ...{ founds: machine.founds, expect: rig.expect, seedsFrom: 0 },
      ...{ clock: life.clock, random: life.random, storage: machine.disk.mount(life.clock) },
      ...{ messenger: this.messenger, listener: this.#listener() },
    });
    this.membership.start();
  }

  get isRefused(): boolean {
    return this.troubles.some(({ code }) => code === "CLUSTER_ID_IN_USE");
  }

  /** The hosts that it would visit now, as bits. */
  get visits(): number {
    if (this.life.hasEnded || this.life.isPaused || !this.membership.mayFetch) return 0;
    const { view } = this.membership;
    const { version } = view;
    if (this.#owned.version !== version || this.#owned.takeovers !== this.takeovers) {
      this.#owned = { version, takeovers: this.takeovers, hosts: this.#look() };
    }
    return this.#owned.hosts;
  }

  /** Ends what was held back. */
  handOver(): void {
    this.isHolding = false;
    for (const done of this.#held.splice(0)) done();
  }

  #look(): number {
    const { view } = this.membership;
    const gone = new Set(this.takeover.map(({ id }) => id));
    let hosts = 0;
    for (const [bit, host] of HOSTS.entries()) {
      const isOurs = view.ownerOf(host as never) === this.id;
      const wasOurs = gone.size === 0 || view.ownerWith(host as never, gone) === this.id;
      if (isOurs && wasOurs) hosts += 2 ** bit;
    }
    return hosts;
  }

  #handOver(done: () => void): void {
    const { clock, random } = this.life;
    if (this.isHolding) this.#held.push(done);
    else clock.after(random.below(this.#rig.handOverMs), done);
  }

  #listener(): MembershipListener {
    return {
      understands: (text) => text !== "nonsense",
      configured: () => this.#rig.configured(this),
      viewChanged: () => undefined,
      gaveUp: (place) => this.gaveUp.push(placeText(place)),
      returned: (place) => this.returned.push(placeText(place)),
      handOver: (to, done) => {
        this.handedTo.push(placeText(to));
        this.#handOver(done);
      },
      handOverAll: (done) => {
        this.handedAll += 1;
        this.#handOver(done);
      },
      takeover: (places) => this.#withhold(places),
      takeoverOver: () => this.#withhold([]),
      absent: (absences) => {
        this.absences = absences;
      },
      activated: () => {
        this.why = null;
      },
      deactivated: (why) => {
        this.why = why;
        if (why === "left") this.#rig.left(this);
      },
      seedsArrived: (seeds) => {
        for (const seed of seeds) this.seeds.add(seed);
      },
      elapsedMs: () => this.elapsedMs,
      ranFor: (elapsedMs) => this.heardElapsed.push(elapsedMs),
      toldTo: () => ({ entries: this.told, isTaken: this.isTaken }),
      cameTooLate: () => {
        this.isTooLate = true;
      },
      trouble: (error) => this.troubles.push(error),
      refused: (error) => {
        this.troubles.push(error);
        if (error.code === "CLUSTER_ID_IN_USE") this.#rig.refused(this);
      },
    };
  }

  #withhold(places: readonly Place[]): void {
    this.takeover = places;
    this.takeovers += 1;
  }
}

/** A machine: what outlives the processes of an agent. Several may have the same agent. */
export interface MemberMachine {
  readonly name: string;
  readonly id: AgentId;
  readonly capacity: number;
  disk: SimDisk;
  founds: SharedConfiguration | null;
  process: MemberProcess | null;
}

export interface MembersParts {
  readonly seed?: string;
  readonly kernel?: Kernel;
  readonly settings?: Partial<MembershipSettings>;
  readonly conditions?: Partial<Conditions>;
  /** How many agents found the crawl. */
  readonly expect?: number;
}

export class Members {
  readonly kernel: Kernel;
  readonly cluster: SimCluster;
  readonly settings: MembershipSettings;
  readonly expect: number;
  /** Handing over takes up to this long. */
  handOverMs = 300;
  readonly machines: Map<string, MemberMachine> = new Map();
  /** Called when a process finds that its id is in use; it is still there then. */
  refused: (process: MemberProcess) => void = () => undefined;

  /** Called when a process knows the configuration of the crawl, and whenever that is another. */
  configured: (process: MemberProcess) => void = () => undefined;

  /** Called when a process has left by itself, or after `CLUSTER_ID_IN_USE`. */
  left: (process: MemberProcess) => void = () => undefined;

  constructor({ seed = "members", kernel, settings, conditions, expect = 1 }: MembersParts = {}) {
    this.kernel = kernel ?? new Kernel({ seed });
    this.cluster = new SimCluster(this.kernel, conditions);
    this.settings = { ...SETTINGS, ...settings };
    this.expect = expect;
  }

  /** Starts an agent on a machine of its own: the first of all founds the crawl, the others join it. */
  start(
    id: AgentId,
    more: { readonly name?: string; readonly capacity?: number } = {},
  ): MemberProcess {
    const { name = id, capacity = 1 } = more;
    const founds = this.machines.size === 0 ? FOUNDED : null;
    const disk = new SimDisk(this.kernel.random.fork(`disk ${name}`));
    const machine: MemberMachine = { name, id, capacity, disk, founds, process: null };
    this.machines.set(name, machine);
    this.cluster.add(name, (life, transport) => {
      const named = namedTransport(transport, id, () => this.#namesakes());
      machine.process = new MemberProcess(this, machine, life, named);
    });
    return this.at(name);
  }

  /** Several agents, that have all become active. */
  static settled(ids: readonly AgentId[], parts: MembersParts = {}): Members {
    const members = new Members({ expect: ids.length, ...parts });
    for (const id of ids) members.start(id);
    members.until(() => members.areSettled, "everybody is active");
    return members;
  }

  machine(name: string): MemberMachine {
    const machine = this.machines.get(name);
    assert.ok(machine !== undefined, `there is no machine ${name}`);
    return machine;
  }

  /** The process that runs on a machine. */
  at(name: string): MemberProcess {
    const { process } = this.machine(name);
    assert.ok(process !== null, `nothing runs on ${name}`);
    return process;
  }

  get processes(): MemberProcess[] {
    return [...this.machines.values()].flatMap(({ process }) => process ?? []);
  }

  /** Whether all who run agree, and may fetch what they own. */
  get areSettled(): boolean {
    const { processes } = this;
    const [first] = processes;
    return processes.every(
      ({ membership, takeover }) =>
        membership.mayFetch &&
        takeover.length === 0 &&
        membership.view.hash === first?.membership.view.hash,
    );
  }

  /** The process ends, by a failure of power; the disk is lost too, if so wanted. */
  stop(name: string, isDiskLost = false): () => void {
    const machine = this.machine(name);
    const restart = this.cluster.takeDown(name);
    machine.process = null;
    if (isDiskLost) {
      machine.founds = null;
      machine.disk = new SimDisk(this.kernel.random.fork(`disk ${name} ${this.kernel.nowMs}`));
    } else machine.disk.crash();
    return restart;
  }

  pass(beats: number): void {
    this.kernel.pass(beats * BEAT_MS);
  }

  /** Lets time pass until something holds. */
  until(condition: () => boolean, what: string, beatsMax = 120): void {
    const limits = { stepsMax: 1_000_000, virtualMsMax: beatsMax * BEAT_MS };
    const end = this.kernel.runUntil(condition, limits);
    assert.equal(end, "done", `${what}: ${this.describe()}`);
  }

  describe(): string {
    return this.processes
      .map(({ id, why, takeover, membership: { view, state, configuration } }) => {
        const seen = [...view.members()].map(({ place, incarnation, standing, isInRing }) => {
          return `${placeText(place)}/${incarnation}:${standing}${isInRing ? "" : ":out"}`;
        });
        const { electors } = (configuration as unknown as { electors?: readonly Place[] }) ?? {};
        const votes = electors?.map(placeText).join("+") ?? "";
        return `${id} ${state} ${why ?? "may fetch"} takeover=${takeover.length} ${seen.join(" ")} ${votes}`;
      })
      .join("\n");
  }

  #namesakes(): { readonly name: string; readonly id: AgentId }[] {
    return [...this.machines.values()];
  }
}
