/**
 * One trial of memberships alone: agents come, go, die, sleep and are cut off, while a judge that sees all
 * of them looks whether two would visit one host at once, and whether they agree in the end.
 */
import type { Random } from "../../src/base/seams/index.ts";
import type { ClusterConfiguration } from "../../src/cluster/membership/shared/shared-configuration.ts";
import type { Place } from "../../src/cluster/messages/index.ts";
import { strikeNewcomers } from "../../src/lab/agents/index.ts";
import {
  type Fault,
  type Kernel,
  planFaults,
  type Schedule,
  STANDARD_FAULTS,
  type Trial,
} from "../../src/lab/simulator/index.ts";
import {
  HOSTS,
  type MemberMachine,
  type MemberProcess,
  Members,
} from "../support/cluster/members.ts";

const AGENTS = 4;
const SPARES = 2;
const NODES: readonly string[] = Array.from({ length: AGENTS }, (_, n) => `a${n}`);

export type Policy = "continue" | "fence";

/** All kinds of faults, and of what people do. */
export const MEMBERSHIP_FAULTS: readonly string[] = [
  ...["join", "leave", "crash", "wipe", "zombie", "sleep", "cut", "cut-both", "partition", "clog"],
  ...["noise", "drift", "clock-jump", "disk-full", "twin", "forget", "seed", "configure"],
];

/** Faults in which agents may have different opinions of who is there, and how long afterwards. */
const APART: ReadonlySet<string> = new Set([
  ...["partition", "cut", "cut-both", "zombie", "sleep", "clog", "noise"],
]);
const HEALING_MS = 8000;

export function planMembershipFaults(
  random: Random,
  kinds: readonly string[] = MEMBERSHIP_FAULTS,
  faultsMax = 8,
): Schedule {
  const some: Parameters<typeof planFaults>[1]["kinds"][string] = (draw) => {
    const durations = [500, 4000, 9000, 25_000];
    const durationMs = durations[draw.random.below(durations.length)] ?? 500;
    return { nodes: [nodeOf(draw.random)], durationMs, parameters: {} };
  };
  const spare: typeof some = (draw) => {
    const nodes = [`a${AGENTS + draw.random.below(SPARES)}`];
    return { nodes, durationMs: 0, parameters: {} };
  };
  const command: typeof some = (draw) => {
    const nodes = [nodeOf(draw.random), nodeOf(draw.random)];
    return { nodes, durationMs: 0, parameters: {} };
  };
  const own = {
    ...{ crash: some, wipe: some, join: spare, leave: command, twin: command },
    ...{ forget: command, seed: command, configure: command },
  };
  const all: typeof STANDARD_FAULTS & typeof own = { ...STANDARD_FAULTS, ...own };
  return planFaults(random, {
    kinds: Object.fromEntries(kinds.map((kind) => [kind, all[kind as keyof typeof all]])),
    ...{ nodes: NODES, fromMs: 0, untilMs: 22_000, durationMsMax: 25_000 },
    budget: { faultsMax, kindMax: { leave: 2, twin: 2 } },
  });
}

/** The same while all spares join, and are struck like the others. */
export function planNewcomerFaults(random: Random): Schedule {
  const spares = Array.from({ length: SPARES }, (_, n) => `a${AGENTS + n}`);
  return strikeNewcomers(random.fork("newcomers"), spares, planMembershipFaults(random));
}

function nodeOf(random: Random): string {
  return NODES[random.below(NODES.length)] ?? "a0";
}

export class MembershipTrial implements Trial {
  readonly always: Trial["always"];
  readonly atEnd: Trial["atEnd"];
  readonly #kernel: Kernel;
  readonly #members: Members;
  readonly #policy: Policy;
  #apartUntilMs = 0;
  /** What was wrong at some moment. */
  #wrong: string | null = null;
  /** Commands that were not answered, by a process that lives. */
  readonly #asked = new Set<{ readonly by: MemberProcess; readonly what: string }>();
  readonly #seeds = new Set<string>();
  readonly #gone = new Set<string>();
  /** The latest incarnation of each place. */
  readonly #incarnations = new Map<string, number>();
  readonly #established = new Set<MemberMachine>();
  /** Agents that have lost a disk, and were not active since. */
  readonly #voteless = new Set<string>();
  /** When a process of an agent was last taken down. */
  readonly #downAtMs = new Map<string, number>();
  /** Agents that were asked to leave. */
  readonly #leavers = new Set<string>();
  #twins = 0;
  #numbers = 0;
  #lookAtMs = 0;

