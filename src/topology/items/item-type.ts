/**
 * The type of the items that a connector carries, as a value that exists while the program runs. Both
 * ends of a connector name one; a topology whose ends differ is refused before anything starts, also
 * where the ends are in different processes. A type without a codec cannot leave its thread.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Codec } from "./codec.ts";

/**
 * For items that hold something which must be given back, such as memory or a place in a limit. A unit
 * that takes such an item passes it on or ends it; where it cannot, the runtime tells the item.
 */
export interface ItemLife<Item> {
  /** A tee gives the item to this many consumers, each of which passes it on or ends it. */
  shared(item: Item, consumers: number): void;
  /** A consumer lost it: its unit failed on it, or was taken out while it waited (then null). */
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
