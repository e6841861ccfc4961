/**
 * The checkpoint of a crawl, in `crawl.db`: named values that belong to one moment, written in one
 * transaction. While a crawl runs its checkpoint is *open*: more has happened since. It is *whole* when
 * the crawl has ended in order.
 */
import { crc32 } from "node:zlib";
import {
  type Acknowledge,
  type Database,
  type Databases,
  type Done,
  type Task,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { damagedIndex } from "./index-marks.ts";
import { CHECKPOINTS, INDEX_FILE, INDEX_SHAPE } from "./page-table.ts";

/** Bytes by name. */
export type Checkpoint = ReadonlyMap<string, Uint8Array>;

const STATE_MARK = "checkpoint";
const WHOLE = "whole";
const OPEN = "open";
const ROWS_PER_SCAN = 1000;

export interface FoundCheckpoint {
  readonly values: Checkpoint;
  /** Whether the crawl ended in order. */
  readonly isWhole: boolean;
}

const SUM_BYTES = 4;

/** A value as it is stored: SQLite does not notice altered bytes. */
function withSum(name: string, value: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(value.length + SUM_BYTES);
  bytes.set(value);
  bytes.writeUInt32LE(crc32(value, crc32(name)), value.length);
  return bytes;
}

/** Null if it is not as it was written. */
function checkedValue(name: string, stored: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  const value = bytes.subarray(0, Math.max(0, bytes.length - SUM_BYTES));
  const isWhole =
    bytes.length >= SUM_BYTES && bytes.readUInt32LE(value.length) === crc32(value, crc32(name));
  return isWhole ? value : null;
}

/** Null if none was ever written. */
export function readCheckpoint(databases: Databases, done: Done<FoundCheckpoint | null>): void {
  databases.open(
    INDEX_FILE,
    INDEX_SHAPE,
    withValue(done, (database) =>
      database.marks(
        withValue(done, (marks) => {
          const isWhole = marks[STATE_MARK] === WHOLE;
          const found = (values: Checkpoint): void =>
            done(null, values.size === 0 ? null : { values, isWhole });
          readRows(database, new Map(), null, withValue(done, found));
        }),
      ),
    ),
  );
}

/** The same for a process that only looks at it, and closes the database again. */
export function peekCheckpoint(databases: Databases, done: Done<FoundCheckpoint | null>): void {
  readCheckpoint(databases, (error, checkpoint) => {
    databases.close(INDEX_FILE, (closeError) => {
      const failure = error ?? closeError;
      if (failure !== null) done(failure, undefined);
      else done(null, checkpoint ?? null);
    });
  });
}

function readRows(
  database: Database,
  values: Map<string, Uint8Array>,
  after: string | null,
  done: Done<Checkpoint>,
): void {
  database.scan(
    CHECKPOINTS,
    after,
    ROWS_PER_SCAN,
    withValue(done, (rows) => {
      for (const { name, value } of rows) {
        const bytes = checkedValue(String(name), value as Uint8Array);
        if (bytes === null) {
          done(damagedIndex(`the value ${name} of its checkpoint`), undefined);
          return;
        }
        values.set(String(name), bytes);
      }
      const last = rows.at(-1);
      if (last === undefined) done(null, values);
      else readRows(database, values, String(last["name"]), done);
    }),
  );
}

/** The crawl goes on: its checkpoint is open from now on. */
export function openCheckpoint(databases: Databases, done: Acknowledge): void {
  databases.open(
    INDEX_FILE,
    INDEX_SHAPE,
    withValue(done, (database) => database.commit({ marks: { [STATE_MARK]: OPEN } }, done)),
  );
}

export interface CheckpointToWrite {
  readonly values: Checkpoint;
  /** Names that the last one had and this one has not. */
  readonly dropped: readonly string[];
  /** Whether the crawl has ended. */
  readonly isWhole: boolean;
}

/** Puts the values into the checkpoint; those that are not named stay. */
export const writeCheckpoint: Task<CheckpointToWrite, null> = {
  module: import.meta.url,
  name: "writeCheckpoint",
  run({ values, dropped, isWhole }, { databases }, done) {
    const put = Array.from(values, ([name, value]) => ({
      table: CHECKPOINTS,
      row: { name, value: withSum(name, value) },
    }));
    const remove = dropped.map((key) => ({ table: CHECKPOINTS, key }));
    databases.open(
      INDEX_FILE,
      INDEX_SHAPE,
      withValue(done, (database) =>
        database.commit(
          { put, remove, marks: { [STATE_MARK]: isWhole ? WHOLE : OPEN } },
          whenDone(done, () =>
            databases.close(
              INDEX_FILE,
              whenDone(done, () => done(null, null)),
            ),
          ),
        ),
      ),
    );
  },
};
