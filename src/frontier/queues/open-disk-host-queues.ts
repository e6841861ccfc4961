/**
 * Opening queues on disk: restores exactly the state of the checkpoint whose marks are given.
 *
 * Both journals are cut to where they ended then. Bundles that the marks do not name are removed,
 * the others are opened; the journal of takes says what was taken from them; the journal of pushes
 * is replayed for what is in no bundle. Without marks there was no checkpoint: journals are emptied
 * and existing bundles removed.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Log, Position } from "../../base/log/index.ts";
import type { Acknowledge, Done, FileName, Random, Storage } from "../../base/seams/index.ts";
import { type Bundle, bundleFile, bundleIdOf } from "./bundles/bundle.ts";
import { openBundle } from "./bundles/open-bundle.ts";
import { DiskHostQueues } from "./disk-host-queues.ts";
import type { QueueMarks, QueueOrder } from "./host-queues.ts";
import { Journal } from "./journals/journal.ts";
import { openJournal, readJournal } from "./journals/open-journal.ts";
import { PushJournal, replayPushes } from "./journals/push-journal.ts";
import { replayTakes, TakeJournal } from "./journals/take-journal.ts";
import { QueueContents } from "./queue-contents.ts";
import { QueueUpkeep } from "./queue-upkeep.ts";

export interface DiskHostQueuesOptions {
  readonly storage: Storage;
  /** The salts of new logs are drawn from it. */
  readonly random: Random;
  /** The queues have this folder to themselves. */
  readonly folder: FileName;
  /** The same at every opening. */
  readonly order: QueueOrder;
  /**
   * For records in memory and journals that wait to be written (a megabyte of them at least); what
   * is known of each host comes on top.
   */
  readonly memoryBytes: number;
  /** What the last checkpoint answered; null when there was none. */
  readonly marks: QueueMarks | null;
  /** Called for work that failed, such as a merge on a full disk; it will be tried again. */
  readonly report: (error: CrawlError) => void;
  /** How long a file of the journals grows. */
  readonly segmentBytesMax?: number;
  /** How many bytes are written or merged in one turn. */
  readonly chunkBytes?: number;
}

const CHUNK_BYTES = 256 * 1024;
const JOURNAL_PART = 8;
const JOURNAL_BYTES_MIN = 512 * 1024;
const JOURNAL_BYTES_MAX = 4 * 1024 * 1024;

/** `QUEUES_DAMAGED`, `LOG_DAMAGED` or `LOG_OUT_OF_RANGE` when that state cannot be restored. */
export function openDiskHostQueues(
  options: DiskHostQueuesOptions,
  done: Done<DiskHostQueues>,
): void {
  new Opening(options, done).start();
}

class Opening {
  readonly #options: DiskHostQueuesOptions;
  readonly #done: Done<DiskHostQueues>;
  readonly #logs: Log[] = [];
  readonly #bundles: Bundle[] = [];

  constructor(options: DiskHostQueuesOptions, done: Done<DiskHostQueues>) {
    this.#options = options;
    this.#done = done;
  }

