/**
 * Host queues in SQLite (`node:sqlite`): a URL is one row of a table that is its own index. It works
 * in the thread of its caller; transactions end every ten thousand URLs, and only checkpoints sync.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
  type ContenderOptions,
  HostCursors,
  type QueueContender,
  type RecordSink,
} from "./queue-contender.ts";

const TRANSACTION_CHANGES = 10_000;

export function openSqliteQueues({ folder, hosts, memoryBytes }: ContenderOptions): SqliteQueues {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, "queues.db"));
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 10000",
  );
  database.exec(`PRAGMA cache_size = ${-Math.floor(memoryBytes / 1024)}`);
  database.exec(
    "CREATE TABLE queue (host INTEGER, serial INTEGER, record BLOB, " +
      "PRIMARY KEY (host, serial)) WITHOUT ROWID",
  );
  database.exec("BEGIN");
  return new SqliteQueues(database, hosts);
}

class SqliteQueues implements QueueContender {
  readonly #database: DatabaseSync;
  readonly #cursors: HostCursors;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #remove: StatementSync;
  #changes = 0;

  constructor(database: DatabaseSync, hosts: number) {
    this.#database = database;
    this.#cursors = new HostCursors(hosts);
    this.#insert = database.prepare("INSERT INTO queue VALUES (?, ?, ?)");
    this.#select = database.prepare(
      "SELECT serial, record FROM queue WHERE host = ? AND serial >= ? ORDER BY serial LIMIT ?",
    );
    this.#remove = database.prepare("DELETE FROM queue WHERE host = ? AND serial <= ?");
  }

  get total(): number {
    return this.#cursors.total;
  }

  count(host: number): number {
    return this.#cursors.counts[host] as number;
  }

  push(host: number, serial: number, record: Buffer): void {
    this.#insert.run(host, serial, record);
    this.#cursors.added(host);
    this.#changed(1);
  }

  async breathe(): Promise<void> {}

  async checkpoint(): Promise<void> {
    this.#database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE); BEGIN");
    this.#changes = 0;
  }

  async pull(host: number, recordsMax: number, sink: RecordSink): Promise<void> {
    let records = 0;
    let last = 0;
    for (const row of this.#select.iterate(host, this.#cursors.nexts[host] as number, recordsMax)) {
      const record = row["record"] as Uint8Array;
      sink(record, 0, record.length);
      last = row["serial"] as number;
      records += 1;
    }
    this.#remove.run(host, last);
    this.#cursors.taken(host, records, last);
    this.#changed(records);
  }

  async close(): Promise<void> {
    this.#database.exec("COMMIT");
    this.#database.close();
  }

  #changed(changes: number): void {
    this.#changes += changes;
    if (this.#changes < TRANSACTION_CHANGES) return;
    this.#database.exec("COMMIT; BEGIN");
    this.#changes = 0;
  }
}
