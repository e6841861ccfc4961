/**
 * The rows of a crawl (`--pages`): one for each page that is done, made when the store has taken it.
 * Text and links are included only on request.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import { resolveLink } from "../../formats/html/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { digestHex, type ParsedPage } from "../../parse/page/index.ts";
import type { FetchedPage, StoredPage } from "../../store/archive/index.ts";
import type { PageRow, RowLink, RowWriter } from "../../store/export/index.ts";

export interface PageRowsOptions {
  readonly writer: RowWriter;
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

  /** Where rows go. The caller waits until it has room. */
  get writer(): RowWriter {
    return this.#options.writer;
  }

  answered(page: AnsweredPage): void {
    const { ticket, fetched, stored, parsed, redirectTo } = page;
    const { place } = stored;
    this.#add(ticket, parsed, {
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
  failed(ticket: Ticket, error: ErrorCode, atMs: number): void {
    this.#add(ticket, null, {
      ...{ status: 0, mime: null, charset: null, bytes: 0, title: null, language: null },
      fetchedAt: new Date(atMs).toISOString(),
      ...{ digest: null, simhash: null, duplicateOf: null, nearDuplicateOf: null },
      ...{ redirectTo: null, truncated: null },
      ...{ error, warc: null, offset: null, length: null },
    });
  }

  #add(ticket: Ticket, parsed: ParsedPage | null, facts: RowFacts): void {
    const { writer, text, links } = this.#options;
    const { url, depth, via } = ticket;
    const { status, mime, charset, bytes, title, language, fetchedAt, digest, simhash } = facts;
    writer.add({
      ...{ url, status, mime, charset, bytes, depth, via },
      ...{ title, language, fetchedAt, digest, simhash, duplicateOf: facts.duplicateOf },
      nearDuplicateOf: facts.nearDuplicateOf,
      ...{ redirectTo: facts.redirectTo, truncated: facts.truncated, error: facts.error },
      ...{ warc: facts.warc, offset: facts.offset, length: facts.length },
      ...((ticket.requisite ?? 0) > 0 ? { requisite: true as const } : {}),
      ...(text ? { text: parsed?.text || null } : {}),
      ...(parsed?.words == null ? {} : { words: Object.fromEntries(parsed.words) }),
      ...(links ? { links: parsed === null ? null : linksOf(parsed) } : {}),
    });
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
