/**
 * Nodes on one network, and what the standard faults do to them. Faults may overlap in any way:
 * a node that was taken down twice comes back when both faults are over, a link that was cut
 * twice is healed when both are.
 */
import assert from "node:assert/strict";
import type { AgentId, Transport } from "../../../base/transport/index.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Life } from "../kernel/life.ts";
import { once, type Undo } from "../kernel/undo.ts";
import type { Fault } from "../search/fault.ts";
import type { StandardFault } from "../search/standard-faults.ts";
import type { Conditions } from "./conditions.ts";
import { SimNetwork } from "./sim-network.ts";
import { SimNode } from "./sim-node.ts";
import { SimTransport } from "./sim-transport.ts";

/** Starts a node's program; called at every start with what that life offers. */
export type BootNode = (life: Life, transport: Transport) => void;

type Strike = (fault: Fault) => void;

export class SimCluster {
  readonly kernel: Kernel;
  readonly network: SimNetwork;
  readonly #nodes = new Map<AgentId, SimNode>();
  /** How many faults keep a node down, or a life paused. */
  readonly #downs = new Map<AgentId, number>();
  readonly #pauses = new Map<Life, number>();
  readonly #driftsPpm = new Map<AgentId, number>();
  readonly #strikes: Readonly<Partial<Record<StandardFault, Strike>>> = {
    crash: (fault) => this.#until(fault, this.#crash(fault)),
    zombie: (fault) => this.#until(fault, this.#pause(only(fault), "process")),
    sleep: (fault) => this.#until(fault, this.#pause(only(fault), "machine")),
    cut: (fault) => this.#until(fault, this.network.cut(...pair(fault))),
    "cut-both": (fault) => {
      const [one, other] = pair(fault);
      this.#until(fault, this.network.cut(one, other));
      this.#until(fault, this.network.cut(other, one));
    },
    partition: (fault) => this.#until(fault, this.network.partition(fault.nodes)),
    clog: (fault) => this.#clog(fault),
    noise: (fault) => this.#until(fault, this.network.disturb(fault.parameters)),
    "clock-jump": (fault) => this.node(only(fault)).jumpWall(fault.parameters["byMs"] ?? 0),
    drift: (fault) => this.#until(fault, this.#drift(fault)),
  };

  constructor(kernel: Kernel, conditions: Partial<Conditions> = {}) {
    this.kernel = kernel;
    this.network = new SimNetwork(kernel, conditions);
  }

  /** Adds a node and starts it. */
  add(id: AgentId, boot: BootNode): SimNode {
    assert(!this.#nodes.has(id), `there is a node ${id} already`);
    const node = new SimNode(this.kernel, id, (life) =>
      boot(life, new SimTransport(this.network, life, this.kernel.trace)),
    );
    this.#nodes.set(id, node);
    node.start();
    return node;
  }

  node(id: AgentId): SimNode {
    const node = this.#nodes.get(id);
    assert(node !== undefined, `there is no node ${id}`);
    return node;
  }

  get nodes(): SimNode[] {
    return [...this.#nodes.values()];
  }

  /** Strikes a fault of nodes, clocks or network; false when the kind is not one of those. */
  strike(fault: Fault): boolean {
    const strike = this.#strikes[fault.kind as StandardFault];
    strike?.(fault);
    return strike !== undefined;
  }

  /** Crashes a node and keeps it down until undone. */
  takeDown(id: AgentId): Undo {
    const node = this.node(id);
    node.crash();
    this.#downs.set(id, (this.#downs.get(id) ?? 0) + 1);
    return once(() => {
      const left = (this.#downs.get(id) ?? 0) - 1;
      this.#downs.set(id, left);
      if (left === 0) node.start();
    });
  }

  #crash(fault: Fault): Undo {
    const id = only(fault);
    const wakes = fault.parameters["afterWakes"] ?? 0;
    if (wakes === 0) return this.takeDown(id);
    let restart: Undo | null = null;
    const spare = this.node(id).life?.afterWakes(wakes, () => {
      restart = this.takeDown(id);
    });
    return () => {
      spare?.();
      restart?.();
    };
  }

  #pause(id: AgentId, what: "process" | "machine"): Undo {
    const node = this.node(id);
    const life = node.life;
    if (life === null) return () => {};
    node.pause(what);
    this.#pauses.set(life, (this.#pauses.get(life) ?? 0) + 1);
    return () => {
      const left = (this.#pauses.get(life) ?? 0) - 1;
      this.#pauses.set(life, left);
      if (left === 0 && node.life === life) node.resume();
    };
  }

  #drift(fault: Fault): Undo {
    const id = only(fault);
    const change = (byPpm: number): void => {
      const ppm = (this.#driftsPpm.get(id) ?? 0) + byPpm;
      this.#driftsPpm.set(id, ppm);
      this.node(id).drift(ppm);
    };
    const ppm = fault.parameters["ppm"] ?? 0;
    change(ppm);
    return () => change(-ppm);
  }

  #clog(fault: Fault): void {
    const undos = fault.nodes.map((node) => this.network.clog(node));
    undos.forEach((undo, index) => {
      this.kernel.schedule(clogMs(fault, index), undo);
    });
  }

  #until(fault: Fault, undo: Undo): void {
    this.kernel.schedule(fault.durationMs, undo);
  }
}

/** For how long the clog of a node lasts: they are unclogged one after the other, in the order named. */
export function clogMs({ nodes, durationMs }: Fault, index: number): number {
  return (durationMs * (index + 1)) / nodes.length;
}

function only(fault: Fault): AgentId {
  const [node] = fault.nodes;
  assert(node !== undefined && fault.nodes.length === 1, `${fault.kind} strikes one node`);
  return node;
}

function pair(fault: Fault): [from: AgentId, to: AgentId] {
  const [from, to] = fault.nodes;
  assert(from !== undefined && to !== undefined, `${fault.kind} strikes two nodes`);
  return [from, to];
}
