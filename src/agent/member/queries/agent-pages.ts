/**
 * The pages of an agent as queries of its cluster see them: read from its directory, like every other reader
 * does, while the crawl runs. Copies that are hidden since another agent has the one that counts are not
 * told of. A page by its URL is read in this thread; what may take longer is asked of another one.
 */
import { hash } from "node:crypto";
import { CrawlError, isCrawlError } from "../../../base/errors/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import { KIB } from "../../../base/units/index.ts";
import type { Place } from "../../../cluster/messages/index.ts";
import type {
  ItemsPart,
  LocalPages,
  PagePart,
  Query,
  Whereabouts,
} from "../../../cluster/queries/index.ts";
import type { PageRow } from "../../../store/export/index.ts";
import { type CrawlView, printCursor } from "../../../store/query/index.ts";
import type { LinksAsked, LinksFound } from "../../control/ask-crawl.ts";
import {
  type HostCursor,
  type HostPage,
  type HostQuery,
  printHostCursor,
  readHostCursor,
} from "../../control/host-list.ts";
import type { PageAnswers } from "../../control/page-questions.ts";
import type { Explanation } from "../../explain/explanation.ts";
import { answerWith } from "../answer-with.ts";
import { printPage } from "./page-message.ts";
import {
  type HostItem,
  type LinkItem,
  PAGE_QUERIES,
  type PageItem,
  readHostsWanted,
  readPagesWanted,
  readWholeWanted,
} from "./page-queries.ts";

export interface AgentPagesParts {
  readonly view: Pick<CrawlView, "find" | "record">;
  /** Of this directory. */
  readonly pages: Pick<PageAnswers, "ask">;
  /** Of this disk. */
  readonly id: string;
  /** Who says to have the page of a URL that is not here. */
  readonly holdersOf: (url: string, done: (holders: readonly Place[]) => void) => void;
  /** The place whose copy is shown instead of the one that is here; null if ours is. */
  readonly hiddenBy: (url: string) => Promise<Place | null>;
  /** What this agent knows of a URL; null for what is not one. */
  readonly explain: (url: string) => Promise<Explanation | null>;
  /** The hosts that this agent has. */
  readonly hosts: (query: HostQuery) => Promise<HostPage>;
  readonly close: () => Promise<void>;
}

/** Pages that are kept while askers take them part by part. */
const KEPT_PAGES = 4;
/** So many are read for a part; of those with text or links, fewer fit. */
const PAGES_AT_ONCE = 400;
const WHOLE_PAGES_AT_ONCE = 20;
const LINKS_AT_ONCE = 1000;
/** A page with more text and links than this is sent without them. */
const ITEM_BYTES_MAX = 128 * KIB;

interface KeptPage {
  readonly bytes: Buffer;
  readonly stamp: string;
}

