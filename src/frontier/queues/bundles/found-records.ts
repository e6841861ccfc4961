/**
 * Records of one queue that were read from a bundle, in the order of pulling: where each begins and
 * ends in the bytes that were read.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import type { Bundle } from "./bundle.ts";
import { ENCODED_BYTES_MAX, encodedBytes, isSound, lengthAt } from "./bundle-layout.ts";

/** Most pulls ask for a few dozen records of a hundred bytes; a disk reads at least this much. */
const READ_BYTES_MIN = 2048;
const READ_BYTES_MAX = 128 * 1024;

export class FoundRecords {
  readonly bundle: Bundle;
  readonly queue: number;
  readonly bytes: Uint8Array;
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  constructor(bundle: Bundle, queue: number, bytes: Uint8Array) {
    this.bundle = bundle;
    this.queue = queue;
    this.bytes = bytes;
  }

  get count(): number {
    return this.ends.length;
  }

  /** How many bytes of the bundle its first `records` records are. */
  bytesOf(records: number): number {
    return this.ends[records - 1] ?? 0;
  }

  /** Finds up to `recordsMax` whole records; false when one of them is damaged. */
  scan(recordsMax: number): boolean {
    const { bytes, queue } = this;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    while (this.count < recordsMax) {
      const lengthBytes = lengthAt(view, at);
      const end = at + encodedBytes(lengthBytes);
      if (lengthBytes < 0 || end > bytes.length) break;
      if (!isSound(view, queue, end - lengthBytes, lengthBytes)) return false;
      this.starts.push(end - lengthBytes);
      this.ends.push(end);
      at = end;
    }
    return true;
  }
}

/** The first records that a bundle has of a queue: one at least, when there are any. */
export function findRecords(
  bundle: Bundle,
  queue: number,
  recordsMax: number,
  done: Done<FoundRecords>,
): void {
  const { directory } = bundle.content;
  const recordBytes = directory.liveBytes / directory.liveRecords;
  // A third more than the average, as some records are longer.
  const likelyBytes = Math.ceil(recordBytes * recordsMax * 1.33);
  const wantedBytes = Math.min(Math.max(likelyBytes, READ_BYTES_MIN), READ_BYTES_MAX);
  readRecords({ bundle, queue, recordsMax, wantedBytes }, done);
}

interface Search {
  readonly bundle: Bundle;
  readonly queue: number;
  readonly recordsMax: number;
  readonly wantedBytes: number;
}

function readRecords(search: Search, done: Done<FoundRecords>): void {
  const { bundle, queue, recordsMax, wantedBytes } = search;
  const { directory } = bundle.content;
  const place = directory.find(queue);
  const takenBytes = directory.takenBytesAt(place);
  const offset = directory.startAt(place) + takenBytes;
  const leftBytes = directory.lengthAt(place) - takenBytes;
  const records = directory.recordsAt(place);
  bundle.readSome(offset, Math.min(wantedBytes, leftBytes), (error, bytes) => {
    if (error !== null) return done(error, undefined);
    const found = new FoundRecords(bundle, queue, bytes);
    const failed = (fault: CrawlError): void => done(fault, undefined);
    if (!found.scan(Math.min(recordsMax, records))) failed(bundle.damaged(queue, offset));
    else if (found.count > 0) done(null, found);
    else if (wantedBytes < ENCODED_BYTES_MAX && bytes.length < leftBytes) {
      readRecords({ ...search, wantedBytes: ENCODED_BYTES_MAX }, done);
    } else failed(bundle.damaged(queue, offset));
  });
}
