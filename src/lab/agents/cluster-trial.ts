/**
 * One trial of a cluster: agents that crawl a small web while faults strike, and judges of what must hold:
 * of every request (`visit-judge.ts`), of every page that is fetched again (`fetch-causes.ts`), and of the
 * end (`end-judge.ts`). They believe the web and the disks, never an agent.
 */
import type { LimitName } from "../../cluster/limits/index.ts";
import type { MembershipSettings } from "../../cluster/membership/index.ts";
import {
  type Conditions,
  clogMs,
  type Fault,
  type Kernel,
  type Trial,
} from "../simulator/index.ts";
import { ClusterWorld, type CrawlOptions } from "./cluster-world.ts";
import { EndJudge } from "./end-judge.ts";
import { type Cause, FetchCauses } from "./fetch-causes.ts";
import { LimitJudge } from "./limit-judge.ts";
import { QueryJudge } from "./query-judge.ts";
import { scramble } from "./scramble.ts";
import { PAGE_BYTES } from "./sim-lane.ts";
import type { SimMachine } from "./sim-machine.ts";
import { SimMachines } from "./sim-machines.ts";
import { WorkJudge } from "./work-judge.ts";

export interface ClusterTrialOptions extends Omit<CrawlOptions, "membership"> {
  readonly agents: number;
  /** Agents that are there, and not started. */
  readonly spares: number;
  readonly partition: "continue" | "fence";
  /** What an agent does whose disk is full; `wait` unless given. */
  readonly fullDisk?: "wait" | "leave";
  /** How many answers a takeover waits for; all unless given. With fewer, pages may be fetched in vain. */
  readonly recovery?: number | "all";
  readonly network: Partial<Conditions>;
  /** Whether the user adds the first seeds when all agents are active, or when one is. */
  readonly waitsForAll: boolean;
}

/** How often it is looked whether everything is done, and how soon a user asks again. */
const LOOK_MS = 100;
const ASK_AGAIN_MS = 2000;

const MEMBERSHIP: Omit<MembershipSettings, "partition" | "fullDisk" | "recovery"> = {
  ...{ heartbeatMs: 1000, suspectAfterMs: 3000, deadAfterMs: 6000, giveUpAfterMs: 10_000 },
  replicas: 20,
};

/** Silences come with late messages at both ends. */
const PATIENCE_MS = MEMBERSHIP.giveUpAfterMs - 3 * MEMBERSHIP.heartbeatMs;

export class ClusterTrial implements Trial {
  readonly always: Trial["always"];
  readonly atEnd: Trial["atEnd"];
  readonly world: ClusterWorld;
  readonly end: EndJudge;
  readonly causes: FetchCauses;
  readonly limit: LimitJudge;
  readonly queries: QueryJudge;
  readonly #kernel: Kernel;
  readonly #machines: SimMachines;
  readonly #forgotten = new Set<string>();
  /** Seeds that nobody has answered for yet. */
  readonly #open = new Set<string>();
  readonly #early: string[] = [];
  readonly #work = new WorkJudge();
  #lookAtMs = 0;
  #struck = 0;
  /** What was left to be done when everything seemed to be over. */
  #pending: string | null = null;

