/**
 * What a place has acknowledged, kept in case its disk is lost: blocks of entries, compressed, in a log.
 *
 * Nothing leaves it while the place lives. *Compacting* writes it anew with equal keys merged: the
 * smallest depth, all holders. The number of the log that counts is in a file of its own, which is
 * replaced when the new log is durable; logs of other numbers are removed when it is opened. That removes
 * what was acknowledged, so the file has a checksum; without it, the only log there is counts.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import { parseChecked, printChecked } from "../../base/folder/index.ts";
import { type Log, openLog } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import type { Entry } from "./entry.ts";
import { unpackBlock } from "./entry-blocks.ts";

export interface RetainedLogParts {
  readonly storage: Storage;
  readonly random: Random;
  readonly folder: FileName;
  readonly segmentBytesMax: number;
  /** Told of bytes that cannot be read any more. */
  readonly report: (error: CrawlError) => void;
  /** What a damaged range is called in the report. */
  readonly damaged: (bytes: number) => CrawlError;
}

const decoder = new TextDecoder();

/** Gets some entries; calls `next` when it can take more, also inside the call. */
export type TakeEntries = (entries: readonly Entry[], next: () => void) => void;

export function openRetainedLog(parts: RetainedLogParts, done: Done<RetainedLog>): void {
  const { storage, folder } = parts;
  storage.readWhole(`${folder}/current`, (error, bytes) => {
    if (error !== null && error.code !== "STORAGE_MISSING") {
      done(error, undefined);
      return;
    }
    const said = error === null ? parseChecked(decoder.decode(bytes), "must-have") : { number: 0 };
    storage.list(
      folder,
      withValue(done, (files) => {
        const number = numberOf(parts, said?.["number"] as number | undefined, files);
        if (number === null) done(parts.damaged(bytes?.byteLength ?? 0), undefined);
        else {
          removeOthers(
            parts,
            number,
            whenDone(done, () => openNumber(parts, number, done)),
          );
        }
      }),
    );
  });
}

/** Which log counts: the one that is said, or else the only one; null if that cannot be known. */
export function numberOf(
  { folder }: Pick<RetainedLogParts, "folder">,
  said: number | undefined,
  files: readonly FileName[],
): number | null {
  const found = files.flatMap(
    (file) => /\/kept-(\d+)\./.exec(file.slice(folder.length))?.[1] ?? [],
  );
  const numbers = new Set(found.map(Number));
  const [first] = numbers;
  if (first === undefined) return said ?? 0;
  if (said !== undefined && numbers.has(said)) return said;
  return numbers.size === 1 ? first : null;
}

function openNumber(parts: RetainedLogParts, number: number, done: Done<RetainedLog>): void {
  const { storage, random, segmentBytesMax } = parts;
  const name = nameOf(parts, number);
  openLog(
    { storage, random, name, framing: "binary", segmentBytesMax },
    withValue(done, ({ log }) => done(null, new RetainedLog(parts, log, number))),
  );
}

function nameOf({ folder }: RetainedLogParts, number: number): FileName {
  return `${folder}/kept-${number}`;
}

function removeOthers(parts: RetainedLogParts, number: number, done: Acknowledge): void {
  const { storage, folder } = parts;
  const current = `${nameOf(parts, number)}.`;
  storage.list(
    folder,
    withValue(done, (files) => {
      const isOther = (file: FileName): boolean =>
        file.startsWith(`${folder}/kept-`) && !file.startsWith(current);
      inTurn(files.filter(isOther), (file, next) => storage.remove(file, next), done);
    }),
  );
}

/** Made by `openRetainedLog`. */
export class RetainedLog {
  readonly #parts: RetainedLogParts;
  #log: Log;
  #number: number;

  constructor(parts: RetainedLogParts, log: Log, number: number) {
    this.#parts = parts;
    this.#log = log;
    this.#number = number;
  }

  get bytes(): number {
    return this.#log.end - this.#log.begin;
  }

  /** Adds a packed block; it is durable after the next commit. */
  keep(block: Uint8Array): void {
    this.#log.append(block);
  }

  commit(done: Acknowledge): void {
    this.#log.commit(done);
  }

  /** Reads everything that is durable, in its order. */
  each(take: TakeEntries, done: Acknowledge): void {
    const reader = this.#log.reader();
    const end = (error: CrawlError | null): void =>
      reader.close((closing) => done(error ?? closing));
    const read = (): void =>
      reader.read((error, batch) => {
        if (error !== null) {
          end(error);
          return;
        }
        for (const { from, to } of batch.damage) this.#tellDamage(to - from);
        const blocks = Array.from({ length: batch.count }, (_none, at) => batch.payloadOf(at));
        if (blocks.length + batch.damage.length === 0) end(null);
        else inTurn(blocks, (block, next) => this.#take(block, take, () => next(null)), read);
      });
    read();
  }

  /**
   * Puts what `written` has appended to a new log in the place of this one. Between the call and its
   * answer nothing else is called.
   */
  replace(write: (log: Log, written: Acknowledge) => void, done: Acknowledge): void {
    const { storage, random, folder, segmentBytesMax } = this.#parts;
    const [old, number] = [this.#log, this.#number + 1];
    const name = nameOf(this.#parts, number);
    const current = new TextEncoder().encode(printChecked({ number }));
    openLog(
      { storage, random, name, framing: "binary", segmentBytesMax },
      withValue(done, ({ log }) => {
        const failed = (error: CrawlError): void => log.close(() => done(error));
        const commit = (): void => log.commit(whenDone(failed, name_));
        const name_ = (): void =>
          storage.replace(`${folder}/current`, current, whenDone(failed, swap));
        const swap = (): void => {
          this.#log = log;
          this.#number = number;
          old.close(whenDone(done, () => removeOthers(this.#parts, number, done)));
        };
        write(log, whenDone(failed, commit));
      }),
    );
  }

  close(done: Acknowledge): void {
    this.#log.close(done);
  }

  #take(block: Uint8Array, take: TakeEntries, next: () => void): void {
    const entries = unpackBlock(block);
    if (entries === null) {
      this.#tellDamage(block.byteLength);
      next();
    } else take(entries, next);
  }

  #tellDamage(bytes: number): void {
    this.#parts.report(this.#parts.damaged(bytes));
  }
}
