/**
 * Writes a run from sources of sorted entries, in bounded memory: entries pass through in chunks,
 * only what a search needs is held, for the table at hand. The file gets its name
 * when all of it is durable, so a run that can be seen is whole.
 */
import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import type { Acknowledge, Done, FileName, Storage, StorageFile } from "../../base/seams/index.ts";
import { whenDone, withValue } from "../../base/seams/index.ts";
import type { EntryChunk, EntrySource } from "./entry-chunk.ts";
import {
  ENTRY_BYTES,
  HALVES,
  type Half,
  indexBytes,
  printFooter,
  type TableSums,
  tableIn,
  writeEntry,
} from "./run-layout.ts";
import { newRunName, type RunPart, runName } from "./run-name.ts";

export interface RunToWrite {
  readonly storage: Storage;
  readonly folder: FileName;
  readonly part: RunPart;
  /** The same entries, once in each order. */
  readonly sources: Readonly<Record<Half, EntrySource>>;
}

/** Answers how many entries the run has. */
export function writeRun(run: RunToWrite, done: Done<number>): void {
  const { storage, folder, part } = run;
  const name = newRunName(folder, part);
  const write = (file: StorageFile): void =>
    new RunWriter(run, file).write((...outcome) => settle(run, file, outcome, done));
  storage.remove(
    name,
    whenDone(done, () => storage.open(name, withValue(done, write))),
  );
}

type Outcome = Parameters<Done<number>>;

/** Closes the file; gives it its name, or takes it away. */
function settle(run: RunToWrite, file: StorageFile, outcome: Outcome, done: Done<number>): void {
  const { storage, folder, part } = run;
  const [error, count] = outcome;
  file.close((closeError) => {
    const failure = error ?? closeError;
    if (failure !== null) storage.remove(file.name, () => done(failure, undefined));
    else {
      const name = runName(folder, { ...part, count: count ?? 0 });
      const finish = whenDone(done, () => done(null, count ?? 0));
      storage.rename(file.name, name, finish);
    }
  });
}

class RunWriter {
  readonly #run: RunToWrite;
  readonly #file: StorageFile;
  readonly #sums: Partial<Record<Half, TableSums>> = {};
  #count = 0;

  constructor(run: RunToWrite, file: StorageFile) {
    this.#run = run;
    this.#file = file;
  }

  write(done: Done<number>): void {
    this.#writeTables(
      HALVES,
      whenDone(done, () => this.#writeFooter(done)),
    );
  }

  #writeTables([half, ...others]: readonly Half[], done: Acknowledge): void {
    if (half === undefined) {
      done(null);
      return;
    }
    const table = new TableWriter(this.#file, this.#run.sources[half]);
    const finish = (): void => {
      const isFirst = half === HALVES[0];
      assert(isFirst || table.count === this.#count, "both tables of a run have the same entries");
      this.#count = table.count;
      this.#sums[half] = table.sums;
      this.#writeTables(others, done);
    };
    table.write(whenDone(done, finish));
  }

  #writeFooter(done: Done<number>): void {
    const { high, low } = this.#sums;
    assert(high !== undefined && low !== undefined, "the footer comes after the tables");
    const footer = printFooter({ count: this.#count, sums: { high, low } });
    const finish = whenDone(done, () => done(null, this.#count));
    this.#file.append(
      [footer],
      whenDone(done, () => this.#file.sync(finish)),
    );
  }
}

class TableWriter {
  readonly #file: StorageFile;
  readonly #source: EntrySource;
  readonly #halves: Uint32Array;
  #entriesSum = 0;
  count = 0;
  sums: TableSums = { entries: 0, index: 0 };

  constructor(file: StorageFile, source: EntrySource) {
    this.#file = file;
    this.#source = source;
    this.#halves = new Uint32Array(source.countMax);
  }

  write(done: Acknowledge): void {
    const take = (chunk: EntryChunk | null): void => {
      if (chunk === null) this.#writeIndex(done);
      else {
        const goOn = whenDone(done, () => this.write(done));
        this.#writeChunk(chunk, goOn);
      }
    };
    this.#source.next(withValue(done, take));
  }

  #writeChunk(chunk: EntryChunk, done: Acknowledge): void {
    const bytes = Buffer.allocUnsafe(chunk.count * ENTRY_BYTES);
    for (let at = 0; at < chunk.count; at++) {
      writeEntry(bytes, at * ENTRY_BYTES, chunk.others[at] as number, chunk.ids[at] as number);
      this.#halves[this.count++] = chunk.halves[at] as number;
    }
    this.#entriesSum = crc32(bytes, this.#entriesSum);
    this.#file.append([bytes], done);
  }

  #writeIndex(done: Acknowledge): void {
    const index = new Uint8Array(indexBytes(this.count));
    tableIn(index, this.count).fill(this.#halves.subarray(0, this.count));
    this.sums = { entries: this.#entriesSum, index: crc32(index) };
    this.#file.append([index], done);
  }
}
