/**
 * The network between nodes. Each directed link has its own random numbers, forked from the seed by
 * the names of its ends, so what happens on one link does not change what is drawn for the others.
 *
 * A packet meets a wall (a cut link, a partition) when it is sent or when it arrives, and is lost
 * there. A clogged node neither sends nor receives: what arrives from it or for it is held back and
 * comes in a burst, in any order, when it is unclogged. What a node sends to itself is never lost,
 * late, cut or clogged.
 */
import type { Random } from "../../../base/seams/index.ts";
import type { AgentId, MessageKind } from "../../../base/transport/index.ts";
import { type Kernel, onGrid } from "../kernel/kernel.ts";
import { once, type Undo } from "../kernel/undo.ts";
import { CALM, type Conditions, drawFate, worse } from "./conditions.ts";

export interface Packet {
  readonly from: AgentId;
  readonly to: AgentId;
  readonly purpose: "request" | "broadcast" | "reply" | "unreachable";
  readonly kind: MessageKind;
  /** Names the request that this packet is, or answers; unique in the network. */
  readonly number: number;
  readonly body: Uint8Array;
}

/** Where packets for a node arrive. */
export interface Port {
  readonly self: AgentId;
  arrive(packet: Packet): void;
}

interface Link {
  readonly random: Random;
  /** When the last packet that keeps the order arrives. */
  lastAtMs: number;
}

type Wall = (from: AgentId, to: AgentId) => boolean;

const TO_ONESELF_MS = 0.0625;

export class SimNetwork {
  readonly #kernel: Kernel;
  readonly #usual: Conditions;
  readonly #ports = new Map<AgentId, Port>();
  readonly #links = new Map<string, Link>();
  readonly #walls = new Set<Wall>();
  readonly #clogs = new Map<AgentId, number>();
  readonly #disturbances = new Set<Partial<Conditions>>();
  #now: Conditions;
  #held: Packet[] = [];
  #packets = 0;
  readonly #sent = new Map<MessageKind, number>();

  constructor(kernel: Kernel, conditions: Partial<Conditions> = {}) {
    this.#kernel = kernel;
    this.#usual = { ...CALM, ...conditions };
    this.#now = this.#usual;
  }

  /** A number for a new request. */
  nextNumber(): number {
    this.#packets += 1;
    return this.#packets;
  }

