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
import { crawlOf, valuesOf } from "./checkpoint-values.ts";
import type { SavedCrawl } from "./saved-crawl.ts";

export class CheckpointKeeper {
  readonly #databases: Databases;
  readonly #background: Background;
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

  write(saved: SavedCrawl, done: Acknowledge): void {
    const values = valuesOf(saved);
    const dropped = this.#names.filter((name) => !values.has(name));
    this.#background.run(
      writeCheckpoint,
      { values, dropped },
      withValue(done, () => {
        this.#names = [...values.keys()];
        done(null);
      }),
    );
  }
}
