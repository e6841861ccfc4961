/**
 * Codecs: how items become bytes and come back, put together from small ones. What a codec writes it
 * reads back as an equal value; what it cannot read it refuses with `TOPOLOGY_ITEM_MALFORMED`.
 */
import { type ByteReader, type ByteWriter, malformed } from "./bytes.ts";

const EMPTY_ITEMS_MAX = 1_000_000;

export interface Codec<Item> {
  write(item: Item, into: ByteWriter): void;
  read(from: ByteReader): Item;
}

export const text: Codec<string> = {
  write: (item, into) => into.text(item),
  read: (from) => from.text(),
};

/** Read as views of what arrived: copy them to keep them longer than the item. */
export const bytes: Codec<Uint8Array> = {
  write: (item, into) => into.bytes(item),
  read: (from) => from.bytes(),
};

/** A whole number from 0 to 2^53 - 1. */
export const count: Codec<number> = {
  write: (item, into) => into.count(item),
  read: (from) => from.count(),
};

export const float: Codec<number> = {
  write: (item, into) => into.float(item),
  read: (from) => from.float(),
};

export const flag: Codec<boolean> = {
  write: (item, into) => into.byte(item ? 1 : 0),
  read: (from) => bit(from),
};

/** Anything that JSON can hold; the type is the caller's word. */
export function json<Item>(): Codec<Item> {
  return {
    write: (item, into) => into.text(JSON.stringify(item)),
    read(from) {
      const written = from.text();
      try {
        return JSON.parse(written) as Item;
      } catch {
        throw malformed("a value in them is not JSON");
      }
    },
  };
}

export function nullable<Item>(codec: Codec<Item>): Codec<Item | null> {
  return {
    write(item, into) {
      into.byte(item === null ? 0 : 1);
      if (item !== null) codec.write(item, into);
    },
    read: (from) => (bit(from) ? codec.read(from) : null),
  };
}

export function list<Item>(codec: Codec<Item>): Codec<readonly Item[]> {
  return {
    write(items, into) {
      into.count(items.length);
      for (const item of items) codec.write(item, into);
    },
    read(from) {
      const items: Item[] = [];
      const count = from.count();
      // Items of no bytes would go on for as long as the number says.
      if (count > from.bytesLeft + EMPTY_ITEMS_MAX) throw malformed("a list in them is too long");
      for (let left = count; left > 0; left -= 1) items.push(codec.read(from));
      return items;
    },
  };
}

/** An object with these fields, written in the order of the table. */
export function struct<Item extends object>(
  fields: {
    readonly [Name in keyof Item]: Codec<Item[Name]>;
  },
): Codec<Item> {
  const names = Object.keys(fields) as (keyof Item)[];
  return {
    write(item, into) {
      for (const name of names) fields[name].write(item[name], into);
    },
    read(from) {
      const item: Partial<Item> = {};
      for (const name of names) item[name] = fields[name].read(from);
      // The loop has just read every field of the table.
      return item as Item;
    },
  };
}

function bit(from: ByteReader): boolean {
  const byte = from.byte();
  if (byte > 1) throw malformed("a flag in them is neither 0 nor 1");
  return byte === 1;
}
