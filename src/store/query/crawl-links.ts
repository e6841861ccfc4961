/**
 * The links of a crawl in both directions: from the link graph, or, where there is none, from the
 * pages of the archive, all of which are read for the links that lead to a page. A damaged graph is
 * left aside in the same way.
 */
import { isCrawlError } from "../../base/errors/index.ts";
import { answered, type Done } from "../../base/seams/index.ts";
import type { PageRow, RowLink } from "../export/index.ts";
import type { LinkCounts, LinkedPage, LinksIn, LinkView } from "../links/index.ts";

export interface CrawlLinksParts {
  /** Null when the crawl keeps no link graph. */
  readonly graph: LinkView | null;
  readonly keyOf: (url: string) => string | null;
  readonly find: (url: string) => Promise<PageRow | null>;
  readonly pages: () => AsyncIterable<{ readonly pages: readonly PageRow[] }>;
  /** From the record of the page. */
  readonly linksIn: (page: PageRow) => Promise<readonly RowLink[] | null>;
  /** Told once why the graph is not used, as a sentence. */
  readonly tell: (fault: string) => void;
}

export class CrawlLinks {
  readonly #parts: CrawlLinksParts;
  #graph: LinkView | null;

  constructor(parts: CrawlLinksParts) {
    this.#parts = parts;
    this.#graph = parts.graph;
  }

  /** How many links the graph has; null without one. */
  async count(): Promise<number | null> {
    const counts = await this.#asked<LinkCounts>((graph, done) => graph.counts(done));
    return counts?.links ?? null;
  }

  /** The links of a page; null when neither graph nor archive has them. */
  async of(url: string): Promise<readonly RowLink[] | null> {
    const found = await this.#asked<LinkedPage | null>((graph, done) => graph.linksOf(url, done));
    if (found !== null) return found.links;
    const page = await this.#parts.find(url);
    return page === null ? null : await this.#parts.linksIn(page);
  }

  /** The links that lead to a page, in batches; `url` is the page that has the link. */
  async *to(url: string): AsyncGenerator<readonly RowLink[]> {
    const counts = await this.#asked<LinkCounts>((graph, done) => graph.counts(done));
    const first =
      counts === null || counts.pages === 0
        ? null
        : await this.#asked<LinksIn>((graph, done) => graph.linksTo(url, 0, done));
    if (first === null) {
      yield* this.#readTo(url);
      return;
    }
    yield first.links;
    const graph = this.#graph;
    // Damage further on ends the answer: what was given cannot be taken back.
    for (let after = first.next; after !== null && graph !== null; ) {
      const from: number = after;
      const some: LinksIn = await answered<LinksIn>((done) => graph.linksTo(url, from, done));
      yield some.links;
      after = some.next;
    }
  }

  /** Null when no graph is kept, or it is damaged, after which it is not asked again. */
  async #asked<Value>(ask: (graph: LinkView, done: Done<Value>) => void): Promise<Value | null> {
    const graph = this.#graph;
    if (graph === null) return null;
    try {
      return await answered<Value>((done) => ask(graph, done));
    } catch (error) {
      if (!isCrawlError(error) || !GRAPH_FAULTS.test(error.code)) throw error;
      this.#graph = null;
      this.#parts.tell(
        `The link graph cannot be used, so links are read from the archive: ${error.message}`,
      );
      return null;
    }
  }

  async *#readTo(url: string): AsyncGenerator<readonly RowLink[]> {
    const { keyOf, pages: everyPage, linksIn } = this.#parts;
    const key = keyOf(url);
    for await (const { pages } of everyPage()) {
      const found: RowLink[] = [];
      for (const page of pages) {
        const links = page.warc === null ? null : await linksIn(page);
        const leading = links?.filter((link) => keyOf(link.url) === key) ?? [];
        for (const link of leading) found.push({ ...link, url: page.url });
      }
      yield found;
    }
  }
}

const GRAPH_FAULTS = /^(?:LINKS|RUN|LOG|STORAGE)_/;
