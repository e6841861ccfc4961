/**
 * Files of archives that others made, as they are on disk. Records are read by their places, so each
 * must be compressed by itself; a file in which several are compressed together is unpacked first
 * (`unpack-file.ts`).
 */
import fs from "node:fs";
import { basename, join, resolve } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { ScanStep } from "../../formats/warc/index.ts";
import { scanPieces } from "./scan-pieces.ts";

const PIECE_BYTES = 1024 * 1024;
const NAME_LENGTH_MAX = 180;
const { O_RDONLY, O_NONBLOCK } = fs.constants;

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

/** The path under which a file would be known if it were not compressed. */
export function unpackedPath(path: string): string {
  const bare = path.replace(/\.(?:gz|zst)$/i, "");
  return /\.w?arc$/i.test(bare) ? bare : `${bare}.warc`;
}

/** The bytes of a file. Throws `USAGE_BAD_ARGUMENT` for pipes and devices, which may never end. */
export async function* piecesOf(path: string, from = 0): AsyncGenerator<Uint8Array> {
  try {
    // Opening a pipe would wait for its writer.
    const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK);
    if (!fs.fstatSync(fd).isFile()) {
      fs.closeSync(fd);
      const message = `${quoted(path)} is not a regular file; name an archive file.`;
      throw new CrawlError("USAGE_BAD_ARGUMENT", message, { file: path });
    }
    yield* fs.createReadStream(path, { fd, start: from, highWaterMark: PIECE_BYTES });
  } catch (error) {
    if (error instanceof CrawlError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message =
      `The archive ${quoted(path)} could not be read: ${reason}. ` +
      "Check the file, its permissions and its disk.";
    throw new CrawlError("STORAGE_FAILED", message, { file: path }, error);
  }
}

export type Compression = "gzip" | "zstd" | "none";

/** By the first bytes of the file. */
export async function compressionOf(path: string): Promise<Compression> {
  for await (const [first, second] of piecesOf(path)) {
    if (first === 0x1f && second === 0x8b) return "gzip";
    // The first two bytes of a frame, or of one that is to be skipped.
    if (first === 0x28 && second === 0xb5) return "zstd";
    return first !== undefined && first >> 4 === 5 && second === 0x2a ? "zstd" : "none";
  }
  return "none";
}

/** Records and damage, in order. Throws if the file cannot be read. */
export function scanFile(path: string): AsyncIterable<ScanStep> {
  return scanPieces(piecesOf(path));
}

/** A first member that is too large for a record, does not end, or holds only a part of one. */
const CUT = /is larger than|ends inside|^in the member: (?:the file ends|its block)/;

/**
 * Whether the beginning of a file says that it is compressed as a whole. Where only later members
 * hold several records, each of those says so (`sharesMember`).
 */
export async function isPackedAsWhole(path: string): Promise<boolean> {
  if ((await compressionOf(path)) === "none") return false;
  for await (const step of scanFile(path)) {
    if (step.kind === "damage") return step.offset === 0 && CUT.test(step.reason);
    return step.record.sharesMember;
  }
  return false;
}

/** Makes the file known under a name in a folder, without copying it. */
export function linkFile(path: string, folder: string, name: string): void {
  fs.mkdirSync(folder, { recursive: true });
  fs.symlinkSync(resolve(path), join(folder, name));
}

/** Takes back `linkFile`. */
export function unlinkFile(folder: string, name: string): void {
  fs.rmSync(join(folder, name));
}

/** How long a file is. */
export function sizeOf(path: string): number {
  return fs.statSync(path).size;
}
