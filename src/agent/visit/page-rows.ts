/**
 * Where pages go when they are done, besides the archive: as rows to a file (`--pages`), to a reader in
 * this process (the library), to the keeper of a store that is not WARC. Each gets a page once; fields
 * on request are made only for those that ask.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import { type Acknowledge, type Done, withValue } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { PageRow, RowMark, RowWriter } from "../../store/export/index.ts";
import type { EndedPage, PageKeeper } from "./page-keeper.ts";
import type { PageMarkdown } from "./page-markdown.ts";
import type { PageReader } from "./page-reader.ts";
import { type RowFields, withFields } from "./visit-row.ts";

/** Where rows are written. */
export type RowTaker = Pick<
  RowWriter,
  "add" | "hasRoom" | "whenRoom" | "flush" | "mark" | "abandon" | "isDiskFull"
>;

/** Where rows end at a checkpoint, by who writes them. */
export type RowMarks = Readonly<Record<string, RowMark>>;

/** The name of `--pages` among them. */
export const PAGES_MARK = "pages";

const STORE = "store ";

export function storeMark(name: string): string {
  return STORE + name;
}

/** The name of the store whose mark has this name; null if it is another mark. */
export function markedStore(key: string): string | null {
  return key.startsWith(STORE) ? key.slice(STORE.length) : null;
}

export interface PageRowsOptions {
  /** Null if no rows are written. */
  readonly writer: RowTaker | null;
  /** Null if nobody in this process looks at pages. */
  readonly reader: PageReader | null;
  /** What both get besides the fields of every row. */
  readonly fields: RowFields;
  /** Null if nobody asks for the main content of pages. */
  readonly markdown: PageMarkdown | null;
  /** The store, if it is not an archive of WARC files. */
  readonly keeper: PageKeeper | null;
  /** Opens a further store for the unit with this id. */
  readonly open: (id: string, store: FurtherStore) => Promise<PageKeeper>;
  readonly close: (keeper: PageKeeper) => Promise<void>;
}

/** Who is told what comes of a page. */
export interface RowListener {
  /** URLs that the reader adds. */
  added(urls: readonly string[]): void;
  /** A field on request is missing; to be counted. */
  incomplete(code: ErrorCode): void;
}

/** What a unit that stores pages beside the crawl's own store is told. */
export interface FurtherStore {
  /** `jsonl`, or a module. */
  readonly kind: string;
  /** Of the names of files; null for the id of the unit. */
  readonly prefix: string | null;
  readonly compression: "gzip" | "zstd" | "none";
  /** Size at which a new file is started, in bytes. */
  readonly size: number;
  readonly text: boolean;
  readonly links: boolean;
  readonly body: boolean;
}

export class PageRows {
  readonly #options: PageRowsOptions;
  /** All that pages are given to, those of further units of the topology included. */
  readonly #keepers: PageKeeper[] = [];

  constructor(options: PageRowsOptions) {
    this.#options = options;
    if (options.keeper !== null) this.#keepers.push(options.keeper);
  }

  /** Where rows are written. The caller waits until it has room. */
  get writer(): RowTaker | null {
    return this.#options.writer;
  }

  get reader(): PageReader | null {
    return this.#options.reader;
  }

  /** They are flushed with every commit; their units give them pages and close them. */
  get keepers(): readonly PageKeeper[] {
    return this.#keepers;
  }

  /** For a unit that gives pages to a keeper of its own. */
  async openFurther(id: string, store: FurtherStore): Promise<PageKeeper> {
    const keeper = await this.#options.open(id, store);
    this.#keepers.push(keeper);
    return keeper;
  }

  async closeFurther(keeper: PageKeeper): Promise<void> {
    this.#keepers.splice(this.#keepers.indexOf(keeper), 1);
    await this.#options.close(keeper);
  }

  /** Whether bodies are needed until pages are done. */
  get needsBodies(): boolean {
    const { reader, markdown } = this.#options;
    if (reader !== null || markdown !== null) return true;
    return this.#keepers.some(({ needsBodies }) => needsBodies);
  }

  get hasRoom(): boolean {
    const { writer, reader } = this.#options;
    return (
      writer?.hasRoom !== false &&
      reader?.hasRoom !== false &&
      this.#keepers.every(({ hasRoom }) => hasRoom)
    );
  }

  /**
   * Gives a page to its reader and its keeper and writes its row, or the rows that the reader makes of
   * it. Null if all of that is done; else a promise, which does not reject. The listener is told before
   * that settles.
   */
  finish(page: EndedPage, listener: RowListener): Promise<void> | null {
    const keeping = this.#options.keeper?.keep(page) ?? null;
    const showing = this.#show(page, listener);
    if (keeping === null || showing === null) return keeping ?? showing;
    return Promise.all([keeping, showing]).then(() => undefined);
  }

  /** Answers when all keepers have made durable what they were given. */
  flushKeepers(done: Acknowledge): void {
    const next = (index: number): void => {
      const keeper = this.#keepers[index];
      if (keeper === undefined) done(null);
      else keeper.flush((error) => (error === null ? next(index + 1) : done(error)));
    };
    next(0);
  }

  /** Answers, when all rows so far are durable, where they end: no later ones are before that. */
  marks(done: Done<RowMarks>): void {
    const writers = new Map<string, Pick<RowTaker, "mark">>();
    if (this.writer !== null) writers.set(PAGES_MARK, this.writer);
    for (const { files } of this.#keepers) {
      if (files !== undefined) writers.set(storeMark(files.name), files);
    }
    if (writers.size === 0) {
      done(null, {});
      return;
    }
    const gathered = new Gathered<Record<string, RowMark | null>>(
      [...writers.keys()],
      withValue(done, (marks) => {
        const known = Object.entries(marks).filter(([, mark]) => mark !== null);
        done(null, Object.fromEntries(known) as RowMarks);
      }),
    );
    for (const [key, writer] of writers) writer.mark(gathered.take(key));
  }

  /** The user waits no longer for those who read what is written. */
  abandon(): void {
    this.writer?.abandon();
    this.#options.markdown?.close();
    for (const keeper of this.#keepers) keeper.abandon();
  }

  #show(page: EndedPage, listener: RowListener): Promise<void> | null {
    const { writer, reader, fields, markdown } = this.#options;
    if (writer === null && reader === null) return null;
    const row = withFields(page.row, page.parsed, fields);
    if (markdown === null) return this.#give(row, page, listener);
    const making = markdown.of(page);
    if (making === null) return this.#give({ ...row, markdown: null }, page, listener);
    return making.then(async (made) => {
      if (made === null) listener.incomplete("PAGES_NO_MARKDOWN");
      await this.#give({ ...row, markdown: made }, page, listener);
    });
  }

  #give(row: PageRow, { headers, body }: EndedPage, { added }: RowListener): Promise<void> | null {
    const { writer, reader } = this.#options;
    const reading = reader?.read({ row, headers, body }) ?? null;
    if (reading !== null) {
      return reading.then((reply) => {
        if (reply !== null && reply.links.length > 0) added(reply.links);
        if (reply === null || reply.fields.length === 0) writer?.add(row);
        else for (const more of reply.fields) writer?.add({ ...row, ...more });
      });
    }
    writer?.add(row);
    return null;
  }
}
