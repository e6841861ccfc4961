/**
 * The real database: one SQLite file in WAL mode with `synchronous = FULL`, so a commit is on the
 * disk when it is answered. A batch is one transaction.
 *
 * Calls are queued and carried out in order, a few milliseconds of them per turn of the event loop
 * (`TurnBudget`): no answer comes inside a call, and other work runs between two large commits.
 * SQLite itself works synchronously on this thread: 10,000 page rows take 0.1 to 0.2 s (110,000
 * rows a second in a new table, 50,000 in one of 300,000 rows, nine tenths of what the bare
 * statements reach; see `bench/database-commit.ts`). It also waits for locks on this thread, so
 * `busyTimeoutMs` must stay well below the time after which peers consider an agent dead.
 */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { CrawlError } from "../errors/index.ts";
import type { Acknowledge, Batch, Clock, Database, Done, Row } from "../seams/index.ts";
import { TurnBudget } from "../time/index.ts";
import { isCopying, lacksRoom } from "./room-probe.ts";
import type { Schema } from "./row-shape.ts";
import { assertBatch, assertKey, assertSchema, shapeOf } from "./row-shape.ts";
import { databaseError, noRoom } from "./sqlite-error.ts";
import {
  type FoundColumn,
  MARKS_SHAPE,
  MARKS_SQL,
  misfits,
  type TableSql,
  tableSql,
} from "./table-sql.ts";

export interface SqliteOptions {
  /** The file; made when missing, in a folder that exists. */
  readonly path: string;
  readonly schema: Schema;
  /** Views, by name, as `SELECT` statements: for people who look into the file. */
  readonly views?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Only reads: a missing file is an error, and nothing is made or changed. */
  readonly isReader?: boolean;
  /** How long a call may block on another process's lock before it is `DATABASE_LOCKED`. */
  readonly busyTimeoutMs?: number;
  /** The file does not grow beyond this: `DATABASE_FULL`. By default the disk is the limit. */
  readonly bytesMax?: number;
}

const BUSY_TIMEOUT_MS = 1000;
const PAGE_BYTES = 4096;
/** After one huge transaction the write-ahead log shrinks back to this. */
const LOG_BYTES_KEPT = 64 * 1024 * 1024;

type Marks = Readonly<Record<string, string | number>>;

export class SqliteDatabase implements Database {
  readonly #path: string;
  readonly #schema: Schema;
  readonly #connection: DatabaseSync;
  readonly #tables = new Map<string, Statements>();
  readonly #setMark: StatementSync;
  readonly #unsetMark: StatementSync;
  readonly #turns: TurnBudget;
  readonly #version: StatementSync;
  readonly #allMarks: StatementSync;
  /** What was read last, and the version of the file at that moment; null after a change of ours. */
  #known: { readonly version: unknown; readonly marks: Marks } | null = null;
  #isClosed = false;
  /** Whether the disk is asked for room before each transaction. */
  readonly #isProbed: boolean;

  /** Answers with the open database, its tables made where they were missing. */
  static open(options: SqliteOptions, done: Done<SqliteDatabase>): void {
    assertSchema(options.schema);
    options.clock.after(0, () => {
      const opened = attempt("open", options.path, () => new SqliteDatabase(options));
      if (opened instanceof CrawlError) done(opened, undefined);
      else done(null, opened);
    });
  }