  constructor(kernel: Kernel, options: ClusterTrialOptions) {
    const { agents, spares, partition, network, fullDisk = "wait", recovery = "all" } = options;
    this.#kernel = kernel;
    this.world = new ClusterWorld(
      kernel,
      { ...options, membership: { ...MEMBERSHIP, partition, fullDisk, recovery } },
      {
        pageAgain: (visit, before) => this.causes.add(visit, before),
        couldNotBegin: (id) => this.#machines.beginAgain(id),
        finished: (id, limit) => this.#finished(id, limit),
      },
    );
    const { world } = this;
    this.#machines = new SimMachines({
      ...{ kernel, world, network, count: agents + spares },
      left: (id) => this.#left(id),
    });
    this.causes = new FetchCauses({
      machines: () => this.#machines.all(),
      ...{ absences: world.absences, patienceMs: PATIENCE_MS },
      diskOf: (id) => world.diskOf(id),
      wasForgotten: (id) => this.#forgotten.has(id),
      hasLostDisk: () => world.disksLost > 0,
    });
    this.end = new EndJudge(world, this.#machines);
    this.limit = new LimitJudge({
      ...{ options, pageBytes: PAGE_BYTES, nowMs: () => kernel.nowMs },
      ...{ underWayMax: () => world.underWayMax, stoodStillMs: () => this.#machines.stoodStillMs },
      ...{ beganAtMs: () => world.beganAtMs, lastVisitAtMs: () => world.lastVisitAtMs },
      machines: () => this.#machines.all(),
      members: () => this.#machines.members(),
      hasLostDisk: () => world.disksLost > 0,
      due: () => this.end.due().size,
    });
    this.queries = new QueryJudge({
      random: kernel.random.fork("queries"),
      members: () => this.#machines.members(),
    });
    this.always = {
      troubles: () => world.troubles[0] ?? null,
      politeness: () => world.visits.rudeness[0] ?? null,
      avoidable: () => (recovery === "all" ? (this.causes.avoidable[0] ?? null) : null),
      "work counters": () => this.#work.look(this.#machines.members()),
      "early end": () => this.#early[0] ?? null,
      limit: () => this.limit.excess(),
    };
    this.atEnd = {
      coverage: () => (this.#isLimited ? null : this.end.coverage()),
      limit: () => this.limit.atEnd(),
      excess: () => this.end.excess(),
      copies: () => this.end.copies(),
      seeds: () => this.end.seeds(),
      views: () => this.end.views(),
      pending: () => this.#pending,
      queries: () => this.queries.verdict(),
    };
    for (const machine of [...this.#machines.all()].slice(0, agents)) this.#machines.start(machine);
    for (const seed of world.web.seeds) this.#open.add(seed);
    kernel.schedule(1, () => this.#begin(options.waitsForAll ? agents : 1));
  }

  /** The machines that take part. */
  get members(): ReturnType<SimMachines["members"]> {
    return this.#machines.members();
  }

  /** How many messages were sent, by kind. */
  get messages(): ReadonlyMap<string, number> {
    return this.#machines.cluster.network.sent;
  }

  /** Pages that were fetched again, by cause. */
  get extraFetches(): ReadonlyMap<Cause, number> {
    return this.causes.counts;
  }

  strike(fault: Fault): void {
    const [id = "a0"] = fault.nodes;
    const machine = this.#machines.get(id);
    if (machine === undefined) return;
    const strike = this.#strikes[fault.kind];
    if (strike === undefined) {
      this.#machines.cluster.strike(fault);
      this.#part(fault);
      this.#struck += 1;
    } else if (strike(machine, fault)) this.#struck += 1;
  }

  /** How many faults have changed anything: nobody joins who is there, and the last disk is not lost. */
  get struck(): number {
    return this.#struck;
  }

  isDone(): boolean {
    // Asked after every event.
    if (this.#kernel.nowMs < this.#lookAtMs) return false;
    this.#lookAtMs = this.#kernel.nowMs + LOOK_MS;
    const members = this.#machines.members();
    if (this.#open.size > 0 || members.length === 0) return false;
    const isOver = members.every(({ agent }) => agent?.isFinished === true);
    const isAgreed = isOver && this.end.views() === null && !this.end.hasDead();
    if (isAgreed && this.queries.begin()) {
      this.#pending = this.end.pending(this.#isLimited);
    }
    return this.queries.isAnswered();
  }

  describe(): string {
    return this.#machines
      .members()
      .map(({ id, agent }) => agent?.describe ?? `${id} is down`)
      .join("\n");
  }

  readonly #strikes: Readonly<Record<string, (machine: SimMachine, fault: Fault) => boolean>> = {
    join: (machine) => this.#machines.start(machine),
    crash: (machine, { durationMs }) => this.#machines.takeDown(machine, durationMs, false),
    wipe: (_first, { nodes, durationMs }) =>
      nodes.filter((id) => this.#wipe(this.#machines.get(id), durationMs)).length > 0,
    leave: (machine, { durationMs, parameters }) =>
      this.#machines.leave(machine, durationMs, parameters["isDiskNew"] === 1),
    seed: (machine, { parameters }) => this.#seedLate(machine, parameters["number"] ?? 0),
    scramble: (_first, { durationMs, parameters }) =>
      this.#scramble(durationMs, parameters["isDeep"] === 1),
    forget: (machine) => this.#forget(machine.id),
    "disk-full": (machine, { durationMs, parameters }) =>
      this.#machines.fill(machine, durationMs, parameters["roomBytes"] ?? 0),
    robots: (_none, { durationMs, parameters }) =>
      this.world.takeRobotsAway(parameters["third"] ?? 0, durationMs),
    web: (_none, { durationMs, parameters: { third = 0, status = 0 } }) =>
      this.world.takePagesAway(third, status, durationMs),
  };

  #wipe(machine: SimMachine | undefined, durationMs: number): boolean {
    if (machine === undefined || !this.#machines.isDispensable(machine)) return false;
    return this.#machines.takeDown(machine, durationMs, true);
  }

  /** Faults before it have made disks differ; from here on nothing strikes. */
  #scramble(durationMs: number, isDeep: boolean): boolean {
    const { nowMs: fromMs } = this.#kernel;
    const { absences, troubles } = this.world;
    const members = this.#machines.members();
    const pages = members.flatMap((machine) => [...machine.pages()]);
    const held = members.map(({ id, agent }) => ({
      place: agent?.node?.view.self ?? { id, generation: 0 },
      urls: new Set([...(this.#machines.get(id)?.pages() ?? [])].map(({ url }) => url)),
    }));
    const known = held.filter(({ place }) => place.generation > 0);
    const span = { fromMs, toMs: fromMs + durationMs };
    absences.isolate(
      members.map(({ id }) => id),
      span,
    );
    for (const machine of members) {
      this.#machines.takeDown(machine, durationMs, false);
      const failed = (error: Error): void => {
        troubles.push(`scrambling ${machine.id}: ${error.message}`);
      };
      scramble(machine, {
        kernel: this.#kernel,
        web: this.world.web,
        pages,
        held: known,
        failed,
        isDeep,
      });
    }
    return members.length > 0;
  }

  #begin(agents: number): void {
    const active = this.#machines.members().filter(({ agent }) => agent?.node?.mayFetch === true);
    if (active.length >= agents) this.#ask(this.world.web.seeds);
    else this.#kernel.schedule(LOOK_MS, () => this.#begin(agents));
  }

  /** A user adds a seed at some agent, and asks again, elsewhere, if nobody answers. */
  #seedLate(machine: SimMachine, number: number): boolean {
    const seed = this.world.web.lateSeeds[number];
    if (seed === undefined || this.end.isAccepted(seed) || this.#open.has(seed)) return false;
    this.#open.add(seed);
    this.#ask([seed], machine);
    return true;
  }

  #ask(seeds: readonly string[], machine?: SimMachine): void {
    const isReady = (one: SimMachine): boolean => one.agent?.node?.mayFetch === true;
    const ready =
      machine !== undefined && isReady(machine) ? machine : this.#machines.members().find(isReady);
    if (ready !== undefined) for (const seed of seeds) this.end.asked(seed);
    ready?.agent?.addSeeds(seeds, (holders) => {
      for (const seed of seeds) {
        if (!this.#open.delete(seed)) continue;
        const wrong = this.end.accepted(seed, holders);
        if (wrong !== null) this.world.troubles.push(wrong);
      }
    });
    this.#kernel.schedule(ASK_AGAIN_MS, () => {
      const open = seeds.filter((seed) => this.#open.has(seed));
      if (open.length > 0) this.#ask(open);
    });
  }

  /** A user gives up an agent by command, at the first agent that is there. */
  #forget(id: string): boolean {
    const asked = this.#machines
      .members()
      .find((one) => one.id !== id && one.agent?.node?.mayFetch === true);
    if (asked === undefined) return false;
    // If it is there, that is refused.
    if (this.#machines.get(id)?.isUp !== true) this.#forgotten.add(id);
    asked.agent?.node?.membership.forget(id, () => undefined);
    return true;
  }

  /** Whether the crawl need not have every page. */
  get #isLimited(): boolean {
    return this.world.options.pagesPerHostMax !== null || this.limit.isReached;
  }

  #finished(id: string, limit: LimitName | null): void {
    this.limit.finished(id, limit);
    const hasLeft = limit !== null || this.world.options.pagesPerHostMax !== null;
    const wrong = hasLeft ? null : this.end.early(id, this.#kernel.nowMs);
    if (wrong !== null) this.#early.push(wrong);
  }

  /** What is on its way between this one and another that was given up stays on its way. */
  #left(id: string): void {
    const { absences } = this.world;
    const { nowMs } = this.#kernel;
    const mayBeGivenUp = (other: string): boolean =>
      absences.wasGivenUp(other, nowMs, PATIENCE_MS) ||
      absences.areStrange(id, other, nowMs, PATIENCE_MS);
    const others = [...this.#machines.all()].filter((one) => one.isMember && one.id !== id);
    if (others.some((other) => mayBeGivenUp(other.id))) this.limit.leftUnheard();
  }

  /** Those that cannot hear each other may visit one host at once, until they have agreed again. */
  #part(fault: Fault): void {
    const { kind, nodes, durationMs } = fault;
    const { nowMs: fromMs } = this.#kernel;
    const { absences } = this.world;
    const span = { fromMs, toMs: fromMs + durationMs };
    if (kind === "partition") absences.partGroup(nodes, span);
    else if (kind === "cut" || kind === "cut-both") absences.partPair(nodes, span);
    else if (kind === "clog") {
      nodes.forEach((id, index) => {
        absences.isolate([id], { fromMs, toMs: fromMs + clogMs(fault, index) });
      });
    } else if (kind === "zombie" || kind === "sleep") {
      for (const id of nodes) absences.isStopped(id, span);
    }
  }
}
