/**
 * Unpacks an archive file that is compressed as a whole, as far as it can be read. A few kilobytes can
 * stand for any number of bytes, so there are limits: of the length, and, beyond what a disk hardly
 * notices, of the ratio. Compressed pages have a ratio of 5 to 30.
 */
import fs from "node:fs";
import { dirname } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createZstdDecompress } from "node:zlib";
import { CrawlError, isNoRoom, systemCodeOf } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { type Compression, compressionOf, piecesOf, sizeOf } from "./archive-files.ts";

export interface UnpackLimits {
  readonly bytesMax: number;
  /** How many times longer the content may be than the file. */
  readonly ratioMax: number;
  /** The ratio does not matter for content up to this. */
  readonly ratioFromBytes: number;
}

const GIB = 2 ** 30;
export const UNPACK_LIMITS: UnpackLimits = {
  bytesMax: 64 * GIB,
  ratioMax: 100,
  ratioFromBytes: GIB,
};

/** Why unpacking ended: at the end, where the file is damaged or cut, or at a limit. */
export type UnpackEnd = "whole" | "damaged" | "too-large";

/** `target` must not exist. Throws if the file cannot be read, or the target not be written. */
export async function unpackFile(
  path: string,
  target: string,
  limits: UnpackLimits = UNPACK_LIMITS,
): Promise<UnpackEnd> {
  const compression = await compressionOf(path);
  fs.mkdirSync(dirname(target), { recursive: true });
  const unpacking = new Unpacking(path, target, limits);
  for (let from = 0; ; ) {
    const { end, usedBytes } = await unpacking.unpack(compression, from);
    from += usedBytes;
    if (end !== "whole" || from >= sizeOf(path)) return end;
    // The decompressor of gzip goes on with the next member, that of zstd ends with its frame.
    if (compression !== "zstd" || usedBytes === 0) return "damaged";
  }
}

class Unpacking {
  readonly #path: string;
  readonly #target: string;
  readonly #limits: UnpackLimits;
  #bytes = 0;

  constructor(path: string, target: string, limits: UnpackLimits) {
    this.#path = path;
    this.#target = target;
    this.#limits = limits;
  }

  /** Appends what one decompressor makes of the file from a position on. */
  async unpack(
    compression: Compression,
    from: number,
  ): Promise<{ readonly end: UnpackEnd; readonly usedBytes: number }> {
    const unpacker =
      compression === "zstd"
        ? createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })
        : createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    const source = Readable.from(piecesOf(this.#path, from), { objectMode: false });
    let end: UnpackEnd = "whole";
    let failure: Error | null = null;
    const kept = new Transform({
      transform: (piece: Uint8Array, _encoding, done) => {
        if (this.#mayTake(piece.length, from + unpacker.bytesWritten)) return done(null, piece);
        stop("too-large");
        done();
      },
    });
    /** What was unpacked before is written. */
    const stop = (reason: UnpackEnd): void => {
      if (end === "whole") end = reason;
      source.unpipe(unpacker);
      unpacker.unpipe(kept);
      source.destroy();
      unpacker.destroy();
      kept.end();
    };
    unpacker.on("error", () => stop("damaged"));
    source.on("error", (error: Error) => {
      failure = error;
      stop("damaged");
    });
    source.pipe(unpacker).pipe(kept);
    try {
      await pipeline(kept, fs.createWriteStream(this.#target, { flags: from === 0 ? "wx" : "a" }));
    } catch (error) {
      stop("damaged");
      throw unwritten(error, this.#path, dirname(this.#target));
    }
    source.destroy();
    if (failure !== null) throw failure;
    return { end, usedBytes: unpacker.bytesWritten };
  }

  #mayTake(bytes: number, usedBytes: number): boolean {
    const { bytesMax, ratioMax, ratioFromBytes } = this.#limits;
    this.#bytes += bytes;
    const isOdd = this.#bytes > ratioFromBytes && this.#bytes > ratioMax * usedBytes;
    return this.#bytes <= bytesMax && !isOdd;
  }
}

function unwritten(error: unknown, path: string, folder: string): CrawlError {
  const isFull = isNoRoom(systemCodeOf(error));
  const reason = error instanceof Error ? error.message : String(error);
  const message =
    `${quoted(path)} is compressed as a whole and could not be unpacked into ${quoted(folder)}: ` +
    `${isFull ? "no space is left there" : reason}. ` +
    "Name a folder on a larger disk in the environment variable TMPDIR, or unpack the file yourself.";
  return new CrawlError(isFull ? "STORAGE_FULL" : "STORAGE_FAILED", message, { file: path }, error);
}
