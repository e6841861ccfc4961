/**
 * What all queues hold, wherever it lies: in the bundles, the oldest first; in the frozen buffer,
 * which is being written to a bundle; in the active buffer. First-in first-out takes from them in
 * this order, last-in first-out in the opposite one.
 *
 * Everything here is synchronous and in memory. Every change is written to a journal, so that the
 * journals up to some moment restore the state of that moment.
 */
import type { Position } from "../../base/log/index.ts";
import type { BufferFlush } from "./bundles/buffer-flush.ts";
import type { Bundle } from "./bundles/bundle.ts";
import type { PushJournal } from "./journals/push-journal.ts";
import type { TakeJournal } from "./journals/take-journal.ts";
import { QueueNumbers } from "./queue-numbers.ts";
import { NO_RECORD, RecordBuffer } from "./record-buffer.ts";

export interface ContentsOptions {
  readonly pushes: PushJournal;
  readonly takes: TakeJournal;
  readonly isStack: boolean;
  /** How many bytes a buffer has when it is time to write it. */
  readonly bufferBytes: number;
}

/** A buffer as the journal of pushes knows it. */
export interface NumberedBuffer {
  readonly number: number;
  /** A position in the journal before which nothing concerns this buffer. */
  readonly from: Position;
  readonly buffer: RecordBuffer;
}

/** Gets each record that is taken from a buffer, before it is removed. */
export type RecordSink = (buffer: RecordBuffer, address: number) => void;

export class QueueContents {
  readonly #options: ContentsOptions;
  readonly #counts = new QueueNumbers();
  /** The bundles that count, the oldest first; replaced as a whole, never changed. */
  bundles: readonly Bundle[] = [];
  active: NumberedBuffer;
  frozen: NumberedBuffer | null = null;
  /** The writing of the frozen buffer, when it is under way. */
  flush: BufferFlush | null = null;
  /** The number of the buffer that will be active next. */
  nextBuffer: number;
  #spare: RecordBuffer | null = null;
  #total = 0;
  #thaws = 0;

  /** `first` is where the first buffer begins in the journal. */
  constructor(options: ContentsOptions, first: { number: number; from: Position }) {
    this.#options = options;
    this.active = { ...first, buffer: this.#newBuffer() };
    this.nextBuffer = first.number + 1;
  }

  get total(): number {
    return this.#total;
  }

  /** How many buffers have become bundles. */
  get thaws(): number {
    return this.#thaws;
  }

  count(queue: number): number {
    return this.#counts.get(queue);
  }

  get memoryBytes(): number {
    const buffers = [this.active.buffer, this.frozen?.buffer ?? null, this.#spare];
    return (
      this.#counts.memoryBytes +
      buffers.reduce((sum, buffer) => sum + (buffer?.memoryBytes ?? 0), 0) +
      this.bundles.reduce((sum, bundle) => sum + bundle.content.directory.memoryBytes, 0)
    );
  }

  get isActiveFull(): boolean {
    return this.active.buffer.bytes >= this.#options.bufferBytes;
  }

  push(queue: number, record: Uint8Array, from: number, to: number): void {
    this.#options.pushes.push(queue, record, from, to);
    this.add(queue, record, from, to);
  }

  /** As `push`, for a record that is in the journal already. */
  add(queue: number, record: Uint8Array, from: number, to: number): void {
    this.active.buffer.push(queue, record, from, to);
    this.countMore(queue, 1);
  }

  /** For opening: counts records that are in bundles. */
  countMore(queue: number, records: number): void {
    this.#counts.set(queue, this.#counts.get(queue) + records);
    this.#total += records;
  }

  /** The active buffer is to be written; another one takes its place. */
  freeze(): void {
    const { pushes } = this.#options;
    const number = this.nextBuffer;
    this.nextBuffer += 1;
    pushes.journal.seal();
    this.frozen = this.active;
    const buffer = this.#spare ?? this.#newBuffer();
    this.active = { number, from: pushes.journal.position, buffer };
    this.#spare = null;
    pushes.begin(number);
  }

  /** The oldest buffer whose records are in no bundle. */
  get oldest(): NumberedBuffer {
    return this.frozen ?? this.active;
  }

  /** The frozen buffer has been written; its bundle takes its place. */
  thaw(bundle: Bundle): void {
    this.flush = null;
    this.#spare = this.frozen?.buffer ?? null;
    this.#spare?.clear();
    this.frozen = null;
    this.bundles = [...this.bundles, bundle];
    this.#thaws += 1;
  }

  /** How many of a queue's records are in the bundles. */
  recordsInBundles(queue: number): number {
    let records = 0;
    for (const { content } of this.bundles) {
      const place = content.directory.find(queue);
      if (place >= 0) records += content.directory.recordsAt(place);
    }
    return records;
  }

  /** Takes up to `recordsMax` records from the buffers, in order; returns how many. */
  takeFromBuffers(queue: number, recordsMax: number, sink: RecordSink): number {
    const { active, frozen } = this;
    const order = this.#options.isStack ? [active, frozen] : [frozen, active];
    let taken = 0;
    for (const numbered of order) {
      if (numbered !== null) taken += this.#takeFrom(numbered, queue, recordsMax - taken, sink);
    }
    return taken;
  }

  takeFromBundle(bundle: Bundle, queue: number, part: { bytes: number; records: number }): void {
    this.#options.takes.take(bundle.content, queue, part.bytes, part.records);
    this.#countLess(queue, part.records);
  }

  /** For replaying: takes from the active buffer what the journal says was taken. */
  takeAgain(queue: number, records: number): boolean {
    const { buffer } = this.active;
    for (let count = 0; count < records; count += 1) {
      if (buffer.first(queue) === NO_RECORD) return false;
      buffer.removeFirst(queue);
      this.#countLess(queue, 1);
    }
    return true;
  }

  /** Takes everything that a queue has; returns how many records that was. */
  drop(queue: number): number {
    const count = this.count(queue);
    for (const bundle of this.bundles) {
      const { directory } = bundle.content;
      const place = directory.find(queue);
      const records = place < 0 ? 0 : directory.recordsAt(place);
      if (records === 0) continue;
      const bytes = directory.lengthAt(place) - directory.takenBytesAt(place);
      this.takeFromBundle(bundle, queue, { bytes, records });
    }
    this.takeFromBuffers(queue, count, () => undefined);
    return count;
  }

  #takeFrom(
    { number, buffer }: NumberedBuffer,
    queue: number,
    recordsMax: number,
    sink: RecordSink,
  ): number {
    const isFrozen = buffer === this.frozen?.buffer;
    let taken = 0;
    for (; taken < recordsMax; taken += 1) {
      const first = buffer.first(queue);
      if (first === NO_RECORD) break;
      sink(buffer, first);
      if (isFrozen) this.flush?.taking(queue);
      buffer.removeFirst(queue);
    }
    if (taken > 0) {
      this.#options.pushes.take(number, queue, taken);
      this.#countLess(queue, taken);
    }
    return taken;
  }

  #countLess(queue: number, records: number): void {
    this.#counts.set(queue, this.#counts.get(queue) - records);
    this.#total -= records;
  }

  #newBuffer(): RecordBuffer {
    const { isStack, bufferBytes } = this.#options;
    return new RecordBuffer({ isStack, bytesMax: bufferBytes });
  }
}
