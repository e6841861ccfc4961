/**
 * One open file on disk: a queue of jobs, carried out one after the other. Only consecutive reads
 * run at the same time, so that many of them take one turn of the event loop.
 *
 * While a write or a sync is under way further appends gather in the queue and then go out as one
 * `writev`, so a caller that appends often in small pieces costs few system calls. Bytes are placed
 * by offset, not by the system's append mode, so that nothing is ever written behind a torn piece:
 * a failed append spoils the file until it has been cut. A failed sync of its bytes spoils it for
 * good, whatever the reason: the system may have dropped them, and the next sync would not say so.
 * If only the name could not be made durable because the disk was full, that is tried again.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../errors/index.ts";
import type { Acknowledge, Done, FileName, StorageFile } from "../seams/index.ts";
import { type DiskCalls, type SystemAnswer, uninterrupted } from "./disk-calls.ts";
import { storageError, storageFailure } from "./storage-error.ts";
import { writeFully } from "./write-fully.ts";

export interface OpenDescriptor {
  readonly calls: DiskCalls;
  readonly name: FileName;
  readonly descriptor: number;
  readonly lengthBytes: number;
  /** Makes the file's name durable; called within its first sync. */
  syncName(done: SystemAnswer): void;
  /** Called when the file has been closed. */
  closed(): void;
}

type Job =
  | { readonly kind: "append"; readonly append: Append }
  | { readonly kind: "read" | "other"; run(): void };

interface Append {
  readonly chunks: readonly Uint8Array[];
  readonly bytes: number;
  readonly done: Acknowledge;
}

/** The most that one `writev` takes, so that a long queue does not delay a sync behind it. */
const GATHERED_BYTES_MAX = 8 * 1024 * 1024;

export class DiskFile implements StorageFile {
  readonly name: FileName;
  readonly #open: OpenDescriptor;
  readonly #calls: DiskCalls;
  readonly #jobs: Job[] = [];
  #lengthBytes: number;
  /** What `lengthBytes` will be if every job in the queue succeeds; less if one fails. */
  #plannedBytes: number;
  /** A job that excludes all others is under way. */
  #isBusy = false;
  /** Reads under way. */
  #reads = 0;
  #isClosing = false;
  #isClean = false;
  #isNameDurable = false;
  #spoiledUntilCut: CrawlError | null = null;
  #spoiledForGood: CrawlError | null = null;

  constructor(open: OpenDescriptor) {
    this.name = open.name;
    this.#open = open;
    this.#calls = open.calls;
    this.#lengthBytes = open.lengthBytes;
    this.#plannedBytes = open.lengthBytes;
  }

  get lengthBytes(): number {
    return this.#lengthBytes;
  }

  append(chunks: readonly Uint8Array[], done: Acknowledge): void {
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    this.#plannedBytes += bytes;
    this.#take({ kind: "append", append: { chunks, bytes, done } });
  }

