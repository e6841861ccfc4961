/**
 * A series of archive files, one growing at a time. Appending only fills memory and returns the
 * place of the record at once. On disk one step happens at a time (writing a chunk of about a
 * megabyte, a sync, a renaming), so there is no call to the disk per page. Invariants:
 *
 * - steps are carried out in the order in which they were appended, and a step that met a full
 *   disk is repeated when there is room: no byte is lost, doubled or misplaced;
 * - a file gets its final name only after its bytes are durable and `beforeSeal` has answered;
 * - pending memory is bounded: `hasRoom` is false from `pendingBytesMax` on, while the disk is
 *   full, and for good when it failed.
 */
import assert from "node:assert/strict";
import { grownBytes } from "../../base/bytes/index.ts";
import type { CrawlError, NoteFault } from "../../base/errors/index.ts";
import type {
  Acknowledge,
  Clock,
  FileName,
  Random,
  Storage,
  StorageFile,
} from "../../base/seams/index.ts";
import {
  type Field,
  recordId,
  WarcEncoder,
  type WarcEncoderOptions,
  warcinfoRecord,
} from "../../formats/warc/index.ts";
import { storeError } from "./store-error.ts";
import { baseName, openName } from "./warc-name.ts";
import type { WarcPlace } from "./warc-place.ts";

export interface WarcFilesOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly encoding: WarcEncoderOptions;
  readonly noteFault?: NoteFault;
  /** From this size on the next exchange begins another file. */
  readonly warcBytesMax: number;
  /** What the first record of every file says. */
  readonly about: readonly Field[];
  /** Another name for each file. */
  nextName(): FileName;
  /** Called each time more is in the files. */
  wrote(): void;
  /** Called before a file, whose bytes are durable by then, gets its final name. */
  beforeSeal(done: Acknowledge): void;
  readonly chunkBytes?: number;
  readonly pendingBytesMax?: number;
}

/** A file as appending sees it; it may not be on disk yet. */
export interface GrowingFile {
  readonly name: FileName;
  /** Every record of the file names this one. */
  readonly warcinfoId: string;
  readonly lengthBytes: number;
}

type Step =
  | { readonly kind: "open" | "seal" | "rename"; readonly name: FileName }
  | WriteStep
  | { readonly kind: "cut"; readonly lengthBytes: number }
  | { readonly kind: "sync" | "close" }
  | { readonly kind: "answer"; readonly isDurable: boolean; readonly done: Acknowledge };

interface WriteStep {
  readonly kind: "write";
  readonly chunk: Uint8Array;
  /** Where in its file the chunk begins. */
  readonly offset: number;
  usedBytes: number;
}

const MEBIBYTE = 1024 * 1024;
const NO_CHUNK = new Uint8Array(0);
const FIRST_BYTES = 16 * 1024;

export class WarcFiles {
  readonly #options: WarcFilesOptions;
  readonly #encoder: WarcEncoder;
  readonly #chunkBytes: number;
  readonly #pendingBytesMax: number;
  readonly #spare: Uint8Array[] = [];
  #steps: Step[] = [];
  #growing: { name: FileName; warcinfoId: string; lengthBytes: number } | null = null;
  /** None until there is a record; it grows with the first ones, up to `chunkBytes`. */
  #chunk: Uint8Array = NO_CHUNK;
  #chunkOffset = 0;
  #usedBytes = 0;
  #appendedBytes = 0;
  #pendingBytes = 0;
  #handle: StorageFile | null = null;
  /** Whether the open file may have changed since it was synced. */
  #isUnsynced = false;
  #isBusy = false;
  #isStalled = false;
  #isClosed = false;
  /** Whether it was closed with steps left, for which there is no file any more. */
  #isGivenUp = false;
  #trouble: CrawlError | null = null;

  constructor(options: WarcFilesOptions) {
    this.#options = options;
    this.#encoder = new WarcEncoder(options.encoding, options.noteFault);
    this.#chunkBytes = options.chunkBytes ?? MEBIBYTE;
    this.#pendingBytesMax = options.pendingBytesMax ?? 8 * MEBIBYTE;
  }

  /** Why nothing is taken: `STORE_FULL` until there is room, `STORE_FAILED` for good. */
  get trouble(): CrawlError | null {
    return this.#trouble;
  }

  get hasRoom(): boolean {
    return this.#pendingBytes < this.#pendingBytesMax && this.#trouble === null;
  }

