/**
 * One pull: first looks up in the runs what may be needed, which takes reading from disk; then, at
 * one moment, takes what it looked up and what the buffers have, and answers. Until that moment
 * nothing has changed, so a checkpoint in between still has every record.
 *
 * What was looked up stays true meanwhile, since nobody else takes from the queues of this host,
 * and runs that are merged away can still be read. Only when a buffer has become a run, its records
 * would be missed in their order; then the pull begins again.
 */
import type { CrawlError } from "../errors/index.ts";
import type { Done } from "../seams/index.ts";
import { BatchMaker } from "./batch-maker.ts";
import { type FoundRecords, findRecords } from "./found-records.ts";
import type { QueueContents } from "./queue-contents.ts";
import type { QueueRun } from "./queue-run.ts";
import type { RecordBatch } from "./record-batch.ts";

/** A pull looks no further when it has so much. */
const FOUND_BYTES_MAX = 128 * 1024;

export interface PullRequest {
  readonly contents: QueueContents;
  readonly isStack: boolean;
  /** The queues of the host, in the order of pulling. */
  readonly queues: readonly number[];
  readonly recordsMax: number;
  /** Calls back soon, but not at once. */
  later(callback: () => void): void;
}

export class Pull {
  readonly #request: PullRequest;
  readonly #done: Done<RecordBatch>;
  /** The runs when the pull began, in the order of pulling, and how many buffers were runs then. */
  #runs: readonly QueueRun[] = [];
  #thaws = 0;
  /** Where looking up has come to: a queue, and a run in which that may be. */
  #queueIndex = 0;
  #runIndex = 0;
  #found: FoundRecords[] = [];
  #foundBytes = 0;
  /** How many records are still to be found. */
  #missing = 0;
  #isDropped = false;
  #failure: CrawlError | null = null;

  constructor(request: PullRequest, done: Done<RecordBatch>) {
    this.#request = request;
    this.#done = done;
  }

  start(): void {
    this.#begin();
    if (this.#hasToRead()) this.#look();
    else this.#request.later(() => this.#answer());
  }

  /** The host was dropped: there is nothing left to answer with. */
  drop(): void {
    this.#isDropped = true;
  }

  fail(error: CrawlError): void {
    this.#failure ??= error;
  }

  #begin(): void {
    const { contents, isStack, recordsMax, queues } = this.#request;
    this.#hold(isStack ? contents.runs.toReversed() : contents.runs);
    this.#thaws = contents.thaws;
    this.#queueIndex = 0;
    this.#runIndex = 0;
    this.#found = [];
    this.#foundBytes = 0;
    this.#missing = recordsMax;
    if (isStack) this.#missing -= this.#inBuffers(queues[0] ?? 0);
  }

  /** Goes to the next part of a run that has to be read, if one has to be. */
  #hasToRead(): boolean {
    const { queues, isStack } = this.#request;
    for (; this.#queueIndex < queues.length; this.#queueIndex += 1) {
      if (this.#missing <= 0) return false;
      const queue = queues[this.#queueIndex] as number;
      for (; this.#runIndex < this.#runs.length; this.#runIndex += 1) {
        const { directory } = (this.#runs[this.#runIndex] as QueueRun).content;
        const place = directory.find(queue);
        if (place >= 0 && directory.recordsAt(place) > 0) return true;
      }
      this.#runIndex = 0;
      if (!isStack) this.#missing -= this.#inBuffers(queue);
    }
    return false;
  }

  /** Reads where it has to be read, and goes on from there. */
  #look(): void {
    const run = this.#runs[this.#runIndex] as QueueRun;
    const queue = this.#request.queues[this.#queueIndex] as number;
    findRecords(run, queue, this.#missing, (error, found) => {
      if (error !== null) this.fail(error);
      else {
        this.#found.push(found);
        this.#foundBytes += found.bytes.length;
        this.#missing -= found.count;
        this.#runIndex += 1;
        const isEnough = !found.isWhole || this.#foundBytes >= FOUND_BYTES_MAX;
        if (!isEnough && !this.#isDropped && this.#failure === null && this.#hasToRead()) {
          this.#look();
          return;
        }
      }
      this.#answer();
    });
  }

  #answer(): void {
    const hasMissed = this.#request.contents.thaws !== this.#thaws;
    if (this.#failure !== null) this.#end(this.#failure, undefined);
    else if (this.#isDropped) this.#end(null, new BatchMaker(0).batch);
    else if (!hasMissed) this.#end(null, this.#take());
    else {
      this.#begin();
      if (this.#hasToRead()) this.#look();
      else this.#answer();
    }
  }

  #end(...outcome: Parameters<Done<RecordBatch>>): void {
    this.#hold([]);
    this.#done(...outcome);
  }

  /** Keeps these runs readable, and lets the others go. */
  #hold(runs: readonly QueueRun[]): void {
    for (const run of runs) run.hold();
    for (const run of this.#runs) run.release();
    this.#runs = runs;
  }

  #take(): RecordBatch {
    const { contents, queues, recordsMax, isStack } = this.#request;
    const waiting = queues.reduce((sum, queue) => sum + contents.count(queue), 0);
    const maker = new BatchMaker(Math.min(recordsMax, waiting));
    const mostOf = (): number => recordsMax - maker.batch.count;
    if (isStack) this.#takeFromBuffers(queues[0] ?? 0, maker, mostOf());
    for (const [index, queue] of queues.entries()) {
      for (const found of this.#found) {
        if (found.queue === queue) this.#takeFound(found, maker, mostOf());
      }
      // Behind the queue at which looking up ended there may be more in runs.
      if (isStack || index >= this.#queueIndex) break;
      this.#takeFromBuffers(queue, maker, mostOf());
    }
    return maker.batch;
  }

  #takeFound(found: FoundRecords, maker: BatchMaker, recordsMax: number): void {
    const { run, queue } = found;
    const records = Math.min(found.count, recordsMax);
    if (records <= 0) return;
    maker.addFound(found, records);
    this.#request.contents.takeFromRun(run, queue, { bytes: found.bytesOf(records), records });
  }

  #takeFromBuffers(queue: number, maker: BatchMaker, recordsMax: number): void {
    this.#request.contents.takeFromBuffers(queue, recordsMax, (buffer, address) =>
      maker.addFrom(buffer, address),
    );
  }

  #inBuffers(queue: number): number {
    const { contents } = this.#request;
    return contents.count(queue) - contents.recordsInRuns(queue);
  }
}
