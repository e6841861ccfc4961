/** Pages of directories, or of archives. */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { type PageRow, wholeRow } from "../../store/export/index.ts";
import { type CrawlReader, printCursor, readCursor } from "../../store/query/index.ts";
import type { StoreBatch, StoreView, StoreWishes } from "./store-view.ts";

type ViewedBatch =
  ReturnType<CrawlReader["pages"]> extends AsyncIterable<infer Batch> ? Batch : never;

export class DirectoryView implements StoreView {
  readonly partNote: string | null;
  readonly #view: CrawlReader;

  constructor(view: CrawlReader, part: string | null) {
    this.#view = view;
    this.partNote = part;
  }

  get faults(): readonly string[] {
    return this.#view.faults;
  }

  get unarchived(): string | null {
    return this.#view.unarchived;
  }

  async *pages(after: string | null): AsyncGenerator<StoreBatch> {
    for await (const batch of this.#view.pages(this.#positionAfter(after)))
      yield this.#named(batch);
  }

  async *follow(
    after: string | null,
    how: Parameters<StoreView["follow"]>[1],
  ): AsyncGenerator<StoreBatch> {
    const batches = this.#view.follow(this.#positionAfter(after), how);
    for await (const batch of batches) yield this.#named(batch);
  }

  find(url: string): Promise<PageRow | null> {
    return this.#view.find(url);
  }

  whole(page: PageRow, wishes: StoreWishes): Promise<PageRow> {
    return wholeRow(this.#view, page, wishes);
  }

  record(page: PageRow): ReturnType<StoreView["record"]> {
    return this.#view.record(page);
  }

  linksOf(url: string): ReturnType<StoreView["linksOf"]> {
    return this.#view.linksOf(url);
  }

  linksTo(url: string): ReturnType<StoreView["linksTo"]> {
    return this.#view.linksTo(url);
  }

  close(): Promise<void> {
    return this.#view.close();
  }

  #named({ pages, cursors, damagedBytes }: ViewedBatch): StoreBatch {
    const { id } = this.#view;
    return { pages, cursors: cursors.map((cursor) => printCursor(id, cursor)), damagedBytes };
  }

  #positionAfter(cursor: string | null): number {
    if (cursor === null) return 0;
    const position = readCursor(this.#view.id, cursor);
    if (position !== null) return position;
    throw notACursor(cursor);
  }
}

export function notACursor(cursor: string): CrawlError {
  const message =
    `--after ${quoted(cursor)} is not a cursor of this crawl. ` +
    "Use one that `trobar store stream --json` printed for it, or leave it out to begin anew.";
  return new CrawlError("USAGE_BAD_FLAG_VALUE", message);
}
