/** Reads one block of links from the log. */
import { zstdDecompressSync } from "node:zlib";
import type { Position, ViewedLog } from "../../base/log/index.ts";
import { type Done, type FileName, withValue } from "../../base/seams/index.ts";
import { damagedLinks } from "./open-link-graph.ts";

/** Far more than a block has: one page may have ten thousand long links. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;

export function readBlock(
  log: ViewedLog,
  { name, place }: { readonly name: FileName; readonly place: Position },
  done: Done<string>,
): void {
  const take = (bytes: Uint8Array | null): void => {
    const text = bytes === null ? null : unpacked(bytes);
    if (text === null) done(damagedLinks(name, `there are no links at ${place}`), undefined);
    else done(null, text);
  };
  log.frameAt(place, withValue(done, take));
}

export function unpacked(bytes: Uint8Array): string | null {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: TEXT_BYTES_MAX }).toString();
  } catch {
    return null;
  }
}
