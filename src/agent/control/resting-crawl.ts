/**
 * What can be asked of a crawl by its directory alone, whether it rests or another process runs it. A
 * crawl that rests has a checkpoint, which says what waits; of one that runs, or did not end in order,
 * the last checkpoint says how it stood some seconds before. Of a crawl that several agents share, each
 * directory has a part; together they are the whole.
 */
import { isCrawlError } from "../../base/errors/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import type { CrawlView, JoinedCrawl } from "../../store/query/index.ts";
import type { CrawlSummary } from "../crawl/counting/crawl-summary.ts";
import { explainUrl, memoryOf } from "../explain/explain-url.ts";
import { bestStory, type Explanation } from "../explain/explanation.ts";
import { openJoinedCrawl } from "../member/queries/open-joined.ts";
import { isGivenUpBy } from "../member/steering/given-up.ts";
import { summaryTogether } from "../member/steering/resting-agents.ts";
import type { FoundCrawl } from "../saving/checkpoint-keeper.ts";
import { readSavedCrawl } from "../saving/read-saved.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";
import { refuseHalfRebuilt } from "../verify/rebuild-state.ts";
import { type AddedSeed, readAdded } from "./added-seeds.ts";
import { failedIn } from "./failed-pages.ts";
import { addOrders, readOrders } from "./orders.ts";
import { restingSummary } from "./resting-summary.ts";

export class RestingCrawl {
  readonly #folder: string;
  readonly #found: FoundCrawl | null;
  /** Why the checkpoint cannot be read, or must not be gone on from; null if it can, or there is none. */
  readonly trouble: string | null;

  private constructor(folder: string, found: FoundCrawl | null, trouble: string | null) {
    this.#folder = folder;
    this.#found = found;
    this.trouble = trouble;
  }

  /** `folder` is absolute, and holds a crawl. */
  static async open(folder: string): Promise<RestingCrawl> {
    try {
      if (!CrawlDirectory.isInUse(folder)) refuseHalfRebuilt(folder);
      return new RestingCrawl(folder, await readSavedCrawl(folder), null);
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      return new RestingCrawl(folder, null, error.message);
    }
  }

  /** What all of them have done, as of their last checkpoints; null if none has one that can be read. */
  static summaryTogether(crawls: readonly RestingCrawl[]): CrawlSummary | null {
    return summaryTogether(crawls);
  }

  /**
   * Reads the directories of agents as one crawl. `folders` are absolute, end in numbers, and are in their
   * order; `name` is for people.
   */
  static viewTogether(folders: readonly string[], name: string): Promise<JoinedCrawl> {
    return openJoinedCrawl(folders, name);
  }

  /** Of what several have explained, that of the one that knows most; null if nobody knows anything. */
  static bestOf(stories: readonly (Explanation | null)[]): Explanation | null {
    return bestStory(stories);
  }

  /** Throws `DIRECTORY_…` if it cannot be read. */
  get identity(): CrawlDirectory["identity"] {
    return CrawlDirectory.identityOf(this.#folder);
  }

  /** As the directory records it. Throws `DIRECTORY_…` if it cannot be read. */
  get configuration(): Configuration {
    return CrawlDirectory.configurationOf(this.#folder);
  }

  /** Whether each of the others, of whom there is one at least, goes on without the agent in `folder`. */
  static isGivenUpBy(others: readonly string[], folder: string): boolean {
    return isGivenUpBy(others, folder, CrawlDirectory.identityOf(folder).agent);
  }

  /** Whether another process has it at this moment. */
  get isInUse(): boolean {
    return CrawlDirectory.isInUse(this.#folder);
  }

  /** Whether it is the part of an agent in a crawl that several share. */
  get isPart(): boolean {
    return this.#found?.saved.member !== undefined;
  }

  /** What it has done in all its runs, and what waits; null if it did not end in order. */
  summary(): CrawlSummary | null {
    return this.#ended === null ? null : this.lastSummary();
  }

  /** The same as of the last checkpoint, however it ended; null without one. */
  lastSummary(): CrawlSummary | null {
    return this.#found === null ? null : restingSummary(this.#found.saved, this.configuration);
  }

  get #ended(): SavedCrawl | null {
    return this.#found?.isWhole === true ? this.#found.saved : null;
  }

  /**
   * Adds seeds for the next run. Throws `DIRECTORY_IN_USE` if the crawl runs after all. They pass the
   * rules of the crawl when it runs.
   */
  async addSeeds(texts: readonly string[]): Promise<readonly AddedSeed[]> {
    const directory = CrawlDirectory.open(this.#folder);
    try {
      const configuration = directory.configuration();
      const known = new Set([...configuration.seeds, ...readOrders(this.#folder).seeds]);
      const schemes = schemesOf(configuration);
      const read = texts.map((text) => readAdded(text.trim(), schemes, known));
      const seeds = read.flatMap(({ fate, url }) =>
        fate === "added" && url !== null ? [url] : [],
      );
      if (seeds.length > 0) addOrders(this.#folder, { seeds });
      return read;
    } finally {
      directory.close();
    }
  }

  /**
   * Has the next run try failed pages again, and returns how many there are now. Rejects with
   * `FILTER_INVALID`, or `DIRECTORY_IN_USE` if the crawl runs after all.
   */
  async retry(where: string | null): Promise<number> {
    const { length } = await failedIn(this.#folder, [where]);
    const directory = CrawlDirectory.open(this.#folder);
    try {
      if (length > 0) addOrders(this.#folder, { retries: [where] });
      return length;
    } finally {
      directory.close();
    }
  }

  /** What became of a URL; null for a text that is not a URL which this crawl could fetch. */
  explain(text: string, view: CrawlView, version: string): Promise<Explanation | null> {
    const memory = this.#ended === null ? null : memoryOf(this.#ended, this.#folder);
    return explainUrl(text, { folder: this.#folder, view, version, memory });
  }
}
