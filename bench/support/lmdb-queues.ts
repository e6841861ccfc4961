/**
 * Host queues in LMDB (`lmdb`): a URL is one key. Changes gather in memory and are made in the order
 * of keys, since a tree that copies a page for every change to it is best changed page by page. The
 * package makes them in a thread of its own; checkpoints wait until they are synced.
 */
import { createRequire } from "node:module";
import { sortKeys } from "../../src/base/runs/index.ts";
import {
  type ContenderOptions,
  HostCursors,
  KEY_BYTES,
  keyOf,
  type QueueContender,
  type RecordSink,
  writeKey,
} from "./queue-contender.ts";
import { RECORD_BYTES, turn } from "./queue-load.ts";

const WRITES_PER_TURN = 1000;
/** A record with its place, host and serial number, these twice for sorting. */
const CHANGE_BYTES = RECORD_BYTES + 25;

/** The types that the package has for `import` do not pass the compiler's checks. */
type Lmdb = typeof import("lmdb", { with: { "resolution-mode": "require" }});
const lmdb: Lmdb = createRequire(import.meta.url)("lmdb");
type Database = ReturnType<typeof lmdb.open<Buffer, Buffer>>;

export function openLmdbQueues({ folder, hosts, memoryBytes }: ContenderOptions): LmdbQueues {
  const database = lmdb.open<Buffer, Buffer>({
    ...({ path: folder, keyEncoding: "binary", encoding: "binary" } as const),
    ...{ compression: false, noMemInit: true },
    // Larger transactions copy fewer pages.
    commitDelay: 100,
  });
  // While some changes are made, others gather.
  return new LmdbQueues(database, hosts, Math.floor(memoryBytes / CHANGE_BYTES / 2));
}

/** Changes that are not made yet. */
class Changes {
  readonly records: Buffer;
  readonly hosts: Uint32Array;
  readonly serials: Uint32Array;
  /** Where in `records` the URL is, plus one; 0 for one that is to be removed. */
  readonly places: Uint32Array;
  readonly countMax: number;
  count = 0;
  #usedBytes = 0;

  constructor(countMax: number) {
    this.countMax = countMax;
    this.records = Buffer.alloc(countMax * RECORD_BYTES);
    this.hosts = new Uint32Array(countMax);
    this.serials = new Uint32Array(countMax);
    this.places = new Uint32Array(countMax);
  }

  add(host: number, serial: number, record: Buffer | null): void {
    this.hosts[this.count] = host;
    this.serials[this.count] = serial;
    this.places[this.count] = record === null ? 0 : this.#usedBytes + 1;
    if (record !== null) this.#usedBytes += record.copy(this.records, this.#usedBytes);
    this.count += 1;
  }

  /** Sorts by host and serial number; the order in which they were. */
  sort(): Uint32Array {
    const column = (): Uint32Array => new Uint32Array(this.count);
    const indexes = column();
    sortKeys(
      { highs: this.hosts, lows: this.serials, indexes },
      { highs: column(), lows: column(), indexes: column() },
      this.count,
    );
    return indexes;
  }
}

class LmdbQueues implements QueueContender {
  readonly #database: Database;
  readonly #cursors: HostCursors;
  readonly #key = Buffer.alloc(KEY_BYTES);
  #changes: Changes;
  #written: Promise<unknown> = Promise.resolve();

  constructor(database: Database, hosts: number, changesMax: number) {
    this.#database = database;
    this.#cursors = new HostCursors(hosts);
    this.#changes = new Changes(changesMax);
  }

  get total(): number {
    return this.#cursors.total;
  }

  count(host: number): number {
    return this.#cursors.counts[host] as number;
  }

  push(host: number, serial: number, record: Buffer): void {
    this.#changes.add(host, serial, record);
    this.#cursors.added(host);
  }

  async breathe(): Promise<void> {
    if (this.#changes.count + WRITES_PER_TURN > this.#changes.countMax) await this.#write();
  }

  async checkpoint(): Promise<void> {
    await this.#write();
    await this.#written;
    await this.#database.flushed;
  }

  async pull(host: number, recordsMax: number, sink: RecordSink): Promise<void> {
    const start = keyOf(host, this.#cursors.nexts[host] as number);
    const range = { start, end: keyOf(host + 1, 0), limit: recordsMax };
    let records = 0;
    let last = 0;
    for (const { key, value } of this.#database.getRange(range)) {
      sink(value, 0, value.length);
      last = key.readUIntBE(4, 6);
      this.#changes.add(host, last, null);
      records += 1;
    }
    this.#cursors.taken(host, records, last);
    await this.breathe();
  }

  async close(): Promise<void> {
    await this.checkpoint();
    await this.#database.close();
  }

  /** Waits for the changes before, not for these. */
  async #write(): Promise<void> {
    const changes = this.#changes;
    const before = this.#written;
    this.#changes = new Changes(changes.countMax);
    this.#written = before.then(() => this.#writeSorted(changes));
    await before;
  }

  async #writeSorted(changes: Changes): Promise<void> {
    const { hosts, serials, places, records, count } = changes;
    const indexes = changes.sort();
    let committed: Promise<unknown> = Promise.resolve();
    for (let at = 0; at < count; at += 1) {
      const from = (places[indexes[at] as number] as number) - 1;
      writeKey(this.#key, hosts[at] as number, serials[at] as number);
      committed =
        from < 0
          ? this.#database.remove(this.#key)
          : this.#database.put(this.#key, records.subarray(from, from + RECORD_BYTES));
      if (at % WRITES_PER_TURN === WRITES_PER_TURN - 1) await turn();
    }
    await committed;
  }
}
