/**
 * Opening a sieve on disk: the log is cut to where the marks say that the offers end, the runs they
 * name are opened and all others removed, and what they leave undecided is read again. After a process
 * that was killed, the text of later offers is kept instead, as far as it reached the disk, and decided
 * with the rest: whoever offered them was perhaps told that they are safe.
 */
import { type Log, type OpenedLog, openLog } from "../../base/log/index.ts";
import { openRunStack, type RunStack } from "../../base/runs/index.ts";
import {
  type Background,
  type Clock,
  type Done,
  type FileName,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { DEPTH_BYTES } from "./decide-batch.ts";
import { DiskSieve } from "./disk-sieve.ts";
import { GrowingSieve } from "./growing-sieve.ts";
import type { Sieve, SieveListener, SieveMarks } from "./sieve.ts";
import { emptyState, readState, type SieveState } from "./sieve-state.ts";
import { SMALL_TEXT_BYTES_MAX } from "./small-sieve.ts";

export interface DiskSieveOptions {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly background: Background;
  /** The salt of a new log is drawn from it. */
  readonly random: Random;
  /** The sieve has this folder to itself. */
  readonly folder: FileName;
  readonly listener: SieveListener;
  /** Whether depths are kept and improvements told; fixed for the life of a sieve. */
  readonly withDepth: boolean;
  /**
   * What the sieve may occupy, here and in the background: seven eighths for offers, at about 40
   * bytes each, the rest for their text until it is written (half a megabyte at least).
   */
  readonly memoryBytes: number;
  /** What a checkpoint answered; null for an empty sieve, whatever is in the folder. */
  readonly marks: SieveMarks | null;
  /** How many records a slice of a merge takes. */
  readonly sliceRecords?: number;
  /** Up to this many keys it decides in memory; 0 for never. */
  readonly smallKeysMax?: number;
  /** How long a file of the log grows. */
  readonly segmentBytesMax?: number;
}

/** Some megabytes; a millisecond or two to write. */
const SMALL_KEYS_MAX = 50_000;

/** Keys twice (filling, frozen), space to sort them, verdicts, what look-ups find: 36 to 43. */
const OFFER_BYTES = 40;
/** An eighth of the memory is for text that waits to be written, within these bounds. */
const TEXT_PART = 8;
const TEXT_BYTES_MIN = 512 * 1024;
const TEXT_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Opens the sieve at the moment of the marks. `LOG_OUT_OF_RANGE`, `RUN_DAMAGED` when its files are
 * no longer those of that moment; `SIEVE_MARKS_UNREADABLE` when the marks cannot be read.
 */
export function openDiskSieve(options: DiskSieveOptions, done: Done<Sieve>): void {
  const { storage, random, folder, marks, withDepth } = options;
  const name = `${folder}/text`;
  const pendingBytesMax = textBytes(options);
  const state = marks === null ? null : readState(marks, withDepth);
  if (state instanceof Error) {
    storage.freeBytes(() => done(state, undefined));
    return;
  }
  const start = ({ log }: OpenedLog): void => {
    const settle: Done<Sieve> = (...outcome) => {
      if (outcome[0] === null) done(...outcome);
      else log.close(() => done(...outcome));
    };
    cutAndOpen(options, log, state ?? emptyState(log.begin, withDepth), settle);
  };
  const { segmentBytesMax } = options;
  const sizes = segmentBytesMax === undefined ? {} : { segmentBytesMax };
  const durable = { framing: "binary", durableEnd: state?.to ?? 0 } as const;
  const logOptions = { storage, random, name, pendingBytesMax, ...durable };
  openLog({ ...logOptions, ...sizes }, withValue(done, start));
}

function textBytes({ memoryBytes }: DiskSieveOptions): number {
  return Math.min(TEXT_BYTES_MAX, Math.max(TEXT_BYTES_MIN, Math.floor(memoryBytes / TEXT_PART)));
}

function cutAndOpen(
  options: DiskSieveOptions,
  log: Log,
  state: SieveState,
  done: Done<Sieve>,
): void {
  log.cutTo(
    state.to,
    whenDone(done, () => openRuns(options, log, state, done)),
  );
}

function openRuns(options: DiskSieveOptions, log: Log, state: SieveState, done: Done<Sieve>): void {
  const { clock, storage, background, folder, listener, withDepth, memoryBytes, marks } = options;
  const { smallKeysMax = SMALL_KEYS_MAX } = options;
  const runOptions = {
    storage,
    background,
    folder: `${folder}/runs`,
    payloadBytes: withDepth ? DEPTH_BYTES : 0,
    ...(options.sliceRecords === undefined ? {} : { sliceRecords: options.sliceRecords }),
  };
  const keyBytes = memoryBytes - Math.min(textBytes(options), memoryBytes / TEXT_PART);
  const batchOffers = Math.max(1, Math.floor(keyBytes / OFFER_BYTES));
  const isSmall =
    smallKeysMax > 0 &&
    state.runs.runs.length === 0 &&
    state.to - state.from <= SMALL_TEXT_BYTES_MAX;
  const start = (stack: RunStack): void => {
    const parts = { storage, background, listener, log, stack, withDepth, batchOffers };
    const sieve = isSmall
      ? new GrowingSieve({ ...parts, clock, smallKeysMax }, state)
      : new DiskSieve(parts, state, marks === null);
    done(null, sieve);
    sieve.start();
  };
  openRunStack(runOptions, state.runs, withValue(done, start));
}