  sync(done: Acknowledge): void {
    this.#ask(done, (answer) => {
      if (this.#spoiledForGood !== null || (this.#isClean && this.#isNameDurable)) {
        this.#calls.soon(() => answer(this.#spoiledForGood));
      } else this.#syncNow(answer);
    });
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    assert(offset >= 0 && lengthBytes >= 0, "the offset and length of a read are not negative");
    const run = (): void =>
      this.#readNow(offset, lengthBytes, (...outcome) => {
        this.#reads -= 1;
        this.#next();
        done(...outcome);
      });
    this.#take({ kind: "read", run });
  }

  cut(lengthBytes: number, done: Acknowledge): void {
    assert(lengthBytes >= 0, "a length is not negative");
    assert(lengthBytes <= this.#plannedBytes, "a cut only shortens a file");
    this.#plannedBytes = lengthBytes;
    this.#ask(done, (answer) => {
      // An append that failed meanwhile may have left the file shorter than planned.
      const shorterBytes = Math.min(lengthBytes, this.#lengthBytes);
      if (this.#spoiledForGood === null) this.#cutNow(shorterBytes, answer);
      else this.#calls.soon(() => answer(this.#spoiledForGood));
    });
  }

  close(done: Acknowledge): void {
    this.#ask(done, (answer) => {
      this.#calls.close(this.#open.descriptor, (error) => {
        this.#open.closed();
        // It is closed even after an error: there is nothing to try again.
        answer(error ? storageFailure(error, "close", this.name) : null);
      });
    });
    this.#isClosing = true;
  }

  #ask<Outcome extends unknown[]>(
    done: (...outcome: Outcome) => void,
    run: (answer: (...outcome: Outcome) => void) => void,
  ): void {
    this.#take({
      kind: "other",
      run: () =>
        run((...outcome) => {
          this.#finished();
          done(...outcome);
        }),
    });
  }

  #take(job: Job): void {
    assert(!this.#isClosing, `${this.name} is used after it was closed`);
    this.#jobs.push(job);
    this.#next();
  }

  #next(): void {
    if (this.#isBusy) return;
    let job = this.#jobs[0];
    for (; job?.kind === "read"; job = this.#jobs[0]) {
      this.#jobs.shift();
      this.#reads += 1;
      job.run();
    }
    if (this.#reads > 0 || job === undefined) return;
    this.#isBusy = true;
    if (job.kind === "append") this.#appendGathered(this.#gather());
    else {
      this.#jobs.shift();
      job.run();
    }
  }

  #finished(): void {
    this.#isBusy = false;
    this.#next();
  }

  /** Takes the consecutive appends at the head of the queue. */
  #gather(): Append[] {
    const appends: Append[] = [];
    let bytes = 0;
    for (const job of this.#jobs) {
      if (job.kind !== "append" || bytes >= GATHERED_BYTES_MAX) break;
      appends.push(job.append);
      bytes += job.append.bytes;
    }
    this.#jobs.splice(0, appends.length);
    return appends;
  }

  #appendGathered(appends: readonly Append[]): void {
    const spoiled = this.#spoiledForGood ?? this.#spoiledUntilCut;
    if (spoiled !== null) {
      this.#calls.soon(() => this.#refuse(appends, spoiled));
      return;
    }
    this.#isClean = false;
    const target = {
      calls: this.#calls,
      descriptor: this.#open.descriptor,
      offset: this.#lengthBytes,
    };
    const buffers = appends.flatMap((append) => append.chunks);
    writeFully(target, buffers, (error, writtenBytes) => {
      if (error !== null) this.#spoiledUntilCut = this.#failure(error, "append to");
      this.#settle(appends, writtenBytes, this.#spoiledUntilCut);
    });
  }

  #refuse(appends: readonly Append[], error: CrawlError): void {
    for (const append of appends) append.done(error);
    this.#finished();
  }

  /**
   * Answers appends of which the first `writtenBytes` bytes were written: each wholly or not at
   * all.
   */
  #settle(appends: readonly Append[], writtenBytes: number, error: CrawlError | null): void {
    let restBytes = writtenBytes;
    let failed = false;
    for (const append of appends) {
      failed = failed || (error !== null && append.bytes > restBytes);
      if (!failed) {
        restBytes -= append.bytes;
        this.#lengthBytes += append.bytes;
      }
      append.done(failed ? error : null);
    }
    // Only now: a callback may have appended more, and the next offset is known only here.
    this.#finished();
  }

  #syncNow(done: Acknowledge): void {
    uninterrupted(
      (answer) => this.#calls.fdatasync(this.#open.descriptor, answer),
      (error) => {
        if (error !== null) {
          this.#spoiledForGood = storageFailure(error, "make durable", this.name);
          done(this.#spoiledForGood);
        } else if (this.#isNameDurable) {
          this.#isClean = true;
          done(null);
        } else this.#syncName(done);
      },
    );
  }

  #syncName(done: Acknowledge): void {
    this.#open.syncName((systemError) => {
      const error = systemError && this.#failure(systemError, "make durable the name of");
      if (error === null) {
        this.#isClean = true;
        this.#isNameDurable = true;
      } else if (error.code !== "STORAGE_FULL") this.#spoiledForGood = error;
      done(error);
    });
  }

  #cutNow(lengthBytes: number, done: Acknowledge): void {
    this.#isClean = false;
    uninterrupted(
      (answer) => this.#calls.ftruncate(this.#open.descriptor, lengthBytes, answer),
      (error) => {
        // Also after a failure: no more than this is certain to be there.
        this.#lengthBytes = lengthBytes;
        if (this.#jobs.length === 0) this.#plannedBytes = this.#lengthBytes;
        this.#spoiledUntilCut = error === null ? null : this.#failure(error, "cut");
        done(this.#spoiledUntilCut);
      },
    );
  }

  #readNow(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    // Not from Buffer's shared pool, since the bytes will belong to the caller.
    const memory = Buffer.allocUnsafeSlow(lengthBytes);
    let gotBytes = 0;
    const round = (answer: (error: NodeJS.ErrnoException | null, count: number) => void): void =>
      this.#calls.read(
        this.#open.descriptor,
        memory,
        gotBytes,
        lengthBytes - gotBytes,
        offset + gotBytes,
        answer,
      );
    const got = (error: NodeJS.ErrnoException | null, count: number): void => {
      gotBytes += error === null ? count : 0;
      if (error !== null) done(this.#failure(error, "read"), undefined);
      else if (count > 0 && gotBytes < lengthBytes) uninterrupted(round, got);
      else done(null, new Uint8Array(memory.buffer, memory.byteOffset, gotBytes));
    };
    uninterrupted(round, got);
  }

  #failure(error: NodeJS.ErrnoException, doing: string): CrawlError {
    return storageError(error, doing, this.name);
  }
}
