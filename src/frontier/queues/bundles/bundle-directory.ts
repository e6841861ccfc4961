/**
 * What memory holds of a bundle: for each queue in it where its part begins, how much of that has
 * been taken, and how many records are left. Sixteen bytes for each queue of each bundle, in typed
 * arrays.
 *
 * Queues are added in ascending order and found by binary search. Only the lower half of where a
 * part begins is kept; as the parts follow each other, it is enough to know which of them is the
 * first beyond each 4 GiB.
 */
import assert from "node:assert/strict";

const HALF = 2 ** 32;
const GROWTH = 1.5;

export class BundleDirectory {
  #queues: Uint32Array;
  #starts: Uint32Array;
  #takenBytes: Uint32Array;
  #records: Uint32Array;
  #count = 0;
  /** The places of the first parts that begin beyond 4 GiB, 8 GiB and so on. */
  readonly #wraps: number[] = [];
  /** Where the last part ends. */
  #end: number;
  #liveBytes = 0;
  #liveRecords = 0;

  /** `begin` is where the first part will begin. */
  constructor(begin: number, capacity: number = 1024) {
    this.#queues = new Uint32Array(capacity);
    this.#starts = new Uint32Array(capacity);
    this.#takenBytes = new Uint32Array(capacity);
    this.#records = new Uint32Array(capacity);
    this.#end = begin;
  }

  /** How many queues there are. */
  get count(): number {
    return this.#count;
  }

  get end(): number {
    return this.#end;
  }

  /** Bytes of records that are left. */
  get liveBytes(): number {
    return this.#liveBytes;
  }

  get liveRecords(): number {
    return this.#liveRecords;
  }

  get memoryBytes(): number {
    return this.#queues.length * 16;
  }

  /** Begins the part of a queue, greater than those before; `extend` fills it. */
  add(queue: number): void {
    const place = this.#count;
    if (place === this.#queues.length) this.#resize(Math.ceil(place * GROWTH));
    assert(place === 0 || queue > this.queueAt(place - 1), "queues are added in order");
    while (this.#end >= (this.#wraps.length + 1) * HALF) this.#wraps.push(place);
    this.#queues[place] = queue;
    this.#starts[place] = this.#end % HALF;
    this.#takenBytes[place] = 0;
    this.#records[place] = 0;
    this.#count = place + 1;
  }

  /** Adds to the part that was begun last. */
  extend(bytes: number, records: number): void {
    const place = this.#count - 1;
    this.#end += bytes;
    this.#records[place] = this.recordsAt(place) + records;
    this.#liveBytes += bytes;
    this.#liveRecords += records;
    assert(this.lengthAt(place) < HALF, "the part of one queue is shorter than 4 GiB");
  }

  /** Frees spare memory; nothing is added afterwards. */
  seal(): void {
    this.#resize(this.#count);
  }

  /** The place of a queue; -1 when it has no part. */
  find(queue: number): number {
    let low = 0;
    let high = this.#count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.#queues[middle] as number;
      if (found === queue) return middle;
      if (found < queue) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  queueAt(place: number): number {
    return this.#queues[place] ?? 0;
  }

  /** Where the part begins, including what was taken of it. */
  startAt(place: number): number {
    let wraps = 0;
    while (wraps < this.#wraps.length && place >= (this.#wraps[wraps] ?? 0)) wraps += 1;
    return wraps * HALF + (this.#starts[place] ?? 0);
  }

  lengthAt(place: number): number {
    const end = place + 1 < this.#count ? this.startAt(place + 1) : this.#end;
    return end - this.startAt(place);
  }

  takenBytesAt(place: number): number {
    return this.#takenBytes[place] ?? 0;
  }

  /** How many records are left. */
  recordsAt(place: number): number {
    return this.#records[place] ?? 0;
  }

  /** Sets what is taken in all and what is left: for the replay of logged takes. */
  setTaken(place: number, takenBytes: number, records: number): void {
    this.#liveBytes -= takenBytes - this.takenBytesAt(place);
    this.#liveRecords -= this.recordsAt(place) - records;
    this.#takenBytes[place] = takenBytes;
    this.#records[place] = records;
  }

  /** Takes from the front of a part. */
  take(place: number, bytes: number, records: number): void {
    const takenBytes = this.takenBytesAt(place) + bytes;
    const left = this.recordsAt(place) - records;
    assert(left >= 0 && takenBytes <= this.lengthAt(place), "no more is taken than is there");
    this.setTaken(place, takenBytes, left);
  }

  #resize(capacity: number): void {
    this.#queues = resized(this.#queues, capacity);
    this.#starts = resized(this.#starts, capacity);
    this.#takenBytes = resized(this.#takenBytes, capacity);
    this.#records = resized(this.#records, capacity);
  }
}

function resized(numbers: Uint32Array, capacity: number): Uint32Array {
  const others = new Uint32Array(capacity);
  others.set(numbers.length > capacity ? numbers.subarray(0, capacity) : numbers);
  return others;
}
