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
  type Checkpoint,
  openCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from "../../store/index/index.ts";
import { crawlOf, droppedBy, valuesOf } from "./checkpoint-values.ts";
import type { CrawlChanges, SavedCrawl } from "./saved-crawl.ts";

export class CheckpointKeeper {
  readonly #databases: Databases;
  readonly #background: Background;
  /** Of all values that were read. */
  #names: readonly string[] = [];

  constructor(databases: Databases, background: Background) {
    this.#databases = databases;
    this.#background = background;
  }

  /** Null if the crawl did not end in order. */
  read(done: Done<SavedCrawl | null>): void {
    const take = (values: Checkpoint | null): void => {
      this.#names = [...(values?.keys() ?? [])];
      const saved = values === null ? null : crawlOf(values);
      if (isCrawlError(saved)) done(saved, undefined);
      else done(null, saved);
    };
    readCheckpoint(this.#databases, withValue(done, take));
  }

  /** The crawl goes on: what was read no longer holds. */
  open(done: Acknowledge): void {
    openCheckpoint(this.#databases, done);
  }

  /** What is not among the changes stays as it is. */
  write(changes: CrawlChanges, done: Acknowledge): void {
    this.#write(valuesOf(changes), droppedBy(changes), done);
  }

  /** In place of all that was read. */
  replace(saved: SavedCrawl, done: Acknowledge): void {
    const values = valuesOf(saved);
    const dropped = this.#names.filter((name) => !values.has(name));
    this.#write(values, dropped, done);
  }

  #write(values: Checkpoint, dropped: readonly string[], done: Acknowledge): void {
    const written = withValue(done, () => done(null));
    this.#background.run(writeCheckpoint, { values, dropped }, written);
  }
}
