/** The machines of a simulated cluster: which take part, and how they start, die, lose disks and leave. */
import { type Kernel, SimCluster } from "../simulator/index.ts";
import type { ClusterWorld } from "./cluster-world.ts";
import { SimAgent } from "./sim-agent.ts";
import { SimMachine } from "./sim-machine.ts";

/** How often it is looked whether an agent has left of its own accord. */
const LOOK_MS = 100;
const BEGIN_AGAIN_MS = 1000;
/** So much of the time of the crawl no checkpoint knows: one is taken when something has changed. */
const UNSAVED_MS = 4000;
/** An agent that starts says nothing before it has listened for this long, to know that its id is free (B0). */
const QUIET_BEATS = 2.5;

export interface SimMachinesParts {
  readonly kernel: Kernel;
  readonly world: ClusterWorld;
  readonly network: ConstructorParameters<typeof SimCluster>[1];
  readonly count: number;
  /** An agent has left. */
  readonly left: (id: string) => void;
}

export class SimMachines {
  readonly cluster: SimCluster;
  readonly #parts: SimMachinesParts;
  readonly #machines = new Map<string, SimMachine>();
  readonly #booted = new Set<string>();
  /** Those that may leave of their own accord. */
  readonly #watched = new Set<SimMachine>();
  /** Since when all are down that know the time; null while one is up. */
  #stillSinceMs: number | null = null;
  #stoodStillMs = 0;

  constructor(parts: SimMachinesParts) {
    this.#parts = parts;
    const { kernel, network, count } = parts;
    this.cluster = new SimCluster(kernel, network);
    for (let number = 0; number < count; number += 1) {
      const id = `a${number}`;
      this.#machines.set(id, new SimMachine(id, kernel.random));
    }
  }

  get(id: string): SimMachine | undefined {
    return this.#machines.get(id);
  }

  all(): Iterable<SimMachine> {
    return this.#machines.values();
  }

  members(): readonly SimMachine[] {
    return [...this.all()].filter(({ isMember }) => isMember);
  }

  /** For how long the time of the crawl may have stood still, because all were down that know it. */
  get stoodStillMs(): number {
    const sinceMs = this.#stillSinceMs;
    return this.#stoodStillMs + (sinceMs === null ? 0 : this.#parts.kernel.nowMs - sinceMs);
  }

  /** Lets a machine take part that does not; false if it does. */
  start(machine: SimMachine): boolean {
    if (machine.isMember) return false;
    const { world } = this.#parts;
    machine.isMember = true;
    if (this.#booted.has(machine.id)) {
      this.cluster.node(machine.id).start();
      return true;
    }
    this.#booted.add(machine.id);
    this.cluster.add(machine.id, (life, transport) => {
      machine.agent = new SimAgent(world, life, transport, machine.disk);
      this.#lookWhoKeepsTime();
    });
    return true;
  }

  /** The process dies with the power, and with its disk if that is lost; it is back after a while. */
  takeDown(machine: SimMachine, durationMs: number, isDiskLost: boolean): boolean {
    if (!machine.isMember) return false;
    const { kernel, world } = this.#parts;
    const { id } = machine;
    const restart = this.cluster.takeDown(id);
    this.#markEstablished();
    world.died(id);
    machine.goesDown(kernel.nowMs, isDiskLost);
    this.#lookWhoKeepsTime();
    if (isDiskLost) world.lostDisk(id);
    else world.absences.isAway(id, this.#untilHeard(durationMs));
    kernel.schedule(durationMs, restart);
    return true;
  }

  /**
   * The last disk that has taken part in the crawl must not be lost: nothing could bring that back. One that
   * is about to leave does not count.
   */
  isDispensable(machine: SimMachine): boolean {
    this.#markEstablished();
    return this.members().some((one) => one !== machine && one.isEstablished && !one.isLeaving);
  }

  /** It hands over and goes, and comes back later, with another disk or with the one it had. */
  leave(machine: SimMachine, awayMs: number, isDiskNew: boolean): boolean {
    const { kernel, world } = this.#parts;
    const { agent } = machine;
    if (agent === null || !machine.isMember || !this.isDispensable(machine)) return false;
    machine.leaver = agent;
    agent.leave(() => {
      if (machine.agent !== agent) return;
      this.#goes(machine, isDiskNew);
      if (awayMs === 0) return;
      kernel.schedule(awayMs, () => this.start(machine));
      if (!isDiskNew) world.absences.isGone(machine.id, this.#untilHeard(awayMs));
    });
    return true;
  }

  /** Its disk has little room for a while; an agent that leaves because of that stays away. */
  fill(machine: SimMachine, durationMs: number, roomBytes: number): boolean {
    const { kernel, world } = this.#parts;
    if (!machine.isMember) return false;
    world.diskFilled(machine.id);
    kernel.schedule(durationMs, machine.fill(roomBytes));
    if (this.#watched.has(machine)) return true;
    this.#watched.add(machine);
    const look = (): void => {
      if (machine.agent?.hasLeft === true) this.#goes(machine, false);
      kernel.schedule(LOOK_MS, look);
    };
    look();
    return true;
  }

  /** There is no room to begin with: the process ends, and is started again. */
  beginAgain(id: string): void {
    const { kernel } = this.#parts;
    const machine = this.#machines.get(id);
    const agent = machine?.agent ?? null;
    kernel.schedule(0, () => {
      if (agent === null || machine?.agent !== agent) return;
      this.takeDown(machine, BEGIN_AGAIN_MS, false);
    });
  }

  /** From now until a process that starts after this time may be heard. */
  #untilHeard(awayMs: number): { readonly fromMs: number; readonly toMs: number } {
    const { kernel, world } = this.#parts;
    const { nowMs: fromMs } = kernel;
    return { fromMs, toMs: fromMs + awayMs + QUIET_BEATS * world.options.membership.heartbeatMs };
  }

  /** The agent has left. */
  #goes(machine: SimMachine, isDiskNew: boolean): void {
    const { kernel, world, left } = this.#parts;
    const { id } = machine;
    left(id);
    this.cluster.node(id).crash();
    world.died(id);
    machine.isMember = false;
    machine.goesDown(kernel.nowMs, isDiskNew);
    this.#lookWhoKeepsTime();
    if (isDiskNew) world.lostDisk(id);
  }

  /** Those who have not joined do not know how long the crawl has run. */
  #lookWhoKeepsTime(): void {
    const { kernel, world } = this.#parts;
    const members = this.members();
    const isFounded = members.some(({ isEstablished }) => isEstablished);
    const keepsTime = ({ id, isUp, isEstablished }: SimMachine): boolean =>
      isUp && (isFounded ? isEstablished : world.founds(id) !== null);
    if (members.some(keepsTime)) {
      this.#stoodStillMs = this.stoodStillMs;
      this.#stillSinceMs = null;
    } else if (this.#stillSinceMs === null) {
      this.#stillSinceMs = kernel.nowMs;
      this.#stoodStillMs += UNSAVED_MS;
    }
  }

  #markEstablished(): void {
    for (const one of this.members()) if (one.agent?.wasActive === true) one.isEstablished = true;
    this.#lookWhoKeepsTime();
  }
}