  private constructor(options: SqliteOptions) {
    this.#path = options.path;
    this.#schema = options.schema;
    this.#turns = new TurnBudget(options.clock);
    this.#isProbed = options.isReader !== true && isCopying(options.path);
    this.#probe();
    this.#connection = connect(options);
    try {
      if (options.isReader === true) checkTables(this.#connection, options);
      else this.#inTransaction(() => makeTables(this.#connection, options));
      for (const [table, shape] of Object.entries(options.schema)) {
        this.#tables.set(table, prepare(this.#connection, tableSql(table, shape)));
      }
      this.#setMark = this.#connection.prepare(MARKS_SQL.set);
      this.#unsetMark = this.#connection.prepare(MARKS_SQL.unset);
      this.#allMarks = this.#connection.prepare(MARKS_SQL.all);
      // It changes with every commit of another connection.
      this.#version = this.#connection.prepare("PRAGMA data_version");
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  commit(batch: Batch, done: Acknowledge): void {
    assertBatch(this.#schema, batch);
    const rows = (batch.put?.length ?? 0) + (batch.remove?.length ?? 0);
    this.#enqueue(() => {
      const doing = `commit ${rows} rows to`;
      this.#known = null;
      const outcome = this.#attempt(doing, () => this.#inTransaction(() => this.#apply(batch)));
      done(outcome instanceof CrawlError ? outcome : null);
    });
  }

  get(table: string, key: string | number, done: Done<Row | null>): void {
    assertKey(this.#schema, table, key);
    this.#ask(done, () => {
      const row = this.#statements(table).get.get(key);
      return row === undefined ? null : asRow(row);
    });
  }

  scan(
    table: string,
    after: string | number | null,
    limit: number,
    done: Done<readonly Row[]>,
  ): void {
    if (after === null) shapeOf(this.#schema, table);
    else assertKey(this.#schema, table, after);
    assert(Number.isSafeInteger(limit) && limit > 0, "a scan has a limit");
    this.#ask(done, () => {
      const { scan, scanAfter } = this.#statements(table);
      const rows = after === null ? scan.all(limit) : scanAfter.all(after, limit);
      return rows.map(asRow);
    });
  }

  marks(done: Done<Marks>): void {
    this.#ask(done, () => {
      // Asked first: a commit in between is then seen by the next call.
      const version = this.#version.get()?.["data_version"];
      const known = this.#known;
      if (known !== null && known.version === version) return known.marks;
      const marks = checkedMarks(this.#allMarks.all());
      this.#known = { version, marks };
      return marks;
    });
  }

  logBytes(done: Done<number>): void {
    const log = `${this.#path}-wal`;
    this.#ask(done, () => statSync(log, { throwIfNoEntry: false })?.size ?? 0);
  }

  close(done: Acknowledge): void {
    this.#enqueue(() => {
      const outcome = this.#attempt("close", () => this.#connection.close());
      done(outcome instanceof CrawlError ? outcome : null);
    });
    this.#isClosed = true;
  }

  #ask<Value>(done: Done<Value>, read: () => Value): void {
    this.#enqueue(() => {
      const outcome = this.#attempt("read", read);
      if (outcome instanceof CrawlError) done(outcome, undefined);
      else done(null, outcome);
    });
  }

  #enqueue(work: () => void): void {
    assert(!this.#isClosed, "a closed database is not used");
    this.#turns.later(work);
  }

  #attempt<Value>(doing: string, work: () => Value): Value | CrawlError {
    return attempt(doing, this.#path, work);
  }

  #probe(): void {
    if (this.#isProbed && lacksRoom(this.#path)) throw noRoom();
  }

  #inTransaction(work: () => void): void {
    this.#probe();
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#connection.exec("COMMIT");
    } catch (error) {
      // On some errors, a full disk among them, SQLite has rolled back by itself.
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  #apply(batch: Batch): void {
    for (const { table, key } of batch.remove ?? []) this.#statements(table).remove.run(key);
    for (const { table, row } of batch.put ?? []) {
      const { put, columns } = this.#statements(table);
      put.run(...columns.map((column) => row[column] ?? null));
    }
    for (const [name, value] of Object.entries(batch.marks ?? {})) {
      if (value === null) this.#unsetMark.run(name);
      // Numbers would be bound as reals, and `SELECT` in another program would show 5.0 for 5.
      else this.#setMark.run(name, Number.isSafeInteger(value) ? BigInt(value) : value);
    }
    if (batch.marks !== undefined) {
      this.#setMark.run(MARKS_SUM, BigInt(sumOfMarks(this.#allMarks.all())));
    }
  }

  #statements(table: string): Statements {
    const statements = this.#tables.get(table);
    assert(statements !== undefined, "calls were checked against the declared tables");
    return statements;
  }
}

/** The mark that is a checksum of the others: SQLite does not notice altered bytes. */
const MARKS_SUM = "checksum";

function sumOfMarks(rows: readonly Record<string, unknown>[]): number {
  const others = rows.filter((row) => row["name"] !== MARKS_SUM);
  const pairs = others.map((row) => [String(row["name"]), row["value"]] as const);
  return crc32(JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : 1))));
}

