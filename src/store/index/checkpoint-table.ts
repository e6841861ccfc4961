/**
 * The checkpoint of a crawl, in `crawl.db`: named values that belong to one moment, written in one
 * transaction. While a crawl runs its checkpoint is *open*: what it says no longer holds. It is *whole*
 * again when the crawl has ended in order.
 */
import {
  type Acknowledge,
  type Database,
  type Databases,
  type Done,
  type Task,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { CHECKPOINTS, INDEX_FILE, INDEX_SHAPE } from "./page-table.ts";

/** Bytes by name. */
export type Checkpoint = ReadonlyMap<string, Uint8Array>;

const STATE_MARK = "checkpoint";
const WHOLE = "whole";
const OPEN = "open";
const ROWS_PER_SCAN = 1000;

/** Null if there is none that is whole. */
export function readCheckpoint(databases: Databases, done: Done<Checkpoint | null>): void {
  databases.open(
    INDEX_FILE,
    INDEX_SHAPE,
    withValue(done, (database) =>
      database.marks(
        withValue(done, (marks) => {
          if (marks[STATE_MARK] === WHOLE) readRows(database, new Map(), null, done);
          else done(null, null);
        }),
      ),
    ),
  );
}

/** The same for a process that only looks at it, and closes the database again. */
export function peekCheckpoint(databases: Databases, done: Done<Checkpoint | null>): void {
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
      for (const { name, value } of rows) values.set(String(name), value as Uint8Array);
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
}

/** Replaces the checkpoint, which is whole from then on. */
export const writeCheckpoint: Task<CheckpointToWrite, null> = {
  module: import.meta.url,
  name: "writeCheckpoint",
  run({ values, dropped }, { databases }, done) {
    const put = Array.from(values, ([name, value]) => ({
      table: CHECKPOINTS,
      row: { name, value },
    }));
    const remove = dropped.map((key) => ({ table: CHECKPOINTS, key }));
    databases.open(
      INDEX_FILE,
      INDEX_SHAPE,
      withValue(done, (database) =>
        database.commit(
          { put, remove, marks: { [STATE_MARK]: WHOLE } },
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
