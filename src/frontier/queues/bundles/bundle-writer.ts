/**
 * Writes a bundle from its first byte to its last, a chunk at a time: the owner fills the chunk,
 * drains it, and continues when that has ended, so that no turn takes longer than filling one
 * chunk. A bundle counts only when a checkpoint names it, so an unfinished one can simply be
 * removed.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../base/errors/index.ts";
import { checksum, type Position } from "../../../base/log/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type ReadableFile,
  type Storage,
  type StorageFile,
  whenDone,
  withValue,
} from "../../../base/seams/index.ts";
import type { RecordBuffer } from "../record-buffer.ts";
import type { BundleContent } from "./bundle.ts";
import { Bundle, bundleFile } from "./bundle.ts";
import { BundleDirectory } from "./bundle-directory.ts";
import {
  ENTRY_BYTES,
  encodedBytes,
  FOOTER_BYTES,
  HEAD,
  printFooter,
  sealRecord,
} from "./bundle-layout.ts";

/** Head, entries and footer fit into any chunk. */
const CHUNK_BYTES_MIN = 64;

export interface BundleToWrite {
  readonly storage: Storage;
  readonly folder: FileName;
  readonly id: number;
  readonly takesFrom: Position;
  /** How many bytes are written at a time; more when one record is longer. */
  readonly chunkBytes: number;
}

export function openBundleWriter(bundle: BundleToWrite, done: Done<BundleWriter>): void {
  const opened = (file: StorageFile): void => done(null, new BundleWriter(bundle, file));
  bundle.storage.open(bundleFile(bundle.folder, bundle.id), withValue(done, opened));
}

export class BundleWriter {
  readonly content: BundleContent;
  readonly #bundle: BundleToWrite;
  readonly #file: StorageFile;
  #chunk: Uint8Array;
  #view: DataView;
  #usedBytes = 0;
  #isClosed = false;

  constructor(bundle: BundleToWrite, file: StorageFile) {
    this.#bundle = bundle;
    this.#file = file;
    const { id, takesFrom, chunkBytes } = bundle;
    this.#chunk = new Uint8Array(Math.max(chunkBytes, CHUNK_BYTES_MIN));
    this.#view = new DataView(this.#chunk.buffer);
    const directory = new BundleDirectory(HEAD.length);
    this.content = { id, takesFrom, directory, heir: null, draft: new Set() };
    this.writeBytes(HEAD, 0, HEAD.length);
  }

  /** How many bytes the chunk has room for; drain it when that is too little. */
  get roomBytes(): number {
    return this.#chunk.length - this.#usedBytes;
  }

  /**
   * Writes a record behind those of the queue that was begun last in the directory. Returns false,
   * and writes nothing, when the chunk must be drained first.
   */
  tryWrite(buffer: RecordBuffer, queue: number, address: number): boolean {
    const lengthBytes = buffer.lengthOf(address);
    const bytes = encodedBytes(lengthBytes);
    if (bytes > this.roomBytes) {
      if (this.#usedBytes > 0) return false;
      this.#chunk = new Uint8Array(bytes);
      this.#view = new DataView(this.#chunk.buffer);
    }
    const at = this.#usedBytes + bytes - lengthBytes;
    buffer.copyTo(address, this.#chunk, at);
    sealRecord(this.#view, queue, at, lengthBytes);
    this.#usedBytes += bytes;
    this.content.directory.extend(bytes, 1);
    return true;
  }

  /** Copies bytes that are in the directory already. */
  writeBytes(source: Uint8Array, from: number, to: number): void {
    assert(to - from <= this.roomBytes, "bytes are written where there is room");
    this.#chunk.set(source.subarray(from, to), this.#usedBytes);
    this.#usedBytes += to - from;
  }

  /** Writes the chunk to the file; until it has answered nothing may be written. */
  drain(done: Acknowledge): void {
    const filled = this.#chunk.subarray(0, this.#usedBytes);
    this.#usedBytes = 0;
    this.#file.append([filled], done);
  }

  /** Writes directory and footer and makes all of it durable; after an error the file is removed. */
  finish(done: Done<Bundle>): void {
    const failed = (error: CrawlError): void => this.abandon(() => done(error, undefined));
    this.content.directory.seal();
    const open = (): void => this.#close(() => this.#openToRead(failed, done));
    const sync = (): void => this.#file.sync(whenDone(failed, open));
    this.#writeEntries(0, 0, this.content.directory.end, whenDone(failed, sync));
  }

  #openToRead(failed: (error: CrawlError) => void, done: Done<Bundle>): void {
    const fileBytes = this.#file.lengthBytes;
    const opened = (file: ReadableFile): void =>
      done(null, new Bundle(this.content, file, fileBytes));
    this.#bundle.storage.openToRead(this.#file.name, withValue(failed, opened));
  }

  /** Removes what was written. */
  abandon(done: () => void): void {
    const { storage } = this.#bundle;
    this.#close(() => storage.remove(this.#file.name, () => done()));
  }

  #close(then: () => void): void {
    if (this.#isClosed) then();
    else {
      this.#isClosed = true;
      this.#file.close(then);
    }
  }

  #writeEntries(from: number, sum: number, dataBytes: number, done: Acknowledge): void {
    const { directory } = this.content;
    const begin = this.#usedBytes;
    let place = from;
    for (; place < directory.count && this.roomBytes >= ENTRY_BYTES; place += 1) {
      this.#view.setUint32(this.#usedBytes, directory.queueAt(place), true);
      this.#view.setUint32(this.#usedBytes + 4, directory.lengthAt(place), true);
      this.#view.setUint32(this.#usedBytes + 8, directory.recordsAt(place), true);
      this.#usedBytes += ENTRY_BYTES;
    }
    const directorySum = checksum(this.#view, begin, this.#usedBytes, sum);
    const isLast = place === directory.count && this.roomBytes >= FOOTER_BYTES;
    if (isLast) {
      const { id } = this.content;
      const footer = printFooter({ id, queues: directory.count, dataBytes, directorySum });
      this.writeBytes(footer, 0, FOOTER_BYTES);
    }
    this.drain((error: CrawlError | null) => {
      if (error !== null || isLast) done(error);
      else this.#writeEntries(place, directorySum, dataBytes, done);
    });
  }
}
