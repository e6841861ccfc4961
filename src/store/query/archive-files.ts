/**
 * Files of archives that others made, as they are on disk. Records are read by their places, so each
 * must be compressed by itself; a file that is compressed as a whole is unpacked first.
 */
import fs from "node:fs";
import { basename, join, resolve } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createZstdDecompress } from "node:zlib";
import type { ScanStep } from "../../formats/warc/index.ts";
import { scanPieces } from "./scan-pieces.ts";

const PIECE_BYTES = 1024 * 1024;
const NAME_LENGTH_MAX = 180;

/** A name for a file of the user's: plain characters, and unlike the names before it. */
export function archiveName(path: string, taken: ReadonlySet<string>): string {
  const plain = basename(path)
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .slice(-NAME_LENGTH_MAX)
    .replace(/^\.+/, "_");
  for (let count = 2, name = plain || "_"; ; count += 1) {
    if (!taken.has(name)) return name;
    name = `${count}-${plain}`;
  }
}

/** Records and damage, in order. Throws if the file cannot be read. */
export function scanFile(path: string): AsyncIterable<ScanStep> {
  return scanPieces(fs.createReadStream(path, { highWaterMark: PIECE_BYTES }));
}

/** A first member that is too large for a record, does not end, or holds only a part of one. */
const CUT = /is larger than|ends inside|^in the member: (?:the file ends|its block)/;

/** Whether several records are compressed together, so that they cannot be read by their places. */
export async function isPackedAsWhole(path: string): Promise<boolean> {
  for await (const step of scanFile(path)) {
    if (step.kind === "damage") return step.offset === 0 && CUT.test(step.reason);
    return step.record.warnings.some((warning) => /also holds other records/.test(warning));
  }
  return false;
}

/** Makes the file known under a name in a folder, without copying it. */
export function linkFile(path: string, folder: string, name: string): void {
  fs.mkdirSync(folder, { recursive: true });
  fs.symlinkSync(resolve(path), join(folder, name));
}

/** Unpacks as much of a file as can be; true if all of it. */
export async function unpackFile(path: string, folder: string, name: string): Promise<boolean> {
  fs.mkdirSync(folder, { recursive: true });
  const unpacker = isZstd(path)
    ? createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })
    : createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const target = join(folder, name);
  let isWhole = true;
  const kept = new Transform({
    transform: (bytes, _encoding, done) => done(null, bytes),
  });
  unpacker.on("error", () => {
    isWhole = false;
    kept.end();
  });
  const written = pipeline(kept, fs.createWriteStream(target, { flags: "wx" }));
  fs.createReadStream(path, { highWaterMark: PIECE_BYTES }).pipe(unpacker);
  unpacker.pipe(kept);
  await written;
  return isWhole;
}

/** How long a file is. */
export function sizeOf(path: string): number {
  return fs.statSync(path).size;
}

function isZstd(path: string): boolean {
  const descriptor = fs.openSync(path, "r");
  try {
    const start = Buffer.alloc(4);
    fs.readSync(descriptor, start, 0, 4, 0);
    return start[0] === 0x28 && start[1] === 0xb5;
  } finally {
    fs.closeSync(descriptor);
  }
}
