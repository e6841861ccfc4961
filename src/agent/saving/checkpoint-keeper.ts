/** Keeps the checkpoint of a crawl in `crawl.db`. */
import { isCrawlError } from "../../base/errors/index.ts";
import {
  type Acknowledge,
  type Background,
  type Databases,
  type Done,
  withValue,
} from "../../base/seams/index.ts";
import {
  type CheckpointToWrite,
  type FoundCheckpoint,
  openCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from "../../store/index/index.ts";
import { crawlOf, droppedBy, valuesOf } from "./checkpoint-values.ts";
import type { CrawlChanges, SavedCrawl } from "./saved-crawl.ts";

export interface FoundCrawl {
  readonly saved: SavedCrawl;
  /** Whether it ended in order; else it was killed some time after this. */
  readonly isWhole: boolean;
}

export class CheckpointKeeper {
  readonly #databases: Databases;
  readonly #background: Background;
  /** The identity of the crawl. */
  readonly #crawl: string;
  /** Of all values that were read. */
  #names: readonly string[] = [];

  constructor(databases: Databases, background: Background, crawl: string) {
    this.#databases = databases;
    this.#crawl = crawl;
    this.#background = background;
  }

  /** Null if there is none. */
  read(done: Done<FoundCrawl | null>): void {
    const take = (found: FoundCheckpoint | null): void => {
      this.#names = [...(found?.values.keys() ?? [])];
      const saved = found === null ? null : crawlOf(found.values, this.#crawl);
      if (isCrawlError(saved)) done(saved, undefined);
      else done(null, saved && { saved, isWhole: found?.isWhole === true });
    };
    readCheckpoint(this.#databases, withValue(done, take));
  }

  /** The crawl goes on: what was read is the past. */
  open(done: Acknowledge): void {
    openCheckpoint(this.#databases, done);
  }

  /** What is not among the changes stays as it is. `isWhole` if the crawl has ended; else it goes on. */
  write(changes: CrawlChanges, isWhole: boolean, done: Acknowledge): void {
    this.#write(
      { values: valuesOf(changes, this.#crawl), dropped: droppedBy(changes), isWhole },
      done,
    );
  }

  /** In place of all that was read. */
  replace(saved: SavedCrawl, isWhole: boolean, done: Acknowledge): void {
    const values = valuesOf(saved, this.#crawl);
    const dropped = this.#names.filter((name) => !values.has(name));
    this.#write({ values, dropped, isWhole }, done);
  }

  #write(input: CheckpointToWrite, done: Acknowledge): void {
    const written = withValue(done, () => done(null));
    this.#background.run(writeCheckpoint, input, written);
  }
}
