/**
 * Pages of several directories, those of the agents of a crawl that rests. A cursor says in which of them
 * pages go on, and where there.
 */
import type { PageRow, RowLink } from "../../store/export/index.ts";
import { DirectoryView, notACursor } from "./directory-view.ts";
import type { AnswerOutcome, StoreBatch, StoreView, StoreWishes } from "./store-view.ts";

export class JoinedView implements StoreView {
  readonly #views: readonly DirectoryView[];
  /** Where each page comes from. */
  readonly #sources = new WeakMap<PageRow, DirectoryView>();

  constructor(views: ConstructorParameters<typeof DirectoryView>[0][]) {
    this.#views = views.map((view) => new DirectoryView(view));
  }

  get faults(): readonly string[] {
    return this.#views.flatMap((view) => view.faults);
  }

  get unarchived(): string | null {
    return this.#views[0]?.unarchived ?? null;
  }

  async *pages(after: string | null): AsyncGenerator<StoreBatch> {
    const [number, inner] = this.#placeOf(after);
    for (const [at, view] of this.#views.entries()) {
      if (at < number) continue;
      for await (const batch of view.pages(at === number ? inner : null)) {
        for (const page of batch.pages) this.#sources.set(page, view);
        yield { ...batch, cursors: batch.cursors.map((cursor) => `${at + 1}.${cursor}`) };
      }
    }
  }

  /** Nothing comes while the crawl rests. */
  follow(after: string | null): AsyncIterable<StoreBatch> {
    return this.pages(after);
  }

  async find(url: string): Promise<PageRow | null> {
    for (const view of this.#views) {
      const page = await view.find(url);
      if (page === null) continue;
      this.#sources.set(page, view);
      return page;
    }
    return null;
  }

  async whole(page: PageRow, wishes: StoreWishes): Promise<PageRow> {
    return (await this.#sources.get(page)?.whole(page, wishes)) ?? page;
  }

  async record(page: PageRow): Promise<AnswerOutcome> {
    return (await this.#sources.get(page)?.record(page)) ?? { kind: "absent" };
  }

  async linksOf(url: string): ReturnType<StoreView["linksOf"]> {
    for (const view of this.#views) {
      const links = (await view.find(url)) === null ? null : await view.linksOf(url);
      if (links !== null) return links;
    }
    return null;
  }

  async *linksTo(url: string): AsyncGenerator<readonly RowLink[]> {
    for (const view of this.#views) yield* view.linksTo(url);
  }

  async close(): Promise<void> {
    for (const view of this.#views) await view.close();
  }

  #placeOf(cursor: string | null): readonly [number, string | null] {
    if (cursor === null) return [0, null];
    const [, number, inner] = /^(\d{1,3})\.(.+)$/.exec(cursor) ?? [];
    if (number === undefined || inner === undefined) throw notACursor(cursor);
    return [Number(number) - 1, inner];
  }
}
