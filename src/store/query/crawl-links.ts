/**
 * The links of a crawl in both directions: from the link graph, or, where there is none, from the
 * pages of the archive, all of which are read for the links that lead to a page.
 */
import { answered } from "../../base/seams/index.ts";
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
}

export class CrawlLinks {
  readonly #parts: CrawlLinksParts;

  constructor(parts: CrawlLinksParts) {
    this.#parts = parts;
  }

  /** How many links the graph has; null without one. */
  async count(): Promise<number | null> {
    const { graph } = this.#parts;
    if (graph === null) return null;
    return (await answered<LinkCounts>((done) => graph.counts(done))).links;
  }

  /** The links of a page; null when neither graph nor archive has them. */
  async of(url: string): Promise<readonly RowLink[] | null> {
    const graph = await this.#graph();
    const found =
      graph === null ? null : await answered<LinkedPage | null>((done) => graph.linksOf(url, done));
    if (found !== null) return found.links;
    const page = await this.#parts.find(url);
    return page === null ? null : await this.#parts.linksIn(page);
  }

  /** The links that lead to a page, in batches; `url` is the page that has the link. */
  async *to(url: string): AsyncGenerator<readonly RowLink[]> {
    const graph = await this.#graph();
    if (graph === null) {
      yield* this.#readTo(url);
      return;
    }
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after;
      const some: LinksIn = await answered<LinksIn>((done) => graph.linksTo(url, from, done));
      yield some.links;
      after = some.next;
    }
  }

  /** Null when no graph is kept, or it has nothing yet. */
  async #graph(): Promise<LinkView | null> {
    const { graph } = this.#parts;
    if (graph === null) return null;
    const { pages } = await answered<LinkCounts>((done) => graph.counts(done));
    return pages === 0 ? null : graph;
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
