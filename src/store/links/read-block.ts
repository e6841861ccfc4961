/** Reads one block of links from the log. */
import { zstdDecompressSync } from "node:zlib";
import type { Position, ViewedLog } from "../../base/log/index.ts";
import type { Done, FileName } from "../../base/seams/index.ts";
import { damagedLinks } from "./open-link-graph.ts";

/** Far more than a block has: one page may have ten thousand long links. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;

export function readBlock(
  log: ViewedLog,
  { name, place }: { readonly name: FileName; readonly place: Position },
  done: Done<string>,
): void {
  const reader = log.reader(place);
  reader.read((error, frames) => {
    reader.close(() => {
      if (error !== null) done(error, undefined);
      else {
        const isThere = frames.count > 0 && frames.positionOf(0) === place;
        const text = isThere ? unpacked(frames.payloadOf(0)) : null;
        const reason = `there are no links at ${place}`;
        if (text === null) done(damagedLinks(name, reason), undefined);
        else done(null, text);
      }
    });
  });
}

export function unpacked(bytes: Uint8Array): string | null {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: TEXT_BYTES_MAX }).toString();
  } catch {
    return null;
  }
}
