/**
 * The contract of connectors: bounded, typed queues between units. Units see only its two ends and
 * cannot tell what lies between them.
 *
 * Contract for implementers:
 * - Items of one inlet come out in the order in which they were offered. The items of one block come
 *   out one after another, with none of another inlet's between them.
 * - An item that was taken in comes out once: to one outlet, or, from a tee, to one outlet of each
 *   consumer.
 * - A connector holds at most `capacity` items. It refuses a block that does not fit; it never drops.
 * - Listeners are called once for each registration, possibly inside the call that made room or
 *   brought items, and in the order in which they began to wait. They may only note what is to be done.
 *   Those of an end that was closed, or whose producer left, are not called any more.
 */
import type { ItemType } from "../items/index.ts";

export interface Connector<Item> {
  readonly type: ItemType<Item>;
  readonly capacity: number;
  /** Whether every consumer gets every item. */
  readonly isTee: boolean;
  /** Items inside. */
  readonly length: number;
  /** Whether every inlet has been closed, after at least one was opened. */
  readonly isClosed: boolean;
  /**
   * Whether items are dropped once all consumers of this thread have finished: not if others take them
   * elsewhere. Not given, they are if there are producers here, whom they would hold up for ever.
   */
  readonly dropsLeftovers?: boolean;
  /** Whether its items are for another process, which may be away: nothing here waits for them. */
  readonly leadsOut?: boolean;
  openInlet(): Inlet<Item>;
  /** All outlets of one consumer share its items between them. */
  openOutlet(consumer: string): Outlet<Item>;
  /** Takes everything out, to be carried into another connector that stands in for this one. */
  handOver(): ItemsByConsumer<Item>;
  /** Takes in what another one handed over, even if that is more than its capacity. Done first. */
  takeOver(items: ItemsByConsumer<Item>): void;
  /**
   * For one that keeps its items in a log: it is not emptied to be swapped, but ends, and its successor
   * opens the log. Also called when it is taken out of the topology.
   */
  readonly retire?: Retire<Item>;
}

/**
 * Makes everything durable, and ends. If it is followed, the next one that is opened with its id goes on
 * where it ended. Resolves with what opens it again as it was, if that one cannot be.
 */
export type Retire<Item> = (isFollowed: boolean) => Promise<() => Promise<Connector<Item>>>;

/** Items in the order in which they would have been taken; under `""` those that are for anybody. */
export type ItemsByConsumer<Item> = ReadonlyMap<string, readonly Item[]>;

/** A producer's end. */
export interface Inlet<Item> {
  /** Takes all items of a block of at most `capacity` or none: none too while others wait longer. */
  tryOffer(block: readonly Item[]): boolean;
  /**
   * Waits for its turn and for room for this many items, which is then kept free for this inlet until
   * it offers or closes.
   */
  whenRoom(count: number, listener: () => void): void;
  /** This producer is done: it offers nothing more, and gives up its turn. */
  close(): void;
  /** This producer is gone, though not done: another one will come, and the connector stays open. */
  leave(): void;
}

/** A consumer's end. */
export interface Outlet<Item> {
  /** Items that could be taken now. */
  readonly length: number;
  /** Whether nothing is left to take and nothing will come. */
  readonly isDrained: boolean;
  /** One item, or undefined if there is none. */
  tryTake(): Item | undefined;
  /** Appends up to `countMax` items to `into`, and says how many. */
  takeInto(into: Item[], countMax: number): number;
  /** Waits until there is an item, or until it is drained. */
  whenItems(listener: () => void): void;
  /** This consumer takes nothing more; items stay for the others. */
  close(): void;
}
