/**
 * Host queues in LevelDB (`classic-level`): a URL is one key. Writes and removals go in batches, one
 * of them under way while the next one gathers; only checkpoints sync.
 */
import { ClassicLevel } from "classic-level";
import {
  type ContenderOptions,
  HostCursors,
  KEY_BYTES,
  keyOf,
  type QueueContender,
  type RecordSink,
  writeKey,
} from "./queue-contender.ts";

const BATCH_OPERATIONS = 1000;
const CACHE_PART = 8;

type Database = ClassicLevel<Buffer, Buffer>;

export async function openLevelQueues(options: ContenderOptions): Promise<LevelQueues> {
  const { folder, memoryBytes } = options;
  const cacheSize = Math.floor(memoryBytes / CACHE_PART);
  const database: Database = new ClassicLevel(folder, {
    ...({ keyEncoding: "buffer", valueEncoding: "buffer" } as const),
    cacheSize,
    // There are two of them while one is being written.
    writeBufferSize: Math.floor((memoryBytes - cacheSize) / 2),
    // Paths of URLs are short; the figures of the others are without compression too.
    compression: false,
  });
  await database.open();
  return new LevelQueues(database, options.hosts);
}

class LevelQueues implements QueueContender {
  readonly #database: Database;
  readonly #cursors: HostCursors;
  readonly #key = Buffer.alloc(KEY_BYTES);
  #batch: ReturnType<Database["batch"]>;
  #written: Promise<void> = Promise.resolve();

  constructor(database: Database, hosts: number) {
    this.#database = database;
    this.#cursors = new HostCursors(hosts);
    this.#batch = database.batch();
  }

  get total(): number {
    return this.#cursors.total;
  }

  count(host: number): number {
    return this.#cursors.counts[host] as number;
  }

  push(host: number, serial: number, record: Buffer): void {
    writeKey(this.#key, host, serial);
    this.#batch.put(this.#key, record);
    this.#cursors.added(host);
  }

  async breathe(): Promise<void> {
    if (this.#batch.length >= BATCH_OPERATIONS) await this.#write(false);
  }

  async checkpoint(): Promise<void> {
    await this.#write(true);
    await this.#written;
  }

  async pull(host: number, recordsMax: number, sink: RecordSink): Promise<void> {
    const gte = keyOf(host, this.#cursors.nexts[host] as number);
    const lt = keyOf(host + 1, 0);
    const range = { gte, lt, limit: recordsMax, fillCache: false };
    const entries = await this.#database.iterator(range).all();
    for (const [key, record] of entries) {
      sink(record, 0, record.length);
      this.#batch.del(key);
    }
    const last = entries.at(-1)?.[0].readUIntBE(4, 6) ?? 0;
    this.#cursors.taken(host, entries.length, last);
    if (this.#batch.length >= BATCH_OPERATIONS) await this.#write(false);
  }

  async close(): Promise<void> {
    await this.checkpoint();
    await this.#database.close();
  }

  /** Waits for the batch before, not for this one. */
  async #write(sync: boolean): Promise<void> {
    const batch = this.#batch;
    const before = this.#written;
    this.#batch = this.#database.batch();
    this.#written = before.then(() => batch.write({ sync }));
    await before;
  }
}
