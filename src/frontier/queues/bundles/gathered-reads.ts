/**
 * Reads of many small parts of one file, gathered: what is asked for while others are being read
 * goes to disk together when those have come, in the order of the file, neighbours as one read.
 * However long a turn of the event loop takes, all parts that were asked for in it need one or two
 * more turns, and a crawl whose hosts lie side by side in a bundle reads that bundle from its
 * beginning to its end.
 *
 * The reads under way are bounded, so that a write to the same disk does not wait behind hundreds
 * of them. Requests are served in their order; only inside a batch the order of the file counts.
 */
import type { Done } from "../../../base/seams/index.ts";

/** Parts that go to disk together. */
const PARTS_MAX = 128;
/** Parts that are this close are read as one: part of a disk page costs as much as all of it. */
const GAP_BYTES_MAX = 4096;
/** Reads are joined up to this length. */
const JOINED_BYTES_MAX = 128 * 1024;

type Read = (offset: number, lengthBytes: number, done: Done<Uint8Array>) => void;

interface Part {
  readonly offset: number;
  readonly lengthBytes: number;
  readonly done: Done<Uint8Array>;
}

export class GatheredReads {
  readonly #read: Read;
  readonly #waiting: Part[] = [];
  #underWay = 0;

  /** `read` answers later, never inside its call, with as many bytes as it was asked for. */
  constructor(read: Read) {
    this.#read = read;
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    this.#waiting.push({ offset, lengthBytes, done });
    if (this.#underWay === 0) this.#begin();
  }

  #begin(): void {
    const parts = this.#waiting.splice(0, PARTS_MAX);
    parts.sort((one, other) => one.offset - other.offset);
    for (let first = 0; first < parts.length; ) {
      const next = nextRead(parts, first);
      this.#start(parts.slice(first, next));
      first = next;
    }
  }

  #start(parts: readonly Part[]): void {
    const from = (parts[0] as Part).offset;
    const to = parts.reduce((end, part) => Math.max(end, endOf(part)), from);
    this.#underWay += 1;
    this.#read(from, to - from, (error, bytes) => {
      this.#underWay -= 1;
      // What the answers ask for is gathered into the batch after this one.
      if (this.#underWay === 0) this.#begin();
      for (const { offset, lengthBytes, done } of parts) {
        if (error !== null) done(error, undefined);
        else done(null, bytes.subarray(offset - from, offset - from + lengthBytes));
      }
    });
  }
}

/** The first part that is not read together with this one. */
function nextRead(parts: readonly Part[], first: number): number {
  const from = (parts[first] as Part).offset;
  let to = endOf(parts[first] as Part);
  let next = first + 1;
  for (; next < parts.length; next += 1) {
    const part = parts[next] as Part;
    if (part.offset - to > GAP_BYTES_MAX || endOf(part) - from > JOINED_BYTES_MAX) break;
    to = Math.max(to, endOf(part));
  }
  return next;
}

function endOf({ offset, lengthBytes }: Part): number {
  return offset + lengthBytes;
}
