/**
 * The world of the toy counter: three replicas with a disk each, and a client that asks one after
 * the other to count its increments until one says that it has. The faults are those of nodes,
 * clocks and network, and two of disks; none strikes the client.
 */
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import type { AgentId, Transport } from "../../src/base/transport/index.ts";
import {
  type Fault,
  type Kernel,
  type Life,
  planFaults,
  type RunPlan,
  runOnce,
  type Schedule,
  SimCluster,
  STANDARD_FAULTS,
  type Trial,
} from "../../src/lab/simulator/index.ts";
import { type Bug, Counter, durableIds, encode } from "./counter.ts";
import { CounterDisk } from "./counter-disk.ts";

const REPLICAS: readonly AgentId[] = ["n1", "n2", "n3"];
const INCREMENTS = 12;
const FAULT_SPAN_MS = 4000;
const ASK_TIMEOUT_MS = 300;

/** Every kind that the counter is made to survive: it has no cure for a lost or altered disk. */
const { "disk-loss": _lost, "bit-flip": _flipped, ...SURVIVABLE } = STANDARD_FAULTS;

export type SurvivableFault = Exclude<keyof typeof STANDARD_FAULTS, "disk-loss" | "bit-flip">;

/** Plans faults of all kinds, or of those named. */
export function planCounterFaults(
  random: Random,
  names: readonly SurvivableFault[] = [],
): Schedule {
  const named = Object.fromEntries(names.map((name) => [name, SURVIVABLE[name]]));
  return planFaults(random, {
    kinds: names.length === 0 ? SURVIVABLE : named,
    nodes: REPLICAS,
    fromMs: 100,
    untilMs: FAULT_SPAN_MS,
    durationMsMax: 3000,
    budget: { faultsMax: 12 },
  });
}

/** What an exploration of the counter needs to know; `bug` null is the right one. */
export function counterWith(bug: Bug | null): RunPlan {
  return {
    build: (kernel) => new CounterTrial(kernel, bug),
    limits: { stepsMax: 100_000, virtualMsMax: 60_000 },
  };
}

/** Everything that happens in the run of a seed. */
export function counterTrace(seed: string): string {
  const schedule = planCounterFaults(new SeededRandom(seed).fork("plan"));
  return runOnce(counterWith(null), seed, schedule, 1_000_000).trace.join("\n");
}

class CounterTrial implements Trial {
  readonly #cluster: SimCluster;
  readonly #disks = new Map<AgentId, CounterDisk>();
  readonly #counters = new Map<AgentId, Counter>();
  readonly #durable = new Map<AgentId, ReadonlySet<string>>();
  readonly #readVersions = new Map<AgentId, unknown>();
  readonly #answered = new Set<string>();
  /** How often a disk was found changed. */
  #changes = 0;
  #versions = -1;

  readonly always: Trial["always"] = {
    "no acknowledged increment is lost": () => this.#firstLost(),
    "no increment is counted twice": () => this.#firstCountedTwice(),
    "what a replica believes of a peer is true": () => this.#firstFalseBelief(),
  };
  readonly atEnd: Trial["atEnd"] = {
    "every replica shows the same total": () => this.#firstOther(),
  };

  constructor(kernel: Kernel, bug: Bug | null) {
    this.#cluster = new SimCluster(kernel);
    for (const id of REPLICAS) this.#addReplica(id, bug);
    this.#cluster.add("client", (life, transport) => this.#startClient(life, transport));
  }

  strike(fault: Fault): void {
    if (this.#cluster.strike(fault)) return;
    const disk = this.#disks.get(fault.nodes[0] ?? "");
    if (disk === undefined) throw new Error(`The fault ${fault.kind} names no replica.`);
    if (fault.kind === "disk-full") disk.fill(fault.durationMs);
    else if (fault.kind === "slow-disk") {
      disk.slowDown(fault.parameters["factor"] ?? 1, fault.durationMs);
    } else throw new Error(`This world does not know the fault ${fault.kind}.`);
  }

  isDone(): boolean {
    if (this.#answered.size < INCREMENTS) return false;
    return REPLICAS.every(
      (id) =>
        this.#counters.get(id)?.ids.size === INCREMENTS &&
        this.#durable.get(id)?.size === INCREMENTS,
    );
  }

  describe(): string {
    const totals = REPLICAS.map((id) => `${id}=${this.#counters.get(id)?.total ?? "down"}`);
    return `${totals.join(" ")}, ${this.#answered.size} of ${INCREMENTS} answered`;
  }

  #addReplica(id: AgentId, bug: Bug | null): void {
    const disk = new CounterDisk(this.#cluster.kernel, id);
    this.#disks.set(id, disk);
    this.#cluster.add(id, (life, transport) => {
      const peers = REPLICAS.filter((other) => other !== id);
      const storage = disk.mount(life);
      const counter = new Counter({ clock: life.clock, storage, transport, peers, bug });
      this.#counters.set(id, counter);
      life.onEnd(() => this.#counters.delete(id));
    });
  }

  #startClient(life: Life, transport: Transport): void {
    for (let index = 0; index < INCREMENTS; index += 1) {
      const atMs = life.random.below(FAULT_SPAN_MS);
      life.clock.after(atMs, () => this.#ask(life, transport, `i${index}`));
    }
  }

  /** Asks some replica, then another one, until the increment is counted. */
  #ask(life: Life, transport: Transport, id: string): void {
    const replica = REPLICAS[life.random.below(REPLICAS.length)] ?? "";
    const message = { kind: "increment", body: encode(id) };
    transport.request(replica, message, ASK_TIMEOUT_MS, (answer) => {
      if (answer.kind === "reply") {
        this.#answered.add(id);
        this.#cluster.kernel.trace.add("*", "client", `${id} answered`);
      } else life.clock.after(50, () => this.#ask(life, transport, id));
    });
  }

  #firstLost(): string | null {
    this.#readDisks();
    const places = [
      ...this.#durable.values(),
      ...[...this.#counters.values()].map(({ ids }) => ids),
    ];
    for (const id of this.#answered) {
      if (!places.some((ids) => ids.has(id))) return `${id} was acknowledged, and nobody knows it`;
    }
    return null;
  }

  #firstOther(): string | null {
    const other = REPLICAS.find((id) => this.#counters.get(id)?.total !== INCREMENTS);
    return other === undefined ? null : `${other} does not show ${INCREMENTS}`;
  }

  #firstCountedTwice(): string | null {
    for (const [replica, { total, ids }] of this.#counters) {
      if (total !== ids.size) return `${replica} shows ${total} after ${ids.size} increments`;
    }
    return null;
  }

  #firstFalseBelief(): string | null {
    let versions = 0;
    for (const counter of this.#counters.values()) versions += counter.version;
    versions += this.#changes;
    if (versions === this.#versions) return null;
    this.#versions = versions;
    for (const [replica, counter] of this.#counters) {
      for (const [peer, durable] of this.#durable) {
        for (const id of counter.ids) {
          if (counter.believesHas(peer, id) && !durable.has(id)) {
            return `${replica} believes that ${peer} has ${id}`;
          }
        }
      }
    }
    return null;
  }

  #readDisks(): void {
    for (const [id, disk] of this.#disks) {
      if (this.#readVersions.get(id) === disk.version) continue;
      this.#readVersions.set(id, disk.version);
      this.#durable.set(id, new Set(durableIds(disk.content() ?? undefined)));
      this.#changes += 1;
    }
  }
}