  start(): void {
    const { marks } = this.#options;
    this.#openLog("pushes", marks?.pushes.to ?? null, () =>
      this.#openLog("takes", marks?.takesEnd ?? null, () => this.#sweep()),
    );
  }

  #openLog(part: string, end: Position | null, then: () => void): void {
    const { storage, random, folder, segmentBytesMax } = this.#options;
    const pendingBytesMax = journalBytes(this.#options.memoryBytes);
    const name = `${folder}/${part}`;
    openJournal({ storage, random, name, end, segmentBytesMax, pendingBytesMax }, (error, log) => {
      if (error !== null) return this.#fail(error);
      this.#logs.push(log);
      then();
    });
  }

  /** Removes bundles that were written after the checkpoint or retired before it. */
  #sweep(): void {
    const { storage, folder, marks } = this.#options;
    const named = new Set(marks?.bundles.map(({ id }) => id));
    storage.list(folder, (error, files) => {
      if (error !== null) return this.#fail(error);
      const ids = files.map((file) => bundleIdOf(folder, file)).filter((id) => id !== null);
      const others = ids.filter((id) => !named.has(id));
      this.#remove(others, () => this.#openBundles(0));
    });
  }

  #remove([id, ...others]: readonly number[], then: () => void): void {
    const { storage, folder } = this.#options;
    if (id === undefined) then();
    else
      storage.remove(
        bundleFile(folder, id),
        this.#then(() => this.#remove(others, then)),
      );
  }

  #openBundles(index: number): void {
    const { storage, folder, marks } = this.#options;
    const mark = marks?.bundles[index];
    if (mark === undefined) this.#replay();
    else {
      openBundle(storage, folder, mark, (error, bundle) => {
        if (error !== null) return this.#fail(error);
        this.#bundles.push(bundle);
        this.#openBundles(index + 1);
      });
    }
  }

  #replay(): void {
    const { order, memoryBytes, marks } = this.#options;
    const bufferBytes = bufferBytesOf(memoryBytes);
    const [pushesLog, takesLog] = this.#logs as [Log, Log];
    const pushes = new PushJournal(new Journal(pushesLog));
    const takes = new TakeJournal(new Journal(takesLog));
    const isStack = order === "lifo";
    const first = { number: marks?.buffer ?? 1, from: marks?.pushes.from ?? pushesLog.end };
    const contents = new QueueContents({ pushes, takes, isStack, bufferBytes }, first);
    contents.bundles = this.#bundles;
    if (marks === null) pushes.begin(first.number);
    this.#replayTakes(takesLog, () => {
      for (const { content } of this.#bundles) countRecords(contents, content.directory);
      this.#replayPushes(pushesLog, contents, () => this.#finish({ contents, pushes, takes }));
    });
  }

  #replayTakes(log: Log, then: () => void): void {
    const { marks } = this.#options;
    const contents = new Map(this.#bundles.map(({ content }) => [content.id, content]));
    const from = Math.min(
      marks?.takesEnd ?? log.end,
      ...this.#bundles.map((bundle) => bundle.content.takesFrom),
    );
    const replay = (payload: Uint8Array): boolean => replayTakes(payload, contents);
    this.#readAll(log, from, replay, then);
  }

  #replayPushes(log: Log, contents: QueueContents, then: () => void): void {
    const oldest = contents.active.number;
    let hasBegun = false;
    const replaying = {
      push: (queue: number, record: Uint8Array, from: number, to: number): void => {
        if (hasBegun) contents.add(queue, record, from, to);
      },
      take: (buffer: number, queue: number, records: number): boolean =>
        !hasBegun || buffer < oldest || contents.takeAgain(queue, records),
      begin: (buffer: number): void => {
        hasBegun ||= buffer === oldest;
        contents.nextBuffer = Math.max(contents.nextBuffer, buffer + 1);
      },
    };
    const replay = (payload: Uint8Array): boolean => replayPushes(payload, replaying);
    this.#readAll(log, contents.active.from, replay, then);
  }

  #readAll(
    log: Log,
    from: Position,
    replay: (payload: Uint8Array) => boolean,
    then: () => void,
  ): void {
    const { folder } = this.#options;
    readJournal({ log, from, folder, replay }, this.#then(then));
  }

  #finish(state: {
    readonly contents: QueueContents;
    readonly pushes: PushJournal;
    readonly takes: TakeJournal;
  }): void {
    const { storage, folder, order, memoryBytes, marks, report } = this.#options;
    const { chunkBytes = CHUNK_BYTES } = this.#options;
    const { contents, takes } = state;
    const upkeep = new QueueUpkeep(
      {
        ...{ storage, folder, contents, takes, report, chunkBytes },
        isStack: order === "lifo",
        bufferBytes: bufferBytesOf(memoryBytes),
      },
      marks?.nextBundle ?? 1,
    );
    this.#done(null, new DiskHostQueues({ ...state, storage, order, upkeep, report, marks }));
    upkeep.work();
  }

  #then(next: () => void): Acknowledge {
    return (error) => {
      if (error !== null) this.#fail(error);
      else next();
    };
  }

  #fail(error: CrawlError): void {
    const bundle = this.#bundles.pop();
    const log = this.#logs.pop();
    if (bundle !== undefined) bundle.close(() => this.#fail(error));
    if (bundle !== undefined) return;
    if (log !== undefined) log.close(() => this.#fail(error));
    else this.#done(error, undefined);
  }
}

/** What each of the two journals may have pending: an eighth of the memory, within bounds. */
function journalBytes(memoryBytes: number): number {
  return Math.min(JOURNAL_BYTES_MAX, Math.max(JOURNAL_BYTES_MIN, memoryBytes / JOURNAL_PART));
}

/** What is left for each of the two buffers. */
function bufferBytesOf(memoryBytes: number): number {
  const journals = 2 * Math.min(journalBytes(memoryBytes), memoryBytes / JOURNAL_PART);
  return Math.floor((memoryBytes - journals) / 2);
}

function countRecords(contents: QueueContents, directory: Bundle["content"]["directory"]): void {
  for (let place = 0; place < directory.count; place += 1) {
    contents.countMore(directory.queueAt(place), directory.recordsAt(place));
  }
}