  /** From now on packets for this node arrive here. Undone, nobody is there. */
  connect(port: Port): Undo {
    this.#ports.set(port.self, port);
    return () => {
      if (this.#ports.get(port.self) === port) this.#ports.delete(port.self);
    };
  }

  /** All connected nodes but one. */
  others(self: AgentId): AgentId[] {
    return [...this.#ports.keys()].filter((id) => id !== self);
  }

  /** How many packets were sent, by kind: requests, what was told to all, and replies. */
  get sent(): ReadonlyMap<MessageKind, number> {
    return this.#sent;
  }

  send(packet: Packet): void {
    this.#note(">", packet.from, packet);
    this.#sent.set(packet.kind, (this.#sent.get(packet.kind) ?? 0) + 1);
    if (packet.from === packet.to) {
      this.#kernel.schedule(TO_ONESELF_MS, () => this.#deliver(packet));
      return;
    }
    const link = this.#link(packet.from, packet.to);
    const fate = drawFate(link.random, this.#now);
    if (fate.isLost || this.#isCut(packet)) {
      this.#note("!", packet.from, packet);
      return;
    }
    this.#launch(link, packet, fate.delayMs, fate.mayOvertake);
    if (!fate.isDoubled) return;
    this.#note("=", packet.from, packet);
    this.#launch(link, packet, drawFate(link.random, this.#now).delayMs, true);
  }

  /** Tells the sender of a request, if the conditions allow, that nobody listens. */
  refuse(packet: Packet): void {
    this.#note("!", packet.to, packet);
    if (packet.purpose !== "request") return;
    if (this.#link(packet.to, packet.from).random.unit() >= this.#now.unreachableRatio) return;
    const { from, to, kind, number } = packet;
    this.send({ from: to, to: from, purpose: "unreachable", kind, number, body: NOTHING });
  }

  /** Loses everything that goes from one node to the other; the way back stays open. */
  cut(from: AgentId, to: AgentId): Undo {
    return this.#raise((a, b) => a === from && b === to, `cut ${from}>${to}`);
  }

  /** Loses everything between these nodes and all others, both ways. */
  partition(group: readonly AgentId[]): Undo {
    const inside = new Set(group);
    return this.#raise((a, b) => inside.has(a) !== inside.has(b), `partition ${group.join("+")}`);
  }

  /** Holds back everything to and from a node; a node clogged twice must be unclogged twice. */
  clog(node: AgentId): Undo {
    this.#clogs.set(node, (this.#clogs.get(node) ?? 0) + 1);
    this.#kernel.trace.add("n", node, "clogged");
    return once(() => this.#unclog(node));
  }

  /** Worsens the conditions; of several disturbances at once, the worst counts in each respect. */
  disturb(conditions: Partial<Conditions>): Undo {
    const own = { ...conditions };
    this.#disturbances.add(own);
    this.#judge("disturbed");
    return once(() => {
      this.#disturbances.delete(own);
      this.#judge("less disturbed");
    });
  }

  #judge(what: string): void {
    this.#now = [...this.#disturbances].reduce(worse, this.#usual);
    this.#kernel.trace.add("n", "-", what);
  }

  #raise(wall: Wall, what: string): Undo {
    this.#walls.add(wall);
    this.#kernel.trace.add("n", "-", what);
    return once(() => {
      this.#walls.delete(wall);
      this.#kernel.trace.add("n", "-", `healed: ${what}`);
    });
  }

  #unclog(node: AgentId): void {
    const left = (this.#clogs.get(node) ?? 0) - 1;
    if (left > 0) {
      this.#clogs.set(node, left);
      return;
    }
    this.#clogs.delete(node);
    this.#kernel.trace.add("n", node, "unclogged");
    const free = this.#held.filter((packet) => !this.#isClogged(packet));
    this.#held = this.#held.filter((packet) => this.#isClogged(packet));
    for (const packet of free) {
      const link = this.#link(packet.from, packet.to);
      this.#launch(link, packet, drawFate(link.random, CALM).delayMs, true);
    }
  }

  #launch(link: Link, packet: Packet, delayMs: number, mayOvertake: boolean): void {
    let atMs = onGrid(this.#kernel.nowMs + delayMs);
    if (!mayOvertake) {
      atMs = Math.max(atMs, link.lastAtMs);
      link.lastAtMs = atMs;
    }
    this.#kernel.scheduleAt(atMs, () => this.#arrive(packet));
  }

  #arrive(packet: Packet): void {
    if (this.#isClogged(packet)) {
      this.#note("~", packet.to, packet);
      this.#held.push(packet);
    } else if (this.#isCut(packet)) this.#note("!", packet.to, packet);
    else this.#deliver(packet);
  }

  #deliver(packet: Packet): void {
    const port = this.#ports.get(packet.to);
    if (port === undefined) this.refuse(packet);
    else port.arrive(packet);
  }

  #isCut(packet: Packet): boolean {
    for (const wall of this.#walls) if (wall(packet.from, packet.to)) return true;
    return false;
  }

  #isClogged(packet: Packet): boolean {
    return this.#clogs.size > 0 && (this.#clogs.has(packet.from) || this.#clogs.has(packet.to));
  }

  #link(from: AgentId, to: AgentId): Link {
    const name = `${from}>${to}`;
    let link = this.#links.get(name);
    if (link === undefined) {
      link = { random: this.#kernel.random.fork(`link/${name}`), lastAtMs: 0 };
      this.#links.set(name, link);
    }
    return link;
  }

  #note(sign: ">" | "<" | "=" | "!" | "~", who: AgentId, packet: Packet): void {
    const { trace } = this.#kernel;
    if (trace.isOn) trace.add(sign, who, describePacket(packet));
  }
}

/** `n1>n2 url request #17 120B`. */
export function describePacket(packet: Packet): string {
  const { from, to, kind, purpose, number, body } = packet;
  return `${from}>${to} ${kind} ${purpose} #${number} ${body.byteLength}B`;
}

const NOTHING = new Uint8Array(0);
