/**
 * Opening queues on disk: brings back the state of the checkpoint whose marks are given, exactly.
 *
 * Both journals are cut to where they ended then; runs that the marks do not name are removed, the
 * others read; the journal of takes says what was gone from them; the journal of pushes is carried
 * out again for what is in no run. Without marks there was no checkpoint: whatever is there goes.
 */
import type { CrawlError } from "../errors/index.ts";
import { type Log, type LogReader, openLog, type Position, removeLog } from "../log/index.ts";
import type { Acknowledge, Done, FileName, Random, Storage } from "../seams/index.ts";
import { DiskHostQueues } from "./disk-host-queues.ts";
import type { QueueMarks, QueueOrder } from "./host-queues.ts";
import { Journal } from "./journal.ts";
import { openRun } from "./open-run.ts";
import { PushJournal, replayPushes } from "./push-journal.ts";
import { QueueContents } from "./queue-contents.ts";
import { damagedRun, type QueueRun, runFile, runIdOf } from "./queue-run.ts";
import { QueueUpkeep } from "./queue-upkeep.ts";
import { replayTakes, TakeJournal } from "./take-journal.ts";

export interface DiskHostQueuesOptions {
  readonly storage: Storage;
  /** The salts of new logs are drawn from it. */
  readonly random: Random;
  /** The queues have this folder to themselves. */
  readonly folder: FileName;
  /** The same at every opening. */
  readonly order: QueueOrder;
  /** How many bytes of records are gathered in memory: half of it before they are written. */
  readonly memoryBytes: number;
  /** What the last checkpoint answered; null when there was none. */
  readonly marks: QueueMarks | null;
  /** Told of work that failed, such as a merge for want of space; it is tried again. */
  readonly report: (error: CrawlError) => void;
  /** How long a file of the journals grows. */
  readonly segmentBytesMax?: number;
  /** How many bytes are written or merged before the lane gets its turn again. */
  readonly chunkBytes?: number;
}

const CHUNK_BYTES = 256 * 1024;

/** `QUEUES_DAMAGED`, `LOG_DAMAGED` or `LOG_OUT_OF_RANGE` when that state cannot be had any more. */
export function openDiskHostQueues(
  options: DiskHostQueuesOptions,
  done: Done<DiskHostQueues>,
): void {
  new Opening(options, done).start();
}

class Opening {
  readonly #options: DiskHostQueuesOptions;
  readonly #done: Done<DiskHostQueues>;
  readonly #pushesName: FileName;
  readonly #takesName: FileName;
  readonly #logs: Log[] = [];
  readonly #runs: QueueRun[] = [];

  constructor(options: DiskHostQueuesOptions, done: Done<DiskHostQueues>) {
    this.#options = options;
    this.#done = done;
    this.#pushesName = `${options.folder}/pushes`;
    this.#takesName = `${options.folder}/takes`;
  }

