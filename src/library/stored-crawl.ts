/**
 * A crawl directory as a program reads it: pages, answers, text, links, counts. The crawl may be running,
 * also in another process, finished, or damaged; nothing is written and nothing is locked. It is the
 * view that the `store` commands have.
 */
import { CrawlError } from "../base/errors/index.ts";
import type { Clock, Header } from "../base/seams/index.ts";
import {
  contentOf,
  type PageRecord,
  type PageRow,
  type PageText,
  type RowLink,
} from "../store/export/index.ts";
import {
  type CrawlStats,
  type CrawlView,
  loadPageFilter,
  printCursor,
  readCursor,
} from "../store/query/index.ts";

/** A page of a stream, with the place in it. */
export type StreamedPage = PageRow & {
  /** `after` this cursor the stream goes on with the next page, also in another process. */
  readonly cursor: string;
};

export interface StreamOptions {
  /** Which pages: an expression of the filter language, such as `StatusIs(404)`, or a function. */
  readonly filter?: string | ((page: PageRow) => boolean) | undefined;
  /** Begins behind this page: the cursor that it had. */
  readonly after?: string | undefined;
  /** Whether to wait for further pages, until `signal` is given. */
  readonly follow?: boolean | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer that the archive has for a page. */
export interface StoredAnswer {
  /** `HTTP/1.1 200 OK`; "" where there was no HTTP. */
  readonly statusLine: string;
  readonly headers: readonly Header[];
  /** The content, decompressed; of a page that repeats another, that of the original. */
  readonly body: Uint8Array;
  /** As received, without transfer encoding. */
  readonly raw: Uint8Array;
  /** Request line and headers as they were sent; null where they are not in the archive. */
  readonly request: string | null;
}

export class StoredCrawl implements AsyncDisposable {
  readonly #view: CrawlView;
  readonly #clock: Clock;

  constructor(view: CrawlView, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
  }

  /** Why parts of the directory are not used, as far as it was met until now; each as a sentence. */
  get faults(): readonly string[] {
    return this.#view.faults;
  }

  /** The page with this URL, or one that is compared as equal; null if there is none. */
  get(url: string | URL): Promise<PageRow | null> {
    return this.#view.find(String(url));
  }

  /** All pages in the order of their fetches, as soon as these are in the crawl log. */
  async *pages(options: StreamOptions = {}): AsyncGenerator<StreamedPage, void, undefined> {
    const { filter, after, follow = false, signal = new AbortController().signal } = options;
    const accepts = typeof filter === "string" ? await acceptedBy(filter) : filter;
    const from = after === undefined ? 0 : this.#position(after);
    const { id } = this.#view;
    const batches = follow
      ? this.#view.follow(from, { clock: this.#clock, signal })
      : this.#view.pages(from);
    for await (const { pages, cursors } of batches) {
      for (const [at, page] of pages.entries()) {
        if (signal.aborted) return;
        if (accepts !== undefined && !accepts(page)) continue;
        // The view knows the row by its identity.
        yield Object.assign(page, { cursor: printCursor(id, cursors[at] ?? 0) });
      }
    }
  }

  /**
   * The answer to a page; null if none was archived. Rejects with `STORE_RECORD_DAMAGED` if it cannot be
   * read.
   */
  async answer(page: PageRow): Promise<StoredAnswer | null> {
    const outcome = await this.#view.record(page, { request: true });
    if (outcome.kind === "absent") return null;
    if (outcome.kind === "damaged") throw unreadable(page, outcome.reason);
    return answerOf(page, outcome.record);
  }

  /** The content of a page, decompressed; as `answer`. */
  async body(page: PageRow): Promise<Uint8Array | null> {
    return (await this.answer(page))?.body ?? null;
  }

  /** What a reader of the page sees; null for what has no text or is not archived. */
  text(page: PageRow): Promise<PageText | null> {
    return this.#view.text(page);
  }

  /** The links of a page; null when neither the link graph nor the archive has them. */
  links(page: PageRow | string | URL): Promise<readonly RowLink[] | null> {
    return this.#view.linksOf(urlOf(page));
  }

  /** The links that lead to a page; `url` is the page that has the link. */
  async *linksTo(page: PageRow | string | URL): AsyncGenerator<RowLink, void, undefined> {
    for await (const links of this.#view.linksTo(urlOf(page))) yield* links;
  }

  /** How many pages there are, by status, type, language and depth. Reads the crawl log. */
  stats(): Promise<CrawlStats> {
    return this.#view.stats();
  }

  close(): Promise<void> {
    return this.#view.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #position(cursor: string): number {
    const position = readCursor(this.#view.id, cursor);
    if (position !== null) return position;
    throw new CrawlError(
      "USAGE_BAD_ARGUMENT",
      "The option after is not a cursor of this crawl. Take one from a page of pages().",
    );
  }
}

async function acceptedBy(filter: string): Promise<(page: PageRow) => boolean> {
  return (await loadPageFilter(filter, "filter")).accepts;
}

function answerOf(page: PageRow, record: PageRecord): StoredAnswer {
  const { statusLine, headers, payload: raw, request } = record;
  const content = contentOf(record);
  if (content.kind === "damaged") throw unreadable(page, content.reason);
  const asked = request === null ? null : Buffer.from(request.block).toString("latin1");
  return { statusLine, headers, body: content.bytes, raw, request: asked };
}

function urlOf(page: PageRow | string | URL): string {
  return typeof page === "string" || page instanceof URL ? String(page) : page.url;
}

function unreadable({ url }: PageRow, reason: string): CrawlError {
  return new CrawlError(
    "STORE_RECORD_DAMAGED",
    `The record of ${url} cannot be read: ${reason}. \`trobar store verify\` lists all damage.`,
    { url },
  );
}
