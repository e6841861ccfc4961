/**
 * The rows of a crawl: one for each page that is done, made when the store has taken it. They go to a
 * file (`--pages`), to a reader in this process (the library), or to both. Text and links are included
 * only on request.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import { resolveLink } from "../../formats/html/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { digestHex, type ParsedPage } from "../../parse/page/index.ts";
import type { FetchedPage, StoredPage } from "../../store/archive/index.ts";
import type { PageRow, RowLink, RowWriter } from "../../store/export/index.ts";
import type { DonePage, PageReader } from "./page-reader.ts";

export interface PageRowsOptions {
  /** Null if no rows are written. */
  readonly writer: RowWriter | null;
  /** Null if nobody in this process looks at pages. */
  readonly reader: PageReader | null;
  readonly text: boolean;
  readonly links: boolean;
}

/** A page that was answered and stored. */
export interface AnsweredPage {
  readonly ticket: Ticket;
  readonly fetched: FetchedPage;
  readonly stored: StoredPage;
  /** Null for what was not parsed. */
  readonly parsed: ParsedPage | null;
  readonly redirectTo: string | null;
  /** The URLs of the pages that it repeats, or nearly so. */
  readonly sameTextAs: string | null;
  readonly nearDuplicateOf: string | null;
}

export class PageRows {
  readonly #options: PageRowsOptions;

  constructor(options: PageRowsOptions) {
    this.#options = options;
  }

  /** Where rows are written. The caller waits until it has room. */
  get writer(): RowWriter | null {
    return this.#options.writer;
  }

  get reader(): PageReader | null {
    return this.#options.reader;
  }

  get hasRoom(): boolean {
    const { writer, reader } = this.#options;
    return writer?.hasRoom !== false && reader?.hasRoom !== false;
  }

  /**
   * Shows a page to its reader and writes its row, or the rows that the reader makes of it. Null if all
   * of that is done; a promise, which does not reject, if the reader still looks at the page. URLs that
   * it adds are given to `added` before that settles.
   */
  finish(page: DonePage, added: (urls: readonly string[]) => void): Promise<void> | null {
    const { writer, reader } = this.#options;
    const { row } = page;
    const reading = reader?.read(page) ?? null;
    if (reading !== null) {
      return reading.then((reply) => {
        if (reply !== null && reply.links.length > 0) added(reply.links);
        if (reply === null || reply.fields.length === 0) writer?.add(row);
        else for (const fields of reply.fields) writer?.add({ ...row, ...fields });
      });
    }
    writer?.add(row);
    return null;
  }

  answered(page: AnsweredPage): PageRow {
    const { ticket, fetched, stored, parsed, redirectTo } = page;
    const { place } = stored;
    return this.#row(ticket, parsed, {
      status: fetched.response.status,
      mime: fetched.crawl.mime,
      charset: parsed?.encoding || null,
      bytes: fetched.body.lengthBytes,
      title: parsed?.title || null,
      language: parsed?.language || parsed?.declaredLanguage || null,
      fetchedAt: new Date(fetched.fetchedAtMs).toISOString(),
      digest: stored.digest,
      simhash: parsed?.near == null ? null : digestHex(parsed.near),
      duplicateOf: stored.duplicateOf ?? page.sameTextAs,
      nearDuplicateOf: page.nearDuplicateOf,
      redirectTo,
      truncated: fetched.truncatedBy,
      error: null,
      warc: place === null ? null : place.file.slice(place.file.lastIndexOf("/") + 1),
      offset: place?.offset ?? null,
      length: place?.lengthBytes ?? null,
    });
  }

  /** A page that ended without an answer. */
  failed(ticket: Ticket, error: ErrorCode, atMs: number): PageRow {
    return this.#row(ticket, null, {
      ...{ status: 0, mime: null, charset: null, bytes: 0, title: null, language: null },
      fetchedAt: new Date(atMs).toISOString(),
      ...{ digest: null, simhash: null, duplicateOf: null, nearDuplicateOf: null },
      ...{ redirectTo: null, truncated: null },
      ...{ error, warc: null, offset: null, length: null },
    });
  }

  #row(ticket: Ticket, parsed: ParsedPage | null, facts: RowFacts): PageRow {
    const { text, links } = this.#options;
    const { url, depth, via } = ticket;
    const { status, mime, charset, bytes, title, language, fetchedAt, digest, simhash } = facts;
    return {
      ...{ url, status, mime, charset, bytes, depth, via },
      ...{ title, language, fetchedAt, digest, simhash, duplicateOf: facts.duplicateOf },
      nearDuplicateOf: facts.nearDuplicateOf,
      ...{ redirectTo: facts.redirectTo, truncated: facts.truncated, error: facts.error },
      ...{ warc: facts.warc, offset: facts.offset, length: facts.length },
      ...((ticket.requisite ?? 0) > 0 ? { requisite: true as const } : {}),
      ...(text ? { text: parsed?.text || null } : {}),
      ...(parsed?.words == null ? {} : { words: Object.fromEntries(parsed.words) }),
      ...(links ? { links: parsed === null ? null : linksOf(parsed) } : {}),
    };
  }
}

type RowFacts = Omit<PageRow, "url" | "depth" | "via" | "requisite" | "text" | "links">;

/** As `inspect links` shows them: links that are not URLs are left out. */
function linksOf({ links, base, encoding }: ParsedPage): RowLink[] {
  return links.flatMap(({ url: written, kind, rel, text }) => {
    const url =
      encoding === ""
        ? (URL.parse(written, base)?.href ?? undefined)
        : resolveLink(written, base, encoding);
    return url === undefined ? [] : [{ url, kind, rel, text }];
  });
}