  start(): void {
    const { storage, marks } = this.#options;
    if (marks !== null) this.#openLogs();
    else {
      removeLog(
        storage,
        this.#pushesName,
        this.#then(() =>
          removeLog(
            storage,
            this.#takesName,
            this.#then(() => this.#openLogs()),
          ),
        ),
      );
    }
  }

  #openLogs(): void {
    const { marks } = this.#options;
    this.#openLog(this.#pushesName, marks?.pushes.to ?? 0, () =>
      this.#openLog(this.#takesName, marks?.takesEnd ?? 0, () => this.#sweep()),
    );
  }

  #openLog(name: FileName, end: Position, then: () => void): void {
    const { storage, random, segmentBytesMax } = this.#options;
    const size = segmentBytesMax === undefined ? {} : { segmentBytesMax };
    openLog({ storage, random, name, framing: "binary", ...size }, (error, opened) => {
      if (error !== null) return this.#fail(error);
      this.#logs.push(opened.log);
      if (opened.log.end === end) then();
      else opened.log.cutTo(end, this.#then(then));
    });
  }

  /** Removes runs that were made after the checkpoint, or counted no more by then. */
  #sweep(): void {
    const { storage, folder, marks } = this.#options;
    const named = new Set(marks?.runs.map(({ id }) => id));
    storage.list(folder, (error, files) => {
      if (error !== null) return this.#fail(error);
      const ids = files.map((file) => runIdOf(folder, file)).filter((id) => id !== null);
      const others = ids.filter((id) => !named.has(id));
      this.#remove(others, () => this.#openRuns(0));
    });
  }

  #remove([id, ...others]: readonly number[], then: () => void): void {
    const { storage, folder } = this.#options;
    if (id === undefined) then();
    else
      storage.remove(
        runFile(folder, id),
        this.#then(() => this.#remove(others, then)),
      );
  }

  #openRuns(index: number): void {
    const { storage, folder, marks } = this.#options;
    const mark = marks?.runs[index];
    if (mark === undefined) this.#replay();
    else {
      openRun(storage, folder, mark, (error, run) => {
        if (error !== null) return this.#fail(error);
        this.#runs.push(run);
        this.#openRuns(index + 1);
      });
    }
  }

  #replay(): void {
    const { order, memoryBytes, marks } = this.#options;
    const [pushesLog, takesLog] = this.#logs as [Log, Log];
    const pushes = new PushJournal(new Journal(pushesLog));
    const takes = new TakeJournal(new Journal(takesLog));
    const isStack = order === "lifo";
    const first = { number: marks?.buffer ?? 1, from: marks?.pushes.from ?? 0 };
    const contents = new QueueContents(
      { pushes, takes, isStack, bufferBytes: memoryBytes / 2 },
      first,
    );
    contents.runs = this.#runs;
    if (marks === null) pushes.begin(first.number);
    this.#replayTakes(takesLog, () => {
      for (const { content } of this.#runs) countRecords(contents, content.directory);
      this.#replayPushes(pushesLog, contents, () => this.#finish({ contents, pushes, takes }));
    });
  }

  #replayTakes(log: Log, then: () => void): void {
    const { marks } = this.#options;
    const contents = new Map(this.#runs.map(({ content }) => [content.id, content]));
    const from = Math.min(marks?.takesEnd ?? 0, ...this.#runs.map((run) => run.content.takesFrom));
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

  /** Hands over the payloads of all frames from a position on; none may be missing or unknown. */
  #readAll(
    log: Log,
    from: Position,
    replay: (payload: Uint8Array) => boolean,
    then: () => void,
  ): void {
    const reader = log.reader(from);
    const close = (error: CrawlError | null): void =>
      reader.close(() => {
        if (error !== null) this.#fail(error);
        else then();
      });
    this.#readOn(reader, log.end, replay, close);
  }

  #readOn(
    reader: LogReader,
    end: Position,
    replay: (payload: Uint8Array) => boolean,
    done: Acknowledge,
  ): void {
    const { folder } = this.#options;
    if (reader.position >= end) {
      done(null);
      return;
    }
    reader.read((error, frames) => {
      if (error !== null) return done(error);
      let isWhole = frames.damage.length === 0;
      for (let index = 0; index < frames.count && isWhole; index += 1) {
        isWhole = replay(frames.payloadOf(index));
      }
      if (isWhole) this.#readOn(reader, end, replay, done);
      else done(damagedRun(folder, "its journals are not as they were written"));
    });
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
        bufferBytes: memoryBytes / 2,
      },
      marks?.nextRun ?? 1,
    );
    this.#done(null, new DiskHostQueues({ ...state, storage, order, upkeep, report, marks }));
  }

  #then(next: () => void): Acknowledge {
    return (error) => {
      if (error !== null) this.#fail(error);
      else next();
    };
  }

  #fail(error: CrawlError): void {
    const run = this.#runs.pop();
    const log = this.#logs.pop();
    if (run !== undefined) run.close(() => this.#fail(error));
    if (run !== undefined) return;
    if (log !== undefined) log.close(() => this.#fail(error));
    else this.#done(error, undefined);
  }
}

function countRecords(contents: QueueContents, directory: QueueRun["content"]["directory"]): void {
  for (let place = 0; place < directory.count; place += 1) {
    contents.countMore(directory.queueAt(place), directory.recordsAt(place));
  }
}
