/** Blocks of entries in bytes: as they are in streams, and compressed as they are retained. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { ByteReader, ByteWriter } from "../../topology/items/index.ts";
import { type Entry, EntryType } from "./entry.ts";

/** What a block may hold when it is unpacked; a longer one is not ours. */
const BLOCK_BYTES_MAX = 16 * 1024 * 1024;

/** Compressed, with the number of its entries before it. */
export function packBlock(count: number, bytes: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  writer.count(count);
  writer.bytes(deflateRawSync(bytes));
  return writer.copy();
}

/** Null for bytes that are no block. */
export function unpackBlock(packed: Uint8Array): readonly Entry[] | null {
  try {
    const reader = new ByteReader(packed);
    const count = reader.count();
    return readEntries(inflateRawSync(reader.bytes(), { maxOutputLength: BLOCK_BYTES_MAX }), count);
  } catch {
    // What cannot be unpacked was not written by this.
    return null;
  }
}

export function writeEntries(entries: readonly Entry[]): Uint8Array {
  const writer = new ByteWriter();
  for (const entry of entries) EntryType.codec?.write(entry, writer);
  return writer.copy();
}

/** Null for bytes that are not exactly this many entries. */
export function readEntries(bytes: Uint8Array, count: number): readonly Entry[] | null {
  const reader = new ByteReader(bytes);
  const entries: Entry[] = [];
  try {
    for (let left = count; left > 0; left -= 1) {
      entries.push(EntryType.codec?.read(reader) as Entry);
    }
  } catch {
    // Codecs throw about bytes that nobody wrote.
    return null;
  }
  return reader.isAtEnd ? entries : null;
}
