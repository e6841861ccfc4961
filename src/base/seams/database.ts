/**
 * The seam to the one transactional store of a lane: rows of a few declared tables, and *marks*
 * (named values such as the lengths of the logs), changed together.
 *
 * Contract for implementers and callers:
 * - A commit is durable wholly or not at all: after a crash either every change of it is there or
 *   none, and if it was answered without error, all are.
 * - Commits take effect in the order of the calls. One that fails does not stop those behind it: a
 *   caller that needs one before the other waits for its answer.
 * - After `DATABASE_FULL` and `DATABASE_LOCKED` nothing of the commit is there and it can be
 *   repeated. After any other error it is there wholly or not at all; opening the database again
 *   shows which.
 * - What does not fit the declared tables (an unknown table, a missing, unknown or wrongly typed
 *   column, a key of null) is a programming error, found inside the call.
 * - Bytes handed over belong to the database until it answers; rows handed out to the caller.
 */
import type { Acknowledge, Done } from "./done.ts";
import type { FileName } from "./storage.ts";

/**
 * In a column of type integer a number must be a safe integer (up to 2^53 - 1 either way); in one
 * of type real it must be finite; -0 comes back as 0. Text must be well-formed, that is, without
 * half a surrogate pair.
 */
export type Value = string | number | Uint8Array | null;

/**
 * One row: a value for each column of its table, no more and no less. Only the key is never null.
 */
export type Row = Readonly<Record<string, Value>>;

export interface TableShape {
  /** The column that identifies a row; of type text or integer. */
  readonly key: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
}

export type ColumnType = "text" | "integer" | "real" | "blob";

/**
 * The tables of a database, by name. Names of tables and columns are lower-case letters, digits
 * and `_`, beginning with a letter; the name `marks` is taken.
 */
export type Schema = Readonly<Record<string, TableShape>>;

/** What one transaction does: first all removals, then all puts, each in the order given. */
export interface Batch {
  /** Rows to insert, or to replace where the key exists. */
  readonly put?: readonly { readonly table: string; readonly row: Row }[];
  readonly remove?: readonly { readonly table: string; readonly key: string | number }[];
  /** Marks to set; null removes a mark. Numbers are finite, text is well-formed. */
  readonly marks?: Readonly<Record<string, string | number | null>>;
}

export interface Database {
  /** Applies the whole batch, durably, or nothing of it. */
  commit(batch: Batch, done: Acknowledge): void;

  /** The row with this key, or null. Sees every commit that has answered. */
  get(table: string, key: string | number, done: Done<Row | null>): void;

  /**
   * Up to `limit` rows in key order, beginning after `after` (null: from the first). Integers are
   * ordered by value, text by its UTF-8 bytes (which is by code point, not by UTF-16 unit).
   */
  scan(
    table: string,
    after: string | number | null,
    limit: number,
    done: Done<readonly Row[]>,
  ): void;

  /** All marks; the same object as before only if nothing was committed since. */
  marks(done: Done<Readonly<Record<string, string | number>>>): void;

  /**
   * How long the file is that holds commits until they are in the main one. It is emptied again and
   * again, but not while another process stays in a transaction that reads.
   */
  logBytes(done: Done<number>): void;

  /** Closes after the calls made before; no call may follow. */
  close(done: Acknowledge): void;
}

/** What a database is to hold. */
export interface DatabaseShape {
  readonly tables: Schema;
  /**
   * Views, by name, as `SELECT` statements: for people who look into the file. The program never
   * reads them.
   */
  readonly views?: Readonly<Record<string, string>>;
}

/**
 * The databases of one thread, by the names of their files. A database that is open is given again
 * to the next one who asks for it, so that a task need not open what the task before it used.
 */
export interface Databases {
  open(file: FileName, shape: DatabaseShape, done: Done<Database>): void;

  /** Closes it after the calls made before; does nothing if it is not open. */
  close(file: FileName, done: Acknowledge): void;
}
