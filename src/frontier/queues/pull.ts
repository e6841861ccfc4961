/**
 * One pull. First it reads from the bundles what may be needed, from all of them at the same time,
 * since their directories say how many records are where. Then, in one step, it takes what was read
 * and what the buffers have, and answers. Until that step nothing has changed, so a checkpoint in
 * between still has every record.
 *
 * What was read stays valid until then, since a host has one pull at a time, and bundles that have
 * been merged can still be read. Only if a buffer has become a bundle since, records of that bundle
 * would be passed over; then the pull begins again.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Done } from "../../base/seams/index.ts";
import type { Bundle } from "./bundles/bundle.ts";
import { type FoundRecords, findRecords } from "./bundles/found-records.ts";
import type { QueueContents } from "./queue-contents.ts";
import { RecordBatch } from "./record-batch.ts";

/** How many parts a pull reads at a time, at most. */
const PARTS_MAX = 16;

export interface PullRequest {
  readonly contents: QueueContents;
  readonly isStack: boolean;
  /** The queues of the host, in the order of pulling. */
  readonly queues: readonly number[];
  readonly recordsMax: number;
  /** Calls back soon, but not inside the call. */
  later(callback: () => void): void;
}

/** A part of a bundle that has to be read: the first records of a queue there. */
interface Part {
  readonly bundle: Bundle;
  readonly queue: number;
  /** How many records of the queue are wanted; there are as many. */
  readonly records: number;
}

export class Pull {
  readonly #request: PullRequest;
  readonly #done: Done<RecordBatch>;
  /** The bundles when the pull began, in the order of pulling, and the number of thaws then. */
  #bundles: readonly Bundle[] = [];
  #thaws = 0;
  /** The queue at which the search ended: bundles may have more of it and of those behind it. */
  #queueIndex = 0;
  #found: readonly FoundRecords[] = [];
  #isDropped = false;
  #failure: CrawlError | null = null;

  constructor(request: PullRequest, done: Done<RecordBatch>) {
    this.#request = request;
    this.#done = done;
  }

  start(): void {
    if (!this.#look()) this.#request.later(() => this.#answer());
  }

  /** The host was dropped: the answer will be an empty batch. */
  drop(): void {
    this.#isDropped = true;
  }

  fail(error: CrawlError): void {
    this.#failure ??= error;
  }

  /** Begins to read what has to be read, all of it at once; false when nothing has to be. */
  #look(): boolean {
    const { contents, isStack } = this.#request;
    this.#hold(isStack ? contents.bundles.toReversed() : contents.bundles);
    this.#thaws = contents.thaws;
    this.#found = [];
    const parts = this.#plan();
    if (parts.length === 0) return false;
    const found: FoundRecords[] = new Array(parts.length);
    let unread = parts.length;
    for (const [at, { bundle, queue, records }] of parts.entries()) {
      findRecords(bundle, queue, records, (error, part) => {
        if (error !== null) this.fail(error);
        else found[at] = part;
        unread -= 1;
        if (unread > 0) return;
        if (this.#failure === null) this.#keep(parts, found);
        this.#answer();
      });
    }
    return true;
  }

  /** Where in the bundles the records are that may be needed. */
  #plan(): Part[] {
    const { queues, isStack, recordsMax } = this.#request;
    const parts: Part[] = [];
    let missing = recordsMax - (isStack ? this.#inBuffers(queues[0] ?? 0) : 0);
    this.#queueIndex = 0;
    for (const queue of queues) {
      for (const bundle of this.#bundles) {
        if (missing <= 0 || parts.length === PARTS_MAX) return parts;
        const { directory } = bundle.content;
        const place = directory.find(queue);
        const records = place < 0 ? 0 : Math.min(directory.recordsAt(place), missing);
        if (records > 0) parts.push({ bundle, queue, records });
        missing -= records;
      }
      if (!isStack) missing -= this.#inBuffers(queue);
      this.#queueIndex += 1;
    }
    return parts;
  }

  /** Keeps what was found, up to the first part that was not read as far as it was wanted. */
  #keep(parts: readonly Part[], found: readonly FoundRecords[]): void {
    const short = parts.findIndex(({ records }, at) => (found[at] as FoundRecords).count < records);
    this.#found = short < 0 ? found : found.slice(0, short + 1);
    if (short >= 0) this.#queueIndex = this.#request.queues.indexOf((parts[short] as Part).queue);
  }

  #answer(): void {
    const hasMissed = this.#request.contents.thaws !== this.#thaws;
    if (this.#isDropped) this.#end(null, new RecordBatch(0));
    else if (this.#failure !== null) this.#end(this.#failure, undefined);
    else if (!hasMissed) this.#end(null, this.#take());
    else if (!this.#look()) this.#answer();
  }

  #end(...outcome: Parameters<Done<RecordBatch>>): void {
    this.#hold([]);
    this.#done(...outcome);
  }

  /** Holds these bundles and releases those held before. */
  #hold(bundles: readonly Bundle[]): void {
    for (const bundle of bundles) bundle.hold();
    for (const bundle of this.#bundles) bundle.release();
    this.#bundles = bundles;
  }

  #take(): RecordBatch {
    const { contents, queues, recordsMax, isStack } = this.#request;
    const waiting = queues.reduce((sum, queue) => sum + contents.count(queue), 0);
    const batch = new RecordBatch(Math.min(recordsMax, waiting));
    const mostOf = (): number => recordsMax - batch.count;
    if (isStack) this.#takeFromBuffers(queues[0] ?? 0, batch, mostOf());
    for (const [index, queue] of queues.entries()) {
      for (const found of this.#found) {
        if (found.queue === queue) this.#takeFound(found, batch, mostOf());
      }
      if (isStack || index >= this.#queueIndex) break;
      this.#takeFromBuffers(queue, batch, mostOf());
    }
    return batch;
  }

  #takeFound(found: FoundRecords, batch: RecordBatch, recordsMax: number): void {
    const { bundle, queue } = found;
    const records = Math.min(found.count, recordsMax);
    if (records <= 0) return;
    const bytes = found.bytesOf(records);
    const base = batch.appendBytes(found.bytes, bytes);
    for (let index = 0; index < records; index += 1) {
      batch.add(base + (found.starts[index] as number), base + (found.ends[index] as number));
    }
    this.#request.contents.takeFromBundle(bundle, queue, { bytes, records });
  }

  #takeFromBuffers(queue: number, batch: RecordBatch, recordsMax: number): void {
    this.#request.contents.takeFromBuffers(queue, recordsMax, (buffer, address) => {
      const start = batch.append(buffer.lengthOf(address));
      buffer.copyTo(address, batch.bytes, start);
    });
  }

  #inBuffers(queue: number): number {
    const { contents } = this.#request;
    return contents.count(queue) - contents.recordsInBundles(queue);
  }
}
