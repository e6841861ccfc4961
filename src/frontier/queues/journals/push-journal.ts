/**
 * What happens to the buffers in memory, as a log: records that were pushed, records that were
 * taken before they were written to a bundle, and where each buffer begins. Replayed in order, it
 * restores the buffers.
 *
 * Each entry begins with its kind (1 byte) and a number (4): a push has the queue, the length (4)
 * and the bytes of the record; a take the queue, the buffer (4) and how many records (4); a
 * beginning the number of the buffer.
 */
import type { Journal } from "./journal.ts";

const PUSH = 1;
const TAKE = 2;
const BEGIN = 3;

export class PushJournal {
  readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  push(queue: number, record: Uint8Array, from: number, to: number): void {
    const lengthBytes = to - from;
    const { journal } = this;
    const at = this.#entry(PUSH, queue, 4 + lengthBytes);
    journal.view.setUint32(at, lengthBytes, true);
    const { bytes } = journal;
    for (let index = 0; index < lengthBytes; index += 1) {
      bytes[at + 4 + index] = record[from + index] as number;
    }
  }

  take(buffer: number, queue: number, records: number): void {
    const at = this.#entry(TAKE, queue, 8);
    this.journal.view.setUint32(at, buffer, true);
    this.journal.view.setUint32(at + 4, records, true);
  }

  begin(buffer: number): void {
    this.#entry(BEGIN, buffer, 0);
  }

  #entry(kind: number, number: number, moreBytes: number): number {
    const at = this.journal.reserve(5 + moreBytes);
    this.journal.view.setUint8(at, kind);
    this.journal.view.setUint32(at + 1, number, true);
    return at + 5;
  }
}

/** Applies the entries of a log. */
export interface PushReplay {
  push(queue: number, record: Uint8Array, from: number, to: number): void;
  /** False when there are fewer records. */
  take(buffer: number, queue: number, records: number): boolean;
  begin(buffer: number): void;
}

/** Applies the entries of a frame; false when it is not valid. */
export function replayPushes(payload: Uint8Array, replay: PushReplay): boolean {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  let at = 0;
  while (at < payload.length) {
    const bytes = replayEntry(payload, view, at, replay);
    if (bytes === 0) return false;
    at += bytes;
  }
  return true;
}

/** The length of the entry; 0 when it is not valid. */
function replayEntry(payload: Uint8Array, view: DataView, at: number, replay: PushReplay): number {
  const leftBytes = payload.length - at;
  if (leftBytes < 5) return 0;
  const kind = view.getUint8(at);
  const number = view.getUint32(at + 1, true);
  if (kind === BEGIN) {
    replay.begin(number);
    return 5;
  }
  if (kind === TAKE && leftBytes >= 13) {
    const isDone = replay.take(view.getUint32(at + 5, true), number, view.getUint32(at + 9, true));
    return isDone ? 13 : 0;
  }
  if (kind !== PUSH || leftBytes < 9) return 0;
  const entryBytes = 9 + view.getUint32(at + 5, true);
  if (entryBytes > leftBytes) return 0;
  replay.push(number, payload, at + 9, at + entryBytes);
  return entryBytes;
}
