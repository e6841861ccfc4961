/** Reads all blocks of a link graph, one after the other, for those who check it. */
import { type FrameBatch, type LogReader, type ViewedLog, viewLog } from "../../base/log/index.ts";
import { checkRuns } from "../../base/runs/index.ts";
import {
  answered,
  type Done,
  type FileName,
  type Storage,
  withValue,
} from "../../base/seams/index.ts";
import { LINK_FORMATS, LINK_RUNS, type LinkMarks, linkLogName } from "./link-marks.ts";
import { type LinkedPage, pagesIn } from "./link-text.ts";
import { readMarks } from "./open-link-graph.ts";
import { unpacked } from "./read-block.ts";

export interface LinkBlock {
  /** Where it begins in the log. */
  readonly position: number;
  /** Null when it cannot be read. */
  readonly pages: readonly LinkedPage[] | null;
}

/** Reads all runs of a graph, and tells of those that are not as they were written. */
export async function checkLinkRuns(
  storage: Storage,
  folder: FileName,
  tell: Parameters<typeof checkRuns>[3],
): Promise<void> {
  const marks = await answered<LinkMarks>((done) => readMarks(storage, folder, done));
  for (const name of LINK_RUNS) {
    await checkRuns(storage, marks[name].runs, LINK_FORMATS[name], tell);
  }
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
    const openLog = ({ end }: LinkMarks): void => {
      const take = (log: ViewedLog): void => done(null, new LinkWalk(log.reader(), end));
      if (end === 0) done(null, null);
      else viewLog(storage, linkLogName(folder), withValue(done, take));
    };
    readMarks(storage, folder, withValue(done, openLog));
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
      .map(({ from }) => ({ position: from, pages: null }));
    for (let at = 0; at < batch.count; at += 1) {
      const position = batch.positionOf(at);
      if (position >= this.#end) break;
      const text = unpacked(batch.payloadOf(at));
      blocks.push({ position, pages: text === null ? null : [...pagesIn(text)] });
    }
    if (blocks.length > 0) return blocks;
    // At the end of the file damage looks like a frame that is not whole yet; the marks know better.
    const { position } = this.#reader;
    if (position >= this.#end || this.#isEndTold) return null;
    this.#isEndTold = true;
    return [{ position, pages: null }];
  }
}
