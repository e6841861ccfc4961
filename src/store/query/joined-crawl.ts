/**
 * A crawl that several agents share, read from their directories as one: the pages of each come after those
 * of the one before. Two directories may have a page when an agent was away for long; it is shown once, from
 * the one that has the copy that counts, if that is among them.
 */
import assert from "node:assert/strict";
import type { Clock } from "../../base/seams/index.ts";
import type {
  ArchivedAnswer,
  ExportSource,
  PageRow,
  PageText,
  RecordOutcome,
  RowLink,
} from "../export/index.ts";
import { CrawlCounts, type CrawlStats } from "./crawl-stats.ts";
import type { CrawlView, ViewedBatch } from "./crawl-view.ts";

/** A crawl that is read as a whole: one directory, several, or archives. */
export type CrawlReader = Pick<
  CrawlView,
  | "faults"
  | "unarchived"
  | "follow"
  | "linksOf"
  | "linksTo"
  | "stats"
  | "pages"
  | keyof ExportSource
>;

export interface JoinedDirectory {
  readonly view: CrawlView;
  /** Stays the same when others come or go: cursors have it. From 1 to 999. */
  readonly number: number;
  /** Whether another of these directories has the copy of the page that counts; null if that cannot be. */
  readonly hides: ((page: PageRow) => Promise<boolean>) | null;
}

type ArchiveFile = Awaited<ReturnType<ExportSource["archiveFiles"]>>[number];

/** Cursors are positions in the crawl log of one directory, above its number. */
const NUMBER_STEP = 1e12;

export class JoinedCrawl implements CrawlReader {
  readonly name: string;
  readonly id: string;
  readonly #directories: readonly JoinedDirectory[];
  /** Where each page comes from. */
  readonly #sources = new WeakMap<PageRow, JoinedDirectory>();

  /** In the order of their numbers; `id` is that of the crawl, in lower-case letters and digits. */
  constructor(
    directories: readonly JoinedDirectory[],
    { name, id }: { readonly name: string; readonly id: string },
  ) {
    assert(directories.length > 0, "a crawl has a directory");
    this.#directories = directories;
    this.name = name;
    this.id = id;
  }

  get faults(): readonly string[] {
    return this.#directories.flatMap(({ view }) => view.faults);
  }

  get unarchived(): string | null {
    return this.#first.view.unarchived;
  }

  async *pages(after = 0): AsyncGenerator<ViewedBatch> {
    const reached = Math.floor(after / NUMBER_STEP);
    for (const directory of this.#directories) {
      const { number, view } = directory;
      if (number < reached) continue;
      for await (const batch of view.pages(number === reached ? after % NUMBER_STEP : 0)) {
        const shown: PageRow[] = [];
        const cursors: number[] = [];
        for (const [at, page] of batch.pages.entries()) {
          if (!(await this.#isShown(directory, page))) continue;
          shown.push(page);
          cursors.push(cursorIn(number, batch.cursors[at] ?? batch.cursor));
        }
        const { cursor, damagedBytes } = batch;
        yield { pages: shown, cursors, cursor: cursorIn(number, cursor), damagedBytes };
      }
    }
  }

  /** Nothing comes while the agents rest. */
  follow(
    after: number,
    _until: { readonly clock: Clock; readonly signal: AbortSignal },
  ): AsyncGenerator<ViewedBatch> {
    return this.pages(after);
  }

  /** Also those whose pages are not shown: they are in the archive. */
  async *answers(): AsyncGenerator<readonly ArchivedAnswer[]> {
    for (const directory of this.#directories) {
      for await (const answers of directory.view.answers()) {
        for (const { page } of answers) if (page !== null) this.#sources.set(page, directory);
        yield answers;
      }
    }
  }

  async find(url: string): Promise<PageRow | null> {
    let other: PageRow | null = null;
    for (const directory of this.#directories) {
      const page = await directory.view.find(url);
      if (page === null) continue;
      if (await this.#isShown(directory, page)) return page;
      other = page;
    }
    return other;
  }

  record(page: PageRow, options?: { readonly request?: boolean }): Promise<RecordOutcome> {
    return this.#viewOf(page).record(page, options);
  }

  text(page: PageRow): Promise<PageText | null> {
    return this.#viewOf(page).text(page);
  }

  links(page: PageRow): Promise<readonly RowLink[] | null> {
    return this.#viewOf(page).links(page);
  }

  async archiveFiles(): Promise<readonly ArchiveFile[]> {
    const files: ArchiveFile[] = [];
    for (const { view } of this.#directories) files.push(...(await view.archiveFiles()));
    return files;
  }

  async *archiveBytes(file: ArchiveFile): AsyncGenerator<Uint8Array> {
    for (const { view } of this.#directories) {
      if ((await view.lengthOf(file.name)) === null) continue;
      yield* view.archiveBytes(file);
      return;
    }
  }

  async lengthOf(warc: string): Promise<number | null> {
    for (const { view } of this.#directories) {
      const length = await view.lengthOf(warc);
      if (length !== null) return length;
    }
    return null;
  }

  /** Those of the page that is shown. */
  async linksOf(url: string): Promise<readonly RowLink[] | null> {
    const page = await this.find(url);
    return page === null ? null : await this.#viewOf(page).linksOf(url);
  }

  async *linksTo(url: string): AsyncGenerator<readonly RowLink[]> {
    for (const directory of this.#directories) {
      const { view, hides } = directory;
      for await (const links of view.linksTo(url)) {
        if (hides === null) yield links;
        else yield await this.#shownLinks(directory, links);
      }
    }
  }

  /** A host counts once, whoever has its pages. */
  async stats(): Promise<CrawlStats> {
    const counts = new CrawlCounts();
    for (const { view, hides } of this.#directories) {
      await view.count(counts, hides === null ? null : async (page) => !(await hides(page)));
    }
    return counts.stats();
  }

  async close(): Promise<void> {
    for (const { view } of this.#directories) await view.close();
  }

  get #first(): JoinedDirectory {
    return this.#directories[0] as JoinedDirectory;
  }

  async #isShown(directory: JoinedDirectory, page: PageRow): Promise<boolean> {
    this.#sources.set(page, directory);
    return directory.hides === null || !(await directory.hides(page));
  }

  /** Links of pages that another directory shows are told of there. */
  async #shownLinks(
    directory: JoinedDirectory,
    links: readonly RowLink[],
  ): Promise<readonly RowLink[]> {
    const shown: RowLink[] = [];
    for (const link of links) {
      const page = await directory.view.find(link.url);
      if (page === null || (await this.#isShown(directory, page))) shown.push(link);
    }
    return shown;
  }

  #viewOf(page: PageRow): CrawlView {
    return (this.#sources.get(page) ?? this.#first).view;
  }
}

function cursorIn(number: number, position: number): number {
  assert(position < NUMBER_STEP, "a crawl log is shorter than a terabyte");
  return number * NUMBER_STEP + position;
}
