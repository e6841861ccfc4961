/**
 * A bundle: an immutable file that holds records sorted by their queues, and what memory knows of
 * it. It is written by a `BundleWriter` and read at the places that its directory gives. After
 * another bundle has replaced it, code that holds it can still read it.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Position } from "../../../base/log/index.ts";
import type { Done, FileName, ReadableFile } from "../../../base/seams/index.ts";
import { damagedFile } from "../queue-errors.ts";
import type { BundleDirectory } from "./bundle-directory.ts";
import { GatheredReads } from "./gathered-reads.ts";

/**
 * A bundle as far as memory knows it: its directory, and the bundle that it is being merged into,
 * which must learn of everything that is taken here after it was copied there.
 */
export interface BundleContent {
  readonly id: number;
  readonly directory: BundleDirectory;
  /** The log of takes has no entry about this bundle before this position. */
  readonly takesFrom: Position;
  heir: Heir | null;
  /** While the bundle is being written: the queues that were taken from already. Then null. */
  draft: Set<number> | null;
}

/** A bundle into which another one's records go, or went. */
export interface Heir {
  readonly content: BundleContent;
  /** Whether the part of this queue has been copied, or has begun to be. */
  hasBegun(queue: number): boolean;
}

export class Bundle {
  readonly content: BundleContent;
  /** How long its file is. */
  readonly fileBytes: number;
  readonly #file: ReadableFile;
  readonly #gathered: GatheredReads;
  #holders = 0;
  #closed: (() => void) | null = null;

  constructor(content: BundleContent, file: ReadableFile, fileBytes: number) {
    this.content = content;
    this.fileBytes = fileBytes;
    this.#file = file;
    this.#gathered = new GatheredReads((...part) => this.read(...part));
  }

  /** Keeps the file open until `release`. */
  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#closed?.();
  }

  /** Bytes from `offset` on, exactly as many as were asked for. */
  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    this.#file.read(offset, lengthBytes, (error, bytes) => {
      if (error !== null) done(error, undefined);
      else if (bytes.length === lengthBytes) done(null, bytes);
      else done(damagedFile(this.#file.name, "it is shorter than it was written"), undefined);
    });
  }

  /** As `read`, for small parts all over the file: gathered with others into larger reads. */
  readSome(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    this.#gathered.read(offset, lengthBytes, done);
  }

  /** Closes the file as soon as it is no longer held. */
  close(done: () => void): void {
    this.#closed = () => {
      this.#closed = null;
      this.#file.close(() => done());
    };
    if (this.#holders === 0) this.#closed();
  }

  /** The error for a record that is not as it was written. */
  damaged(queue: number, offset: number): CrawlError {
    return damagedFile(this.#file.name, `the record of queue ${queue} at ${offset} is altered`);
  }
}

export function bundleFile(folder: FileName, id: number): FileName {
  return `${folder}/bundle-${id}`;
}

/** The id of the bundle in this file; null when it is not a bundle. */
export function bundleIdOf(folder: FileName, file: FileName): number | null {
  const match = /^bundle-([1-9][0-9]*)$/.exec(file.slice(folder.length + 1));
  return match === null ? null : Number(match[1]);
}
