/**
 * A connector inside one thread: it passes references. Items wait in *lines*: usually one for all
 * consumers, first in, first out or by priority; a tee has a line for each consumer, and every item
 * goes into all of them, so the slowest consumer holds the producers up.
 *
 * Invariant: no line is longer than `capacity`, unless another connector handed more over.
 */
import type { ItemLife, ItemType } from "../items/index.ts";
import type { Connector, Inlet, ItemsByConsumer, Outlet } from "./connector.ts";
import { Intake } from "./intake.ts";
import { ItemRing } from "./item-ring.ts";
import { Turnstile } from "./turnstile.ts";

/** Where items wait, in the order in which they will be taken. */
export interface Line<Item> {
  readonly length: number;
  push(item: Item): void;
  shift(): Item | undefined;
}

export interface ConnectorOptions<Item> {
  /** Items inside at most, from 1. */
  readonly capacity: number;
  /** First in, first out unless given. */
  readonly openLine?: () => Line<Item>;
  /** Whether every consumer gets every item; each item goes to one consumer unless it is set. */
  readonly isTee?: boolean;
}

/** A line, and who waits for items in it. */
interface Branch<Item> {
  readonly line: Line<Item>;
  readonly consumers: Turnstile;
  outletsOpen: number;
}

export class LocalConnector<Item> implements Connector<Item> {
  readonly type: ItemType<Item>;
  readonly capacity: number;
  readonly #openLine: () => Line<Item>;
  readonly isTee: boolean;
  readonly #branches = new Map<string, Branch<Item>>();
  readonly #intake: Intake<Item>;

  constructor(type: ItemType<Item>, options: ConnectorOptions<Item>) {
    const { capacity, openLine = () => new ItemRing<Item>(), isTee = false } = options;
    this.type = type;
    this.capacity = capacity;
    this.#openLine = openLine;
    this.isTee = isTee;
    this.#intake = new Intake({
      capacity,
      free: () => capacity - this.length,
      accept: (block) => this.#accept(block),
      closed: () => this.#close(),
    });
    // Producers may come before consumers; without a tee their items wait for the first.
    if (!isTee) this.#branch("");
  }

  get length(): number {
    let longest = 0;
    for (const { line } of this.#branches.values()) longest = Math.max(longest, line.length);
    return longest;
  }

  get isClosed(): boolean {
    return this.#intake.isClosed;
  }

  openInlet(): Inlet<Item> {
    return this.#intake.openInlet();
  }

  openOutlet(consumer: string): Outlet<Item> {
    const branch = this.#branch(this.isTee ? consumer : "");
    branch.outletsOpen += 1;
    return new LocalOutlet(this, branch);
  }

  handOver(): ItemsByConsumer<Item> {
    return new Map(Array.from(this.#branches, ([consumer, { line }]) => [consumer, emptied(line)]));
  }

  takeOver(items: ItemsByConsumer<Item>): void {
    for (const [consumer, waiting] of items) {
      const { line } = this.#branch(consumer);
      for (const item of waiting) line.push(item);
    }
  }

  /** For its outlets: items were taken. */
  taken(): void {
    this.#intake.admit();
  }

  /** For its outlets. */
  closeOutlet(outlet: object, branch: Branch<Item>): void {
    branch.outletsOpen -= 1;
    branch.consumers.leave(outlet);
    // What it was woken for is left to the others.
    branch.consumers.wake(branch.line.length);
    if (!this.isTee || branch.outletsOpen > 0) return;
    // A consumer that has gone holds nobody up.
    for (const [consumer, one] of this.#branches) {
      if (one === branch) this.#branches.delete(consumer);
    }
    for (const item of emptied(branch.line)) this.type.life?.lost(item, null);
    this.#intake.admit();
  }

  #branch(consumer: string): Branch<Item> {
    const known = this.#branches.get(consumer);
    if (known !== undefined) return known;
    const branch = { line: this.#openLine(), consumers: new Turnstile(), outletsOpen: 0 };
    this.#branches.set(consumer, branch);
    return branch;
  }

  #accept(block: readonly Item[]): void {
    if (this.isTee && this.type.life !== null) this.#share(block, this.type.life);
    for (const { line, consumers } of this.#branches.values()) {
      for (const item of block) line.push(item);
      if (consumers.hasWaiting) consumers.wake(block.length);
    }
  }

  #share(block: readonly Item[], life: ItemLife<Item>): void {
    for (const item of block) life.shared(item, this.#branches.size);
  }

  #close(): void {
    for (const { consumers } of this.#branches.values()) consumers.wake(Number.POSITIVE_INFINITY);
  }
}

class LocalOutlet<Item> implements Outlet<Item> {
  readonly #connector: LocalConnector<Item>;
  readonly #branch: Branch<Item>;
  #isOpen = true;

  constructor(connector: LocalConnector<Item>, branch: Branch<Item>) {
    this.#connector = connector;
    this.#branch = branch;
  }

  get length(): number {
    return this.#branch.line.length;
  }

  get isDrained(): boolean {
    return this.#connector.isClosed && this.#branch.line.length === 0;
  }

  tryTake(): Item | undefined {
    const item = this.#branch.line.shift();
    if (item !== undefined) this.#connector.taken();
    return item;
  }

  takeInto(into: Item[], countMax: number): number {
    const { line } = this.#branch;
    const count = Math.min(countMax, line.length);
    for (let taken = 0; taken < count; taken += 1) into.push(line.shift() as Item);
    if (count > 0) this.#connector.taken();
    return count;
  }

  whenItems(listener: () => void): void {
    const { line, consumers } = this.#branch;
    if (line.length > 0 || this.#connector.isClosed) listener();
    else consumers.wait(this, 1, listener);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#connector.closeOutlet(this, this.#branch);
  }
}

function emptied<Item>(line: Line<Item>): Item[] {
  const items: Item[] = [];
  while (line.length > 0) items.push(line.shift() as Item);
  return items;
}