export class AgentPages implements LocalPages {
  readonly #parts: AgentPagesParts;
  /** By URL; the last that was asked for comes last. */
  readonly #kept = new Map<string, KeptPage>();
  /** Parts that are being read: whoever asks again because it takes long gets the same one. */
  readonly #reading = new Map<string, Promise<ItemsPart>>();
  /** Texts that are told in pieces, by their questions and digests. */
  readonly #texts = new Map<string, Buffer>();

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
    const name = JSON.stringify([query.what, query.argument, cursor, bytesMax]);
    answerWith(done, () => {
      const reading =
        this.#reading.get(name) ??
        this.#items(query, cursor, bytesMax).finally(() => this.#reading.delete(name));
      this.#reading.set(name, reading);
      return reading;
    });
  }

  /** Gives up questions that wait. */
  close(): Promise<void> {
    return this.#parts.close();
  }

  async #read(url: string): Promise<KeptPage | null> {
    const { view } = this.#parts;
    const row = await view.find(url);
    if (row === null) return null;
    const bytes = printPage({ row, outcome: await view.record(row) });
    const page = { bytes, stamp: row.fetchedAt };
    keep(this.#kept, url, page);
    return page;
  }

  async #items({ what, argument }: Query, cursor: string, bytesMax: number): Promise<ItemsPart> {
    switch (what) {
      case PAGE_QUERIES.pages:
        return await this.#pages(argument, cursor, bytesMax);
      case PAGE_QUERIES.linksIn:
      case PAGE_QUERIES.linksOut:
        return await this.#links(what, argument, cursor, bytesMax);
      case PAGE_QUERIES.whole:
      case PAGE_QUERIES.story:
        return await this.#pieces(what, argument, { ...placeIn(cursor), bytesMax });
      case PAGE_QUERIES.hosts:
        return await this.#hosts(argument, cursor, bytesMax);
      default:
        return NOTHING;
    }
  }

  async #pages(argument: string, cursor: string, bytesMax: number): Promise<ItemsPart> {
    const { pages, id, hiddenBy } = this.#parts;
    const wanted = readPagesWanted(argument);
    const found = await pages.ask("pages", {
      ...{ ...wanted, after: cursor === "" ? null : printCursor(id, Number(cursor)) },
      limit: wanted.text || wanted.links ? WHOLE_PAGES_AT_ONCE : PAGES_AT_ONCE,
    });
    const items = new Items(bytesMax);
    for (const [number, page] of found.pages.entries()) {
      const at = positionIn(found.cursors[number] ?? found.end);
      if ((await hiddenBy(page.url)) !== null) continue;
      if (!items.take(fitting({ at, page }))) return items.part(at, false);
    }
    return items.part(positionIn(found.end), found.cursor === null);
  }

  async #links(what: string, url: string, cursor: string, bytesMax: number): Promise<ItemsPart> {
    const { hiddenBy } = this.#parts;
    const isIn = what === PAGE_QUERIES.linksIn;
    if (!isIn && !(await this.#isShown(url))) return NOTHING;
    const after = cursor === "" ? null : cursor;
    const found = await this.#linksAt({ url, direction: isIn ? "in" : "out", after });
    if (found === null) return NOTHING;
    const items = new Items(bytesMax);
    if (!isIn && after === null) items.take({ at: "0", link: null } satisfies LinkItem);
    for (const [number, link] of found.links.entries()) {
      const at = String(Number(cursor) + number + 1);
      if (isIn && (await hiddenBy(link.url)) !== null) continue;
      if (!items.take({ at, link } satisfies LinkItem)) return items.part(at, false);
    }
    const end = String(Number(cursor) + found.links.length);
    return items.part(end, found.cursor === null);
  }

  /** One more than are wanted says that there is more; nobody asks for what follows. */
  async #hosts(argument: string, cursor: string, bytesMax: number): Promise<ItemsPart> {
    const wanted = readHostsWanted(argument);
    const after = cursor === "" ? null : readHostCursor(cursor);
    const found = await this.#parts.hosts({ ...wanted, after, limit: wanted.limit + 1 });
    const items = new Items(bytesMax);
    for (const [number, view] of found.hosts.entries()) {
      const at = printHostCursor(found.places[number] as HostCursor);
      if (!items.take({ at, view } satisfies HostItem)) return items.part(at, false);
    }
    return items.part(cursor, true);
  }

  /** Null if nothing is known of them. */
  async #linksAt(asked: Omit<LinksAsked, "limit">): Promise<LinksFound | null> {
    try {
      return await this.#parts.pages.ask("links", { ...asked, limit: LINKS_AT_ONCE });
    } catch (error) {
      if (isCrawlError(error) && error.code === "CONTROL_NOT_FOUND") return null;
      throw error;
    }
  }

  /** Whether the copy that counts is here. Of a page that has no row nothing is known. */
  async #isShown(url: string): Promise<boolean> {
    const { view, hiddenBy } = this.#parts;
    return (await view.find(url)) !== null && (await hiddenBy(url)) === null;
  }

  /** The cursor names the text that it is in: several askers may be told several versions. */
  async #pieces(what: string, argument: string, at: TextPlace): Promise<ItemsPart> {
    const { from, digest, bytesMax } = at;
    const nameOf = (text: string): string => JSON.stringify([what, argument, text]);
    const known = from > 0 ? this.#texts.get(nameOf(digest)) : undefined;
    const bytes = known ?? (await this.#text(what, argument));
    const found = known === undefined ? hash("sha1", bytes) : digest;
    if (from > 0 && found !== digest) throw changedMeanwhile();
    keep(this.#texts, nameOf(found), bytes);
    const end = Math.min(bytes.length, from + bytesMax);
    const items = from < end ? [bytes.subarray(from, end)] : [];
    return { items, cursor: `${end}.${found}`, isEnd: end === bytes.length };
  }

  /** Empty if there is nothing to tell. */
  async #text(what: string, argument: string): Promise<Buffer> {
    const { pages, explain } = this.#parts;
    if (what === PAGE_QUERIES.story) return Buffer.from(JSON.stringify(await explain(argument)));
    const wanted = readWholeWanted(argument);
    if (wanted === null || !(await this.#isShown(wanted.url))) return Buffer.alloc(0);
    const page = await pages.ask("page", wanted);
    return page === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(page));
  }
}

/** Where a text goes on. */
interface TextPlace {
  readonly from: number;
  /** Of the text; empty at its beginning. */
  readonly digest: string;
  readonly bytesMax: number;
}

function placeIn(cursor: string): Pick<TextPlace, "from" | "digest"> {
  const [from = "", digest = ""] = cursor.split(".");
  return { from: Number(from), digest };
}

/** The asker begins anew. */
function changedMeanwhile(): CrawlError {
  return new CrawlError(
    "CLUSTER_ANSWER_MISSING",
    "The page has changed while it was read in pieces. Ask once more.",
  );
}

const NOTHING: ItemsPart = { items: [], cursor: "", isEnd: true };

/** The last few that were asked for. */
function keep<Value>(all: Map<string, Value>, name: string, value: Value): void {
  all.delete(name);
  all.set(name, value);
  for (const first of all.keys()) if (all.size > KEPT_PAGES) all.delete(first);
}

/** Of the disk, without its name. */
function positionIn(cursor: string): string {
  return cursor.slice(cursor.lastIndexOf("-") + 1);
}

function fitting(item: PageItem): PageItem {
  const { text, links } = item.page;
  if (text === undefined && links === undefined) return item;
  if (Buffer.byteLength(JSON.stringify(item)) <= ITEM_BYTES_MAX) return item;
  return { at: item.at, page: bare(item.page), isCut: true };
}

function bare({ text: _text, links: _links, words: _words, ...page }: PageRow): PageRow {
  return page;
}

/** Items up to about a length. */
class Items {
  readonly #items: Uint8Array[] = [];
  #left: number;

  constructor(bytesMax: number) {
    this.#left = bytesMax;
  }

  /** Takes the item; false if it was the last. */
  take(item: unknown): boolean {
    const bytes = Buffer.from(JSON.stringify(item));
    this.#items.push(bytes);
    this.#left -= bytes.length;
    return this.#left > 0;
  }

  part(cursor: string, isEnd: boolean): ItemsPart {
    return { items: this.#items, cursor, isEnd };
  }
}