function checkedMarks(rows: readonly Record<string, unknown>[]): Marks {
  const { [MARKS_SUM]: sum, ...marks } = Object.fromEntries(
    rows.map((row) => [row["name"], row["value"]]),
  ) as Marks;
  if (sum === undefined || sum === sumOfMarks(rows)) return marks;
  throw new CrawlError("DATABASE_CORRUPT", "The marks of a database are not as they were written.");
}

interface Statements {
  readonly put: StatementSync;
  readonly remove: StatementSync;
  readonly get: StatementSync;
  readonly scan: StatementSync;
  readonly scanAfter: StatementSync;
  readonly columns: readonly string[];
}

function prepare(connection: DatabaseSync, sql: TableSql): Statements {
  return {
    put: connection.prepare(sql.put),
    remove: connection.prepare(sql.remove),
    get: connection.prepare(sql.get),
    scan: connection.prepare(sql.scan),
    scanAfter: connection.prepare(sql.scanAfter),
    columns: sql.columns,
  };
}

function connect(options: SqliteOptions): DatabaseSync {
  const timeout = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  const { isReader = false } = options;
  // To open a pipe would be to wait for its writer, which may never come.
  if (statSync(options.path, { throwIfNoEntry: false })?.isFIFO() === true) {
    throw new Error("it is not a regular file");
  }
  const connection = new DatabaseSync(options.path, { timeout, readOnly: isReader });
  if (isReader) return connection;
  try {
    connection.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    connection.exec("PRAGMA journal_mode = WAL");
    connection.exec("PRAGMA synchronous = FULL");
    connection.exec(`PRAGMA journal_size_limit = ${LOG_BYTES_KEPT}`);
    if (options.bytesMax !== undefined) {
      connection.exec(`PRAGMA max_page_count = ${Math.floor(options.bytesMax / PAGE_BYTES)}`);
    }
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Makes the tables and views that are missing; refuses a file that has a table of another shape. */
function makeTables(connection: DatabaseSync, options: SqliteOptions): void {
  const isMissing = (table: string) => columnsOf(connection, table).length === 0;
  for (const [table, shape] of Object.entries(options.schema)) {
    if (isMissing(table)) connection.exec(tableSql(table, shape).create);
  }
  if (isMissing("marks")) connection.exec(MARKS_SQL.create);
  checkTables(connection, options);
  for (const [view, sql] of Object.entries(options.views ?? {})) {
    connection.exec(`CREATE VIEW IF NOT EXISTS "${view}" AS ${sql}`);
  }
}

function columnsOf(connection: DatabaseSync, table: string): readonly FoundColumn[] {
  return connection.prepare(`PRAGMA table_info("${table}")`).all() as unknown as FoundColumn[];
}

function checkTables(connection: DatabaseSync, { path, schema }: SqliteOptions): void {
  const wrong = misfits("marks", MARKS_SHAPE, columnsOf(connection, "marks"));
  for (const [table, shape] of Object.entries(schema)) {
    wrong.push(...misfits(table, shape, columnsOf(connection, table)));
  }
  if (wrong.length === 0) return;
  throw new CrawlError(
    "DATABASE_SCHEMA",
    `The database ${path} was made for other tables: ${wrong.join("; ")}. ` +
      "Use the version of Trobar that made it, or move the file away.",
    { path, misfits: wrong.length },
  );
}

function attempt<Value>(doing: string, path: string, work: () => Value): Value | CrawlError {
  try {
    return work();
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return error instanceof CrawlError ? error : databaseError(doing, path, error);
  }
}

function asRow(found: Record<string, unknown>): Row {
  return { ...found } as Row;
}

/**
 * Whether a database was ever made. A process that is killed while it makes one leaves no file, or one without
 * tables; what else may be wrong with a file is told by opening it.
 */
export function hasTables(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return found !== undefined;
  try {
    const connection = new DatabaseSync(path, { readOnly: true });
    try {
      return connection.prepare("SELECT 1 FROM sqlite_master").get() !== undefined;
    } finally {
      connection.close();
    }
  } catch {
    return true;
  }
}
