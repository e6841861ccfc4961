/**
 * Reads the lines of a file with rows, whichever way it is compressed. Every member of gzip has a checksum,
 * and so has every frame of zstd, so damage is found where a file is compressed; behind it nothing can be
 * read. Memory holds one line.
 */
import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { isCrawlError } from "../../base/errors/index.ts";
import {
  answered,
  type FileName,
  type ReadableFile,
  type Storage,
} from "../../base/seams/index.ts";
import { OPEN } from "./row-file-names.ts";

/** A line without its end, or why nothing more can be read. */
export type RowStep =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "damage"; readonly problem: string };

const PIECE_BYTES = 256 * 1024;
const LINE_FEED = 10;

/** The first `lengthBytes` bytes of a file, by its final name. */
export async function* readRowFile(
  storage: Storage,
  name: FileName,
  lengthBytes: number,
): AsyncGenerator<RowStep> {
  const file = await openedAs(storage, name);
  if (file === null) {
    yield { kind: "damage", problem: "it is missing" };
    return;
  }
  try {
    yield* linesIn(new Unpacked(file, lengthBytes));
  } catch (error) {
    if (isCrawlError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    yield { kind: "damage", problem: `not all of it can be read: ${reason}` };
  } finally {
    await answered((done) => file.close(done));
  }
}

/** Under its final name, or as it grows; it may have got its name meanwhile. */
async function openedAs(storage: Storage, name: FileName): Promise<ReadableFile | null> {
  for (const one of [name, name + OPEN, name]) {
    try {
      return await answered<ReadableFile>((done) => storage.openToRead(one, done));
    } catch (error) {
      if (!isCrawlError(error) || error.code !== "STORAGE_MISSING") throw error;
    }
  }
  return null;
}

async function* linesIn(unpacked: Unpacked): AsyncGenerator<RowStep> {
  let parts: Uint8Array[] = [];
  for await (const piece of unpacked.pieces()) {
    let from = 0;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, from)) {
      parts.push(piece.subarray(from, at));
      yield { kind: "line", text: Buffer.concat(parts).toString("utf8") };
      parts = [];
      from = at + 1;
    }
    if (from < piece.length) parts.push(piece.subarray(from));
  }
  if (parts.length > 0) yield { kind: "damage", problem: "its last line has no end" };
}

/** The content of a file. What cannot be unpacked is thrown. */
class Unpacked {
  readonly #file: ReadableFile;
  readonly #lengthBytes: number;

  constructor(file: ReadableFile, lengthBytes: number) {
    this.#file = file;
    this.#lengthBytes = lengthBytes;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    const { name } = this.#file;
    if (/\.jsonl(?:\.open)?$/.test(name)) {
      yield* this.#packed(0);
      return;
    }
    const isZstd = /\.zst(?:\.open)?$/.test(name);
    // The decompressor of gzip goes on with the next member, that of zstd ends with its frame.
    for (let from = 0; !(await this.#isEnd(from)); ) {
      if (from > 0 && !isZstd) throw new Error("what follows a member is not one");
      const unpacker = isZstd ? createZstdDecompress() : createGunzip();
      yield* through(this.#packed(from), unpacker);
      from += unpacker.bytesWritten;
    }
  }

  async #isEnd(at: number): Promise<boolean> {
    if (at >= this.#lengthBytes) return true;
    return (await answered<Uint8Array>((done) => this.#file.read(at, 1, done))).length === 0;
  }

  async *#packed(from: number): AsyncGenerator<Uint8Array> {
    for (let at = from; at < this.#lengthBytes; ) {
      const length = Math.min(PIECE_BYTES, this.#lengthBytes - at);
      const bytes = await answered<Uint8Array>((done) => this.#file.read(at, length, done));
      if (bytes.length === 0) return;
      at += bytes.length;
      yield bytes;
    }
  }
}

async function* through(
  packed: AsyncIterable<Uint8Array>,
  unpacker: Transform,
): AsyncGenerator<Uint8Array> {
  // An error comes out of the loop.
  pipeline(Readable.from(packed, { objectMode: false }), unpacker, () => undefined);
  yield* unpacker as AsyncIterable<Uint8Array>;
}
