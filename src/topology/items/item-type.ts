/**
 * The type of the items that a connector carries, as a value that exists while the program runs. Both
 * ends of a connector name one; a topology whose ends differ is refused before anything starts, also
 * where the ends are in different processes. A type without a codec cannot leave its thread.
 */
import type { Codec } from "./codec.ts";

export class ItemType<Item> {
  /** The same name is the same type, in every module, thread and process. */
  readonly name: string;
  readonly codec: Codec<Item> | null;

  constructor(name: string, codec: Codec<Item> | null) {
    this.name = name;
    this.codec = codec;
  }
}

/** Declares a type of items. Names of the crawler's own types are single words; others `package/word`. */
export function itemType<Item>(name: string, codec: Codec<Item> | null = null): ItemType<Item> {
  return new ItemType(name, codec);
}