  /** Bytes appended to any of the files, and those of them that are in the files by now. */
  get appendedBytes(): number {
    return this.#appendedBytes;
  }

  get writtenBytes(): number {
    return this.#appendedBytes - this.#pendingBytes;
  }

  get encoding(): WarcEncoderOptions {
    return this.#options.encoding;
  }

  get encoder(): WarcEncoder {
    return this.#encoder;
  }

  /** The file into which the next exchange goes; begins another when the last one is full. */
  file(): GrowingFile {
    assert(!this.#isClosed, "a closed series takes no records");
    const growing = this.#growing;
    if (growing !== null && growing.lengthBytes < this.#options.warcBytesMax) return growing;
    this.#seal();
    return this.#begin();
  }

  /** Adds a record's bytes, or a part of them, to the file that `file` gave. They are copied. */
  append(bytes: Uint8Array): WarcPlace {
    const growing = this.#growing;
    assert(growing !== null, "records are appended to a file that was begun");
    const place = { file: growing.name, offset: growing.lengthBytes, lengthBytes: bytes.length };
    this.#take(bytes, growing.lengthBytes);
    growing.lengthBytes += bytes.length;
    this.#appendedBytes += bytes.length;
    this.#pendingBytes += bytes.length;
    return place;
  }

  /** Removes what was appended from `offset` on, where a record begins. */
  cutTo(offset: number): void {
    const growing = this.#growing;
    assert(growing !== null && offset <= growing.lengthBytes, "only what is there is cut");
    growing.lengthBytes = offset;
    this.#pushChunk();
    // The first step may be under way; what it writes is cut off again.
    this.#steps = this.#steps.filter((step, index) => index === 0 || this.#isKept(step, offset));
    this.#push({ kind: "cut", lengthBytes: offset });
  }

  /** Shortens a step to what is before `offset`; false when nothing of it is left to do. */
  #isKept(step: Step, offset: number): boolean {
    if (step.kind !== "write" || step.offset + step.usedBytes <= offset) return true;
    const keptBytes = Math.max(0, offset - step.offset);
    this.#pendingBytes -= step.usedBytes - keptBytes;
    step.usedBytes = keptBytes;
    return keptBytes > 0;
  }

  /** Answers when everything appended before was handed to the disk; it need not be durable. */
  flush(done: Acknowledge): void {
    this.#pushChunk();
    this.#ask(false, done);
  }

  /** Answers when everything appended before is durable. After `STORE_FULL` it may be repeated. */
  commit(done: Acknowledge): void {
    this.#pushChunk();
    this.#ask(true, done);
  }

  /** Finishes: the last file gets its final name, unless the disk is full or failed. */
  close(done: Acknowledge): void {
    this.#seal();
    this.#isClosed = true;
    this.#ask(false, (error) => {
      const handle = this.#handle;
      this.#handle = null;
      if (handle === null) done(error);
      else handle.close(() => done(error));
    });
  }

  #begin(): GrowingFile {
    const { clock, random, about } = this.#options;
    const name = this.#options.nextName();
    const growing = { name, warcinfoId: recordId(random), lengthBytes: 0 };
    this.#growing = growing;
    // The name is durable before a line of the crawl log can contain it.
    this.#push({ kind: "open", name }, { kind: "sync" });
    const record = warcinfoRecord({
      id: growing.warcinfoId,
      dateMs: clock.wallMs(),
      fileName: baseName(name),
      entries: about,
    });
    this.append(this.#encoder.encode(record));
    return growing;
  }

  #seal(): void {
    const growing = this.#growing;
    if (growing === null) return;
    this.#growing = null;
    this.#pushChunk();
    const { name } = growing;
    this.#push({ kind: "sync" }, { kind: "seal", name }, { kind: "close" });
    this.#push({ kind: "rename", name });
  }

  /** Copies into the chunk; a record larger than a chunk gets one of its own. */
  #take(bytes: Uint8Array, offset: number): void {
    if (this.#usedBytes + bytes.length > this.#chunkBytes) this.#pushChunk();
    if (bytes.length > this.#chunkBytes) {
      const chunk = Uint8Array.from(bytes);
      this.#push({ kind: "write", chunk, offset, usedBytes: chunk.length });
      return;
    }
    if (this.#usedBytes === 0) this.#chunkOffset = offset;
    const endBytes = this.#usedBytes + bytes.length;
    if (this.#chunk.length === 0) this.#chunk = this.#spare.pop() ?? new Uint8Array(FIRST_BYTES);
    this.#chunk = grownBytes(this.#chunk, endBytes, this.#chunkBytes);
    this.#chunk.set(bytes, this.#usedBytes);
    this.#usedBytes = endBytes;
  }

  #pushChunk(): void {
    if (this.#usedBytes === 0) return;
    const chunk = this.#chunk;
    const offset = this.#chunkOffset;
    const usedBytes = this.#usedBytes;
    this.#chunk = NO_CHUNK;
    this.#usedBytes = 0;
    this.#push({ kind: "write", chunk, offset, usedBytes });
  }

  #push(...steps: readonly Step[]): void {
    this.#steps.push(...steps);
    this.#work();
  }

  /** Once closed with steps left it is still asked by others, and gives them the error of its closing. */
  #ask(isDurable: boolean, done: Acknowledge): void {
    if (this.#isGivenUp) {
      this.#later(() => done(this.#trouble));
      return;
    }
    this.#isStalled = false;
    this.#push({ kind: "answer", isDurable, done });
  }

  /** Begins the first step, if none is under way. */
  #work(): void {
    const step = this.#steps[0];
    if (this.#isBusy || this.#isStalled || step === undefined) return;
    this.#isBusy = true;
    const isBroken = this.#trouble?.code === "STORE_FAILED";
    if (isBroken) this.#later((error) => this.#settle(step, error ?? this.#trouble));
    else this.#perform(step, (error) => this.#settle(step, error));
  }

  #perform(step: Step, done: Acknowledge): void {
    const { storage } = this.#options;
    switch (step.kind) {
      case "open":
        storage.open(openName(step.name), (error, file) => {
          this.#handle = file ?? null;
          this.#isUnsynced = true;
          done(error);
        });
        break;
      case "write":
        this.#write(step.chunk.subarray(0, step.usedBytes), done);
        break;
      case "cut":
        this.#isUnsynced = true;
        this.#open.cut(step.lengthBytes, done);
        break;
      case "sync":
        this.#sync(done);
        break;
      case "seal":
        this.#options.beforeSeal(done);
        break;
      case "close":
        this.#open.close(done);
        this.#handle = null;
        break;
      case "rename":
        storage.rename(openName(step.name), step.name, done);
        break;
      case "answer":
        if (step.isDurable && this.#handle !== null && this.#isUnsynced) this.#sync(done);
        else this.#later(done);
        break;
    }
  }

  #sync(done: Acknowledge): void {
    this.#open.sync((error) => {
      this.#isUnsynced = error !== null;
      done(error);
    });
  }

  /** When the disk is full the file is left as it was, so that the same can be written again. */
  #write(bytes: Uint8Array, done: Acknowledge): void {
    const file = this.#open;
    this.#isUnsynced = true;
    file.append([bytes], (error) => {
      if (error?.code !== "STORAGE_FULL") done(error);
      else file.cut(file.lengthBytes, (cutError) => done(cutError ?? error));
    });
  }

  get #open(): StorageFile {
    assert(this.#handle !== null, "a file is open from its first step to its last");
    return this.#handle;
  }

  #settle(step: Step, error: CrawlError | null): void {
    this.#isBusy = false;
    if (error !== null) this.#fail(error);
    else {
      this.#steps.shift();
      this.#trouble = null;
      if (step.kind === "write") this.#wrote(step.chunk, step.usedBytes);
      if (step.kind === "answer") step.done(null);
    }
    this.#work();
  }

  #wrote(chunk: Uint8Array, usedBytes: number): void {
    this.#pendingBytes -= usedBytes;
    const isWanted = this.#spare.length * this.#chunkBytes < this.#pendingBytesMax;
    // Allocating a megabyte costs more than writing it.
    if (isWanted && chunk.length <= this.#chunkBytes) this.#spare.push(chunk);
    this.#options.wrote();
  }

  /** Everything stays pending; those who wait get the error. */
  #fail(cause: CrawlError): void {
    const error = storeError(cause);
    this.#trouble = error;
    this.#isStalled = true;
    this.#isGivenUp = this.#isClosed;
    const waiting = this.#steps.filter((step) => step.kind === "answer");
    this.#steps = this.#steps.filter((step) => step.kind !== "answer");
    for (const step of waiting) step.done(error);
  }

  /** Answers later where there is nothing to wait for. */
  #later(done: Acknowledge): void {
    this.#options.storage.freeBytes(() => done(null));
  }
}
