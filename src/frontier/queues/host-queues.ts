/**
 * The queues of all hosts of a lane: what waits for its host's turn and has no room in memory.
 *
 * Contract for implementers and callers:
 * - Hosts are numbered by the caller with small dense integers, from 0; records are bytes that mean
 *   nothing here, at most `RECORD_BYTES_MAX` of them.
 * - `push` takes effect at once. A pull takes effect at the moment it answers, never before: until
 *   then `count` still counts its records, and a checkpoint taken before then still has them.
 * - A pull of a queue that is not empty answers with at least one record. It may answer with fewer
 *   than were asked for and are there.
 * - A queue may be pushed to while a pull is under way. The answer is the beginning of the queue as
 *   it is at the moment of answering.
 * - A queue whose bytes on disk are damaged answers every pull with `QUEUES_DAMAGED`; the others
 *   are not affected, and `drop` removes it.
 * - The caller asks for one checkpoint at a time, and tells with `committed`, before the next one, that
 *   it has recorded the marks durably. Until then the state that was recorded before can be opened too.
 */
import type { Position, Range } from "../../base/log/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { RecordBatch } from "./record-batch.ts";

/**
 * Which record of a host comes first: the oldest, the newest, or the oldest of those with the best
 * priority. Priorities are kept by bands (`bandOf`): inside a band the oldest comes first.
 */
export type QueueOrder = "fifo" | "lifo" | "priority";

/** The longest record: room for two URLs of the greatest length, and more. */
export const RECORD_BYTES_MAX: number = 196_608;

export interface HostQueues {
  /**
   * Puts a copy of the bytes [from, to) of `record` into the host's queue; always takes them, see
   * `isFull`. `priority` matters in priority order only: larger comes first. It is called for every
   * new URL, hence five parameters and no object.
   */
  push(host: number, record: Uint8Array, from: number, to: number, priority: number): void;

  /** True while too much waits to be written: the caller should hold back. */
  readonly isFull: boolean;

  /**
   * Takes up to `recordsMax` records, in the order of the queue; afterwards they are gone. Answers
   * never inside the call; one pull per host at a time. An empty queue gives an empty batch.
   */
  pull(host: number, recordsMax: number, done: Done<RecordBatch>): void;

  /** How many records the host has waiting. */
  count(host: number): number;

  /** How many records all hosts have waiting. */
  readonly total: number;

  /** What the queues hold in memory: records, what is known of each host, what is to be written. */
  readonly memoryBytes: number;

  /**
   * Forgets the queue of a host and returns how many records it had. A pull of this host that is
   * under way answers with an empty batch.
   */
  drop(host: number): number;

  /**
   * Makes the state of this moment durable and answers with the marks that bring it back. What is
   * pushed, pulled and dropped afterwards is undone when the queues are opened with them.
   */
  checkpoint(done: Done<QueueMarks>): void;

  /** The marks of the last checkpoint are recorded durably: files that only older ones need go. */
  committed(): void;

  /** Closes all files; what was done since the last checkpoint is lost. Pulls under way fail. */
  close(done: Acknowledge): void;
}

/** What a checkpoint records of the queues, and opening them takes: plain values. */
export interface QueueMarks {
  /** The bundles that count, the oldest first. */
  readonly bundles: readonly BundleMark[];
  /** What the next bundle will be called. */
  readonly nextBundle: number;
  /** The number of the oldest buffer whose records are in no bundle. */
  readonly buffer: number;
  /** Which part of the log of pushes has the records that are in no bundle. */
  readonly pushes: Range;
  /** Where the log of takes ends. */
  readonly takesEnd: Position;
}

export interface BundleMark {
  readonly id: number;
  /** How long its file is. */
  readonly fileBytes: number;
  /** Where in the log of takes to begin to look for what was taken from this bundle. */
  readonly takesFrom: Position;
}
