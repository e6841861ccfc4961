/** Reads all blocks of a link graph, one after the other, for those who check it. */
import { type FrameBatch, type LogReader, type ViewedLog, viewLog } from "../../base/log/index.ts";
import { type Done, type FileName, type Storage, withValue } from "../../base/seams/index.ts";
import { type LinkMarks, linkLogName } from "./link-marks.ts";
import { readMarks } from "./open-link-graph.ts";
import { unpacked } from "./read-block.ts";

export interface LinkBlock {
  /** Where it begins in the log. */
  readonly position: number;
  /** Null when it cannot be read. */
  readonly text: string | null;
}

export class LinkWalk {
  readonly #reader: LogReader;
  readonly #end: number;
  #isEndTold = false;

  private constructor(reader: LogReader, end: number) {
    this.#reader = reader;
    this.#end = end;
  }

  /** `LINKS_DAMAGED` or `LOG_DAMAGED` when there is nothing to read; null when there is no graph. */
  static open(storage: Storage, folder: FileName, done: Done<LinkWalk | null>): void {
    const openLog = (marks: LinkMarks): void => LinkWalk.openAt(storage, folder, marks, done);
    readMarks(storage, folder, withValue(done, openLog));
  }

  /** As of these marks. */
  static openAt(
    storage: Storage,
    folder: FileName,
    { end }: LinkMarks,
    done: Done<LinkWalk | null>,
  ): void {
    const take = (log: ViewedLog): void => done(null, new LinkWalk(log.reader(), end));
    if (end === 0) done(null, null);
    else viewLog(storage, linkLogName(folder), withValue(done, take));
  }

  /** The next blocks; null after the last that counts. */
  next(done: Done<readonly LinkBlock[] | null>): void {
    this.#reader.read(withValue(done, (batch) => done(null, this.#blocks(batch))));
  }

  close(done: (error: null) => void): void {
    this.#reader.close(() => done(null));
  }

  #blocks(batch: FrameBatch): readonly LinkBlock[] | null {
    const blocks: LinkBlock[] = batch.damage
      .filter(({ from }) => from < this.#end)
      .map(({ from }) => ({ position: from, text: null }));
    for (let at = 0; at < batch.count; at += 1) {
      const position = batch.positionOf(at);
      if (position >= this.#end) break;
      blocks.push({ position, text: unpacked(batch.payloadOf(at)) });
    }
    if (blocks.length > 0) return blocks;
    // At the end of the file damage looks like a frame that is not whole yet; the marks know better.
    const { position } = this.#reader;
    if (position >= this.#end || this.#isEndTold) return null;
    this.#isEndTold = true;
    return [{ position, text: null }];
  }
}
