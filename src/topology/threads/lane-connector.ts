/**
 * A connector that joins threads, as the units of one of them see it: producers of this thread put items
 * into its sending half, consumers of this thread take them out of its receiving half. Where a thread has
 * only producers or only consumers, the other half is missing.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Connector, Inlet, ItemsByConsumer, Outlet } from "../connector/index.ts";
import type { ItemType } from "../items/index.ts";
import { refused } from "../runtime/index.ts";
import type { CreditIntake } from "./credit-intake.ts";
import type { LaneReceiver } from "./lane-receiver.ts";
import type { LaneSender } from "./lane-sender.ts";

export interface LaneConnectorParts<Item> {
  readonly id: string;
  readonly type: ItemType<Item>;
  /** Of the whole connector, in all threads. */
  readonly capacity: number;
  readonly isTee: boolean;
  /** Whether it also sends to consumers on other threads. */
  readonly sendsOn: boolean;
  readonly sending: LaneSender<Item> | CreditIntake<Item> | null;
  readonly receiving: LaneReceiver<Item> | null;
  /** Takes in the items that wait on this thread. */
  readonly takeOver: (items: ItemsByConsumer<Item>) => void;
}

export class LaneConnector<Item> implements Connector<Item> {
  readonly #parts: LaneConnectorParts<Item>;

  constructor(parts: LaneConnectorParts<Item>) {
    this.#parts = parts;
  }

  get type(): ItemType<Item> {
    return this.#parts.type;
  }

  get isTee(): boolean {
    return this.#parts.isTee;
  }

  /** For a producer, what it may send at once; else that of the whole connector. */
  get capacity(): number {
    return this.#parts.sending?.capacity ?? this.#parts.capacity;
  }

  /** Items that wait here; where there are no consumers, those that are on the way or wait elsewhere. */
  get length(): number {
    const { sending, receiving } = this.#parts;
    return receiving?.inner.length ?? sending?.length ?? 0;
  }

  get isClosed(): boolean {
    const { sending, receiving } = this.#parts;
    return sending?.isClosed ?? receiving?.inner.isClosed ?? false;
  }

  get dropsLeftovers(): boolean {
    return !this.#parts.sendsOn;
  }

  openInlet(): Inlet<Item> {
    const { sending } = this.#parts;
    if (sending === null) throw this.#refused("takes items of producers on other threads only");
    return sending.openInlet();
  }

  openOutlet(consumer: string): Outlet<Item> {
    const { receiving } = this.#parts;
    if (receiving === null) throw this.#refused("has its consumers on other threads only");
    return receiving.openOutlet(consumer);
  }

  /** Only what waits on this thread: what is on the way comes to its successor. */
  handOver(): ItemsByConsumer<Item> {
    return this.#parts.receiving?.inner.handOver() ?? new Map();
  }

  takeOver(items: ItemsByConsumer<Item>): void {
    this.#parts.takeOver(items);
  }

  #refused(what: string): CrawlError {
    return refused(`${this.#parts.id} ${what}`);
  }
}
