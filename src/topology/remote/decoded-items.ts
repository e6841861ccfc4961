/** The items of a batch, read back from its bytes. */
import type { ItemType } from "../items/index.ts";
import { readOrNull } from "./remote-frame.ts";

/** Null if these are not the bytes of exactly this many items of the type. */
export function decodedItems<Item>(
  { codec }: ItemType<Item>,
  bytes: Uint8Array,
  count: number,
): Item[] | null {
  if (codec === null) return null;
  return readOrNull(bytes, (reader) => {
    const items: Item[] = [];
    for (let left = count; left > 0; left -= 1) items.push(codec.read(reader));
    return items;
  });
}
