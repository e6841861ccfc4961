/**
 * Where pages wait for the program, and are held while it looks at them. There is one of three ways to
 * take them: a loop takes one after the other, a handler several at once, and if the program only waits
 * for the end nobody does.
 *
 * Invariant: every page that comes is replied to once: when the program is done with it, or when the desk
 * closes. What waits here is bounded by the crawl, which begins no pages while there is no room.
 */
import type { DonePage, PageReader } from "../agent/index.ts";
import type { PageHandler } from "./crawl-options.ts";
import { type Page, pageOf } from "./page.ts";
import type { RowFields } from "./row-fields.ts";

export interface PageDeskOptions {
  readonly text: boolean;
  readonly links: boolean;
  readonly markdown: boolean;
  readonly fields: RowFields;
}

export interface HandlerOptions {
  readonly handler: PageHandler;
  readonly atOnceMax: number;
  /** Called with what the handler threw. */
  readonly failed: (url: string, thrown: unknown) => void;
}

/** What the program adds to a page. */
export type PageReply = NonNullable<Awaited<ReturnType<PageReader["read"]>>>;

/** A page at the desk. */
interface Entry {
  readonly page: Page;
  /** Called once. */
  readonly reply: (reply: PageReply) => void;
}

/** Pages that may wait before no more are begun. */
const WAITING_MAX = 32;

export class PageDesk implements PageReader {
  readonly text: boolean;
  readonly links: boolean;
  readonly markdown: boolean;
  readonly #fields: RowFields;
  readonly #waiting: Entry[] = [];
  /** Pages that the program looks at. */
  readonly #held = new Set<Entry>();
  readonly #forRoom: (() => void)[] = [];
  #handling: HandlerOptions | null = null;
  /** The loop waits for a page, or for the end. */
  #looper: (() => void) | null = null;
  #isUnread = false;
  #isClosed = false;

  constructor({ text, links, markdown, fields }: PageDeskOptions) {
    this.text = text;
    this.markdown = markdown;
    this.links = links;
    this.#fields = fields;
  }

  get hasRoom(): boolean {
    return this.#waiting.length < WAITING_MAX;
  }

  whenRoom(callback: () => void): void {
    this.#forRoom.push(callback);
  }

  read(done: DonePage): Promise<PageReply> {
    const { promise, resolve } = Promise.withResolvers<PageReply>();
    const entry = { page: pageOf(done, this.#fields), reply: resolve };
    if (this.#isClosed || this.#isUnread) void this.#passBy(entry);
    else {
      this.#waiting.push(entry);
      this.#wake();
    }
    return promise;
  }

  /** From now on a handler takes the pages. */
  handle(handling: HandlerOptions): void {
    this.#handling = handling;
    this.#wake();
  }

  /** From now on nobody takes the pages. */
  passBy(): void {
    this.#isUnread = true;
    this.#passAllBy();
  }

  /** Nothing is waited for any more: what waits is passed by, what is held is replied to. */
  close(): void {
    this.#isClosed = true;
    this.#passAllBy();
    for (const entry of [...this.#held]) this.#letGo(entry, [], true);
    this.#looper?.();
  }

  /** One page after the other; a page is held until the next one is asked for. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    for (let entry = await this.#next(); entry !== null; entry = await this.#next()) {
      this.#held.add(entry);
      try {
        await entry.page.open();
        yield entry.page;
      } finally {
        this.#letGo(entry, [], false);
      }
    }
  }

  /** Null at the end. */
  async #next(): Promise<Entry | null> {
    while (this.#waiting.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#looper = resolve;
      });
      this.#looper = null;
    }
    return this.#taken();
  }

  #taken(): Entry | null {
    const entry = this.#waiting.shift() ?? null;
    if (this.hasRoom) for (const callback of this.#forRoom.splice(0)) callback();
    return entry;
  }

  #wake(): void {
    this.#looper?.();
    if (this.#handling === null) return;
    const { atOnceMax } = this.#handling;
    while (this.#held.size < atOnceMax && this.#waiting.length > 0) {
      const entry = this.#taken();
      if (entry !== null) void this.#show(entry, this.#handling);
    }
  }

  async #show(entry: Entry, { handler, failed }: HandlerOptions): Promise<void> {
    const { page } = entry;
    this.#held.add(entry);
    let links: readonly string[] = [];
    try {
      await page.open();
      const added = await handler(page);
      if (Array.isArray(added)) links = added.map(String);
    } catch (thrown) {
      failed(page.url, thrown);
    }
    this.#letGo(entry, links, false);
    this.#wake();
  }

  #letGo(entry: Entry, links: readonly string[], keeps: boolean): void {
    // After the desk has closed it may have been let go of already.
    if (!this.#held.delete(entry)) return;
    entry.reply({ links, fields: entry.page.end(keeps) });
  }

  #passAllBy(): void {
    for (let entry = this.#taken(); entry !== null; entry = this.#taken()) void this.#passBy(entry);
  }

  /** Its row is written all the same. */
  async #passBy({ page, reply }: Entry): Promise<void> {
    await page.open();
    reply({ links: [], fields: page.end() });
  }
}
