/**
 * The URLs of a web as nodes of its graph, and as plain numbers: a slot's own URL, another variant
 * of it, or either under the bare name of the domain. Pages of traps are not nodes: their number is
 * infinite, and they lead only to each other.
 */
import type { HostModel } from "../model/host-model.ts";
import { PLAIN, VARIANTS } from "../model/variant.ts";

export interface WebNode {
  readonly host: number;
  readonly slot: number;
  readonly variant: number;
  readonly isAlias: boolean;
}

export class NodeNumbers {
  readonly #hosts: HostModel;

  constructor(hosts: HostModel) {
    this.#hosts = hosts;
  }

  numberOf({ host, slot, variant, isAlias }: WebNode): number {
    return ((this.#hosts.offset(host) + slot) * VARIANTS + variant) * 2 + (isAlias ? 1 : 0);
  }

  nodeOf(number: number): WebNode {
    const isAlias = number % 2 === 1;
    const withVariant = Math.floor(number / 2);
    const variant = withVariant % VARIANTS;
    const ordinal = Math.floor(withVariant / VARIANTS);
    const host = this.#hosts.hostOfOrdinal(ordinal);
    return { host, slot: ordinal - this.#hosts.offset(host), variant, isAlias };
  }
}

/** The depth of what is not reached. */
export const FAR = 65_535;

/**
 * A number for every node: an array for slots, which are all there is in most webs, and a map for
 * the rest. Depths of ten million slots take twenty megabytes.
 */
export class NodeTable {
  readonly #slots: Uint16Array | Uint32Array;
  readonly #absent: number;
  readonly #others = new Map<number, number>();

  private constructor(slots: Uint16Array | Uint32Array, absent: number) {
    this.#slots = slots.fill(absent);
    this.#absent = absent;
  }

  /** All far. */
  static ofDepths(hosts: HostModel): NodeTable {
    return new NodeTable(new Uint16Array(hosts.pageCount), FAR);
  }

  /** All zero. */
  static ofCounts(hosts: HostModel): NodeTable {
    return new NodeTable(new Uint32Array(hosts.pageCount), 0);
  }

  get(number: number): number {
    if (isPlainSlot(number)) return this.#slots[number / (2 * VARIANTS)] ?? this.#absent;
    return this.#others.get(number) ?? this.#absent;
  }

  set(number: number, value: number): void {
    if (isPlainSlot(number)) this.#slots[number / (2 * VARIANTS)] = value;
    else this.#others.set(number, value);
  }

  /** The numbers of all nodes for which something was set. */
  *numbers(): Generator<number> {
    for (const [ordinal, value] of this.#slots.entries()) {
      if (value !== this.#absent) yield ordinal * 2 * VARIANTS;
    }
    yield* this.#others.keys();
  }
}

function isPlainSlot(number: number): boolean {
  return number % (2 * VARIANTS) === 2 * PLAIN;
}
