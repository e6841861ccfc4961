/**
 * The seam to the one transactional store of a lane: rows of a few declared tables, and *marks*
 * (named values such as the lengths of the logs), changed together.
 *
 * A commit is durable wholly or not at all: after a crash either every change of it is there or
 * none, and if it was answered, all are. Commits take effect in the order of the calls.
 */
import type { Acknowledge, Done } from "./done.ts";

export type Value = string | number | Uint8Array | null;

/** One row: a value for each column of its table. */
export type Row = Readonly<Record<string, Value>>;

export interface TableShape {
  /** The column that identifies a row; of type text or integer. */
  readonly key: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
}

export type ColumnType = "text" | "integer" | "real" | "blob";

/** The tables of a database, by name; names and columns are lower-case identifiers. */
export type Schema = Readonly<Record<string, TableShape>>;

/** What one transaction does. Within a batch later changes of a row win. */
export interface Batch {
  /** Rows to insert, or to replace where the key exists. */
  readonly put?: readonly { readonly table: string; readonly row: Row }[];
  readonly remove?: readonly { readonly table: string; readonly key: string | number }[];
  /** Marks to set; null takes a mark away. */
  readonly marks?: Readonly<Record<string, string | number | null>>;
}

export interface Database {
  /** Carries the whole batch out, durably, or nothing of it. A row that does not fit its table is a programming error. */
  commit(batch: Batch, done: Acknowledge): void;

  /** The row with this key, or null. Sees every commit that has answered. */
  get(table: string, key: string | number, done: Done<Row | null>): void;

  /** Up to `limit` rows in key order, beginning after `after` (null: from the first). */
  scan(
    table: string,
    after: string | number | null,
    limit: number,
    done: Done<readonly Row[]>,
  ): void;

  /** All marks. */
  marks(done: Done<Readonly<Record<string, string | number>>>): void;

  /** Ends after the commits already asked for. */
  close(done: Acknowledge): void;
}
