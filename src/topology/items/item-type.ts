/**
 * The type of the items that a connector carries, as a value that exists while the program runs. Both
 * ends of a connector name one; a topology whose ends differ is refused before anything starts, also
 * where the ends are in different processes. A type without a codec cannot leave its thread.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Codec } from "./codec.ts";

/**
 * For items that hold something which must be given back, such as memory or a place in a limit. A unit
 * that takes such an item passes it on. One without an output of this type, and a general component,
 * end it instead if they declare the life; what any other unit neither passes on nor keeps, the runtime
 * ends.
 */
export interface ItemLife<Item> {
  /** A tee gives the item to this many consumers, each of which passes it on or ends it. */
  shared(item: Item, consumers: number): void;
  /**
   * A consumer lost it: its unit failed on it, or dropped it. Null if nobody is to blame: the unit was
   * taken out while it waited, or has no output of this type and knows nothing of lives.
   */
  lost(item: Item, error: CrawlError | null): void;
}

export class ItemType<Item> {
  /** The same name is the same type, in every module, thread and process. */
  readonly name: string;
  readonly codec: Codec<Item> | null;
  /** Null for items that are simply forgotten. */
  readonly life: ItemLife<Item> | null;

  constructor(name: string, codec: Codec<Item> | null, life: ItemLife<Item> | null = null) {
    this.name = name;
    this.codec = codec;
    this.life = life;
  }
}

/** Declares a type of items. Names of the crawler's own types are single words; others `package/word`. */
export function itemType<Item>(
  name: string,
  codec: Codec<Item> | null = null,
  life: ItemLife<Item> | null = null,
): ItemType<Item> {
  return new ItemType(name, codec, life);
}