  constructor(kernel: Kernel, policy: Policy) {
    this.#kernel = kernel;
    this.#policy = policy;
    const random = kernel.random.fork("trial");
    const fullDisk = random.below(2) === 0 ? "wait" : "leave";
    this.#members = new Members({
      ...{ kernel, settings: { partition: policy, fullDisk }, expect: 1 + random.below(AGENTS) },
      conditions: { lossRatio: 0.02, duplicateRatio: 0.02, lateRatio: 0.03, lateMsMax: 1500 },
    });
    this.#members.refused = (process) => this.#refused(process);
    this.#members.left = ({ life }) => kernel.schedule(0, () => this.#end(life));
    for (const id of NODES) this.#members.start(id);
    this.always = {
      exclusive: () => this.#shared() ?? this.#wrong,
    };
    this.atEnd = {
      seeds: () => this.#lostSeeds(),
      configuration: () => this.#differing(),
      incarnations: () => this.#wrong,
    };
  }

  strike(fault: Fault): void {
    const [name = "a0", other = "a0"] = fault.nodes;
    const machine = this.#members.machines.get(name);
    if (APART.has(fault.kind)) this.#part(fault.durationMs);
    switch (fault.kind) {
      case "join":
        if (machine === undefined) this.#members.start(name);
        break;
      case "crash":
      case "wipe":
        this.#down(name, fault.durationMs, fault.kind === "wipe");
        break;
      case "leave":
        if (machine !== undefined) this.#leave(machine);
        break;
      case "disk-full":
        if (machine !== undefined) this.#fill(machine, fault.durationMs);
        break;
      case "twin":
        this.#twin(name);
        break;
      case "forget":
        this.#forget(name, other);
        break;
      case "seed":
        this.#seed(name);
        break;
      case "configure":
        this.#configure(name);
        break;
      default:
        this.#members.cluster.strike(fault);
    }
  }

  isDone(): boolean {
    if (this.#kernel.nowMs < this.#lookAtMs) return false;
    this.#lookAtMs = this.#kernel.nowMs + 100;
    const { processes, areSettled } = this.#members;
    const version = JSON.stringify(processes[0]?.membership.configuration?.version);
    const isIdle = processes.every(
      ({ membership: { openRequests, isTakingOver, view, configuration } }) =>
        openRequests === 0 &&
        !isTakingOver &&
        view.onProbation === 0 &&
        JSON.stringify(configuration?.version) === version,
    );
    const isAnswered = [...this.#asked].every(({ by }) => by.life.hasEnded);
    const ids = new Set(processes.map(({ id }) => id));
    const areAlone = ids.size === processes.length;
    return areSettled && isIdle && isAnswered && areAlone && this.#isEverybodyThere(ids);
  }

  describe(): string {
    const asked = [...this.#asked].map(({ by, what }) => `${by.id}: ${what}`);
    return [this.#members.describe(), ...asked].join("\n");
  }

  /** Nobody is locked out: all who have neither left nor are down take part. */
  #isEverybodyThere(ids: ReadonlySet<string>): boolean {
    return [...this.#members.machines.values()].every(
      ({ name, id }) => this.#gone.has(name) || ids.has(id),
    );
  }

  #part(durationMs: number): void {
    const untilMs = this.#kernel.nowMs + durationMs + HEALING_MS;
    this.#apartUntilMs = Math.max(this.#apartUntilMs, untilMs);
  }

  get #isApart(): boolean {
    return this.#kernel.nowMs <= this.#apartUntilMs;
  }

  /** A host that two would visit now. */
  #shared(): string | null {
    const { processes } = this.#members;
    let all = 0;
    for (const process of processes) {
      this.#watch(process);
      const { visits } = process;
      const twice = all & visits;
      if (twice !== 0 && (this.#policy === "fence" || !this.#isApart)) {
        const host = HOSTS[31 - Math.clz32(twice)];
        const who = processes.filter((one) => (one.visits & twice) !== 0);
        return `${host} belongs to ${who.map(({ id }) => id).join(" and ")}`;
      }
      all |= visits;
    }
    return null;
  }

  /** An incarnation only grows, and is on the disk before it is used (D1). */
  #watch({ life, membership }: MemberProcess): void {
    const { state, view } = membership;
    if (life.hasEnded || (state !== "joining" && state !== "active" && state !== "leaving")) return;
    if (state === "active") {
      const machine = this.#members.machine(life.nodeId);
      this.#established.add(machine);
      this.#voteless.delete(machine.id);
    }
    const [own] = view.members();
    if (own === undefined) return;
    const place = `${own.place.id}.${own.place.generation}`;
    const known = this.#incarnations.get(place) ?? 0;
    if (own.incarnation === known) return;
    this.#incarnations.set(place, own.incarnation);
    const machine = this.#members.machine(life.nodeId);
    const text = new TextDecoder().decode(
      machine.disk.contentOf("cluster/members") ?? new Uint8Array(),
    );
    const saved = text === "" ? 0 : Number(JSON.parse(text).incarnation);
    if (own.incarnation < known) this.#wrong = `${place} lives in ${own.incarnation} again`;
    if (saved < own.incarnation) this.#wrong = `${place}/${own.incarnation} is not durable`;
  }

  #down(name: string, durationMs: number, isLost: boolean): void {
    const machine = this.#members.machines.get(name);
    if (machine === undefined || this.#gone.has(name)) return;
    if (isLost && !this.#isDispensable(machine)) return;
    this.#downAtMs.set(machine.id, this.#kernel.nowMs);
    if (isLost) {
      this.#established.delete(machine);
      this.#voteless.add(machine.id);
    }
    this.#kernel.schedule(durationMs, this.#members.stop(name, isLost));
  }

  /** Some disk that has taken part in the crawl is left, and if there are votes, more than half of them. */
  #isDispensable(machine: MemberMachine): boolean {
    const isLast = this.#established.has(machine)
      ? this.#othersThan(machine).length === 0
      : machine.founds !== null;
    if (isLast || this.#policy === "continue") return !isLast;
    const electors = this.#electors;
    const ids = electors.length > 0 ? electors.map(({ id }) => id) : NODES;
    const left = ids.filter(
      (id) => id !== machine.id && !this.#voteless.has(id) && !this.#leavers.has(id),
    );
    return 2 * left.length > ids.length;
  }

  /** Those who have taken part in the crawl, and still do. */
  #othersThan(machine: MemberMachine): readonly MemberMachine[] {
    const isThere = (one: MemberMachine): boolean => one !== machine && !this.#gone.has(one.name);
    return [...this.#established].filter(isThere);
  }

  /** Who has a vote, by the latest configuration that anybody has. */
  get #electors(): readonly Place[] {
    const known = this.#members.processes.map(({ membership }) => membership.configuration);
    const founded = known.filter((one) => one !== null) as ClusterConfiguration[];
    const latest = founded.toSorted((one, other) => other.version.number - one.version.number)[0];
    return latest?.electors ?? [];
  }

  #leave(machine: MemberMachine): void {
    const { process } = machine;
    if (process === null || this.#othersThan(machine).length < 2) return;
    if (!this.#isDispensable(machine)) return;
    this.#leavers.add(machine.id);
    process.membership.leave(() => undefined);
  }

  /** This machine takes part no more. */
  #end({ nodeId, hasEnded }: MemberProcess["life"]): void {
    if (hasEnded) return;
    this.#gone.add(nodeId);
    this.#members.stop(nodeId);
  }

  #fill(machine: MemberMachine, durationMs: number): void {
    const { disk } = machine;
    if (this.#members.settings.fullDisk === "leave") {
      if (!this.#isDispensable(machine)) return;
      this.#leavers.add(machine.id);
    }
    disk.capacityBytes = 0;
    const set = (isFull: boolean): void => {
      const { process } = machine;
      if (process === null || process.life.isPaused) return;
      process.membership.setFull(isFull);
    };
    set(true);
    this.#kernel.schedule(durationMs, () => {
      disk.capacityBytes = 2 ** 40;
      if (machine.disk === disk) set(false);
    });
  }

  /** Somebody starts a second process with the id of the first. */
  #twin(name: string): void {
    const machine = this.#members.machines.get(name);
    if (machine === undefined || this.#gone.has(name) || !this.#isDispensable(machine)) return;
    this.#twins += 1;
    this.#members.start(machine.id, { name: `${name}x${this.#twins}` });
  }

  /** One of two that have the same id ends; a person starts it no more. */
  #refused(process: MemberProcess): void {
    const others = this.#members.processes.filter(
      (one) => one !== process && one.id === process.id,
    );
    const downMs = this.#kernel.nowMs - (this.#downAtMs.get(process.id) ?? 0);
    // The one that has the id may have died while it was asked for.
    if (others.length === 0 && !this.#isApart && downMs > HEALING_MS) {
      this.#wrong = `${process.id} was refused, and nobody else has this id`;
    }
  }

  #forget(name: string, other: string): void {
    const by = this.#members.machines.get(name)?.process ?? null;
    if (by === null || name === other) return;
    const done = this.#ask(by, `forget ${other}`);
    by.membership.forget(other, (...[error]) => {
      done();
      const process = this.#members.machines.get(other)?.process ?? null;
      if (error !== null || process === null || this.#isApart) return;
      if (process.membership.state === "active" && !this.#gone.has(other)) {
        this.#wrong = `${other} is there, and was forgotten`;
      }
    });
  }

  #seed(name: string): void {
    const by = this.#members.machines.get(name)?.process ?? null;
    if (by === null) return;
    this.#numbers += 1;
    const seed = `http://s${this.#numbers}.test/`;
    const done = this.#ask(by, `add ${seed}`);
    by.membership.addSeeds([seed], (heldBy) => {
      done();
      this.#seeds.add(seed);
      this.#accept(by, seed, heldBy);
    });
  }

  /** Every member of the view that accepts a seed holds it (S1). */
  #accept(by: MemberProcess, seed: string, heldBy: number): void {
    const members = [...by.membership.view.members()];
    const inRing = members.filter(({ isInRing, standing }) => isInRing && standing !== "dead");
    const lacking = inRing.filter(({ place: { id, generation } }) =>
      this.#members.processes.some(
        (one) =>
          one.id === id &&
          one.membership.view.self.generation === generation &&
          // One that has just started reads its seeds later.
          one.membership.state !== "asking" &&
          !one.seeds.has(seed),
      ),
    );
    if (lacking.length > 0)
      this.#wrong = `${lacking[0]?.place.id} lacks ${seed}, held by ${heldBy}`;
  }

  #configure(name: string): void {
    const by = this.#members.machines.get(name)?.process ?? null;
    if (by === null) return;
    this.#numbers += 1;
    by.membership.setConfiguration(`text ${this.#numbers}`, this.#ask(by, "configure"));
  }

  #ask(by: MemberProcess, what: string): () => void {
    const asked = { by, what };
    this.#asked.add(asked);
    return () => this.#asked.delete(asked);
  }

  /** Seeds that one agent holds and another does not. */
  #lostSeeds(): string | null {
    const { processes } = this.#members;
    for (const seed of new Set(processes.flatMap(({ seeds }) => [...seeds]))) {
      const lacking = processes.find(({ seeds }) => !seeds.has(seed));
      if (lacking !== undefined) return `${lacking.id} lacks ${seed}`;
    }
    return null;
  }

  #differing(): string | null {
    const texts = this.#members.processes.map(({ membership }) => {
      const { version, text } = membership.configuration ?? {};
      return `${version?.number} by ${version?.by}: ${text}`;
    });
    return new Set(texts).size > 1 ? texts.join(" ") : null;
  }
}
