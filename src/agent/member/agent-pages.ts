/**
 * The pages of an agent as queries of its cluster see them: read from its directory, like every other reader
 * does, while the crawl runs. Copies that are hidden since another agent has the one that counts are not
 * told of.
 */
import type { Done } from "../../base/seams/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import type {
  ItemsPart,
  LocalPages,
  PagePart,
  Query,
  Whereabouts,
} from "../../cluster/queries/index.ts";
import type { CrawlView } from "../../store/query/index.ts";
import { answerWith } from "./answer-with.ts";
import { printPage } from "./page-message.ts";

export interface AgentPagesParts {
  readonly view: Pick<CrawlView, "find" | "record" | "pages" | "linksTo">;
  /** Who says to have the page of a URL that is not here. */
  readonly holdersOf: (url: string, done: (holders: readonly Place[]) => void) => void;
  /** The place whose copy is shown instead of the one that is here; null if ours is. */
  readonly hiddenBy: (url: string) => Promise<Place | null>;
}

/** All pages, as JSON, in the order of their fetches; the cursor is one of the crawl log. */
const PAGES = "pages";
/** The links to a page, as JSON; the cursor counts them. */
const LINKS_IN = "links-in";

/** Pages that are kept while askers take them part by part. */
const KEPT_PAGES = 4;

interface KeptPage {
  readonly bytes: Buffer;
  readonly stamp: string;
}

export class AgentPages implements LocalPages {
  readonly #parts: AgentPagesParts;
  /** By URL; the last that was asked for comes last. */
  readonly #kept = new Map<string, KeptPage>();

  constructor(parts: AgentPagesParts) {
    this.#parts = parts;
  }

  whereIs(url: string, done: Done<Whereabouts>): void {
    const { view, hiddenBy, holdersOf } = this.#parts;
    answerWith(done, async (): Promise<Whereabouts> => {
      const isHere = (await view.find(url)) !== null;
      const other = isHere ? await hiddenBy(url) : null;
      if (other !== null) return { kind: "elsewhere", place: other };
      if (isHere) return { kind: "here" };
      const [place] = await new Promise<readonly Place[]>((resolve) => holdersOf(url, resolve));
      return place === undefined ? { kind: "absent" } : { kind: "elsewhere", place };
    });
  }

  readPage(url: string, from: number, bytesMax: number, done: Done<PagePart | null>): void {
    answerWith(done, async () => {
      const page = (from > 0 ? this.#kept.get(url) : null) ?? (await this.#read(url));
      if (page === null) return null;
      const { bytes, stamp } = page;
      return { bytes: bytes.subarray(from, from + bytesMax), totalBytes: bytes.length, stamp };
    });
  }

  items(query: Query, cursor: string, bytesMax: number, done: Done<ItemsPart>): void {
    answerWith(done, () => this.#items(query, Number(cursor), bytesMax));
  }

  async #read(url: string): Promise<KeptPage | null> {
    const { view } = this.#parts;
    const row = await view.find(url);
    if (row === null) return null;
    const bytes = printPage({ row, outcome: await view.record(row) });
    const page = { bytes, stamp: row.fetchedAt };
    this.#kept.delete(url);
    this.#kept.set(url, page);
    for (const first of this.#kept.keys()) {
      if (this.#kept.size > KEPT_PAGES) this.#kept.delete(first);
    }
    return page;
  }

  async #items({ what, argument }: Query, cursor: number, bytesMax: number): Promise<ItemsPart> {
    const items = new Items(bytesMax);
    let reached = cursor;
    for await (const [item, next] of this.#after(what, argument, cursor)) {
      reached = next;
      if (item !== null && !items.take(item)) return items.part(reached, false);
    }
    return items.part(reached, true);
  }

  /** Items, each with the cursor behind it; null where there is only that. */
  async *#after(
    what: string,
    argument: string,
    cursor: number,
  ): AsyncGenerator<readonly [item: string | null, next: number]> {
    if (what === PAGES) yield* this.#pagesAfter(cursor);
    if (what !== LINKS_IN) return;
    let count = 0;
    for await (const links of this.#parts.view.linksTo(argument)) {
      for (const link of links) {
        count += 1;
        const isTold = count > cursor && (await this.#parts.hiddenBy(link.url)) === null;
        if (isTold) yield [JSON.stringify(link), count];
      }
    }
  }

  async *#pagesAfter(cursor: number): AsyncGenerator<readonly [item: string | null, next: number]> {
    const { view, hiddenBy } = this.#parts;
    for await (const { pages, cursors, cursor: end } of view.pages(cursor)) {
      for (const [at, page] of pages.entries()) {
        if ((await hiddenBy(page.url)) === null) yield [JSON.stringify(page), cursors[at] ?? end];
      }
      yield [null, end];
    }
  }
}

/** Items up to about a length. */
class Items {
  readonly #items: Uint8Array[] = [];
  #left: number;

  constructor(bytesMax: number) {
    this.#left = bytesMax;
  }

  /** Takes the item; false if it was the last. */
  take(item: string): boolean {
    const bytes = Buffer.from(item);
    this.#items.push(bytes);
    this.#left -= bytes.length;
    return this.#left > 0;
  }

  part(cursor: number, isEnd: boolean): ItemsPart {
    return { items: this.#items, cursor: String(cursor), isEnd };
  }
}
