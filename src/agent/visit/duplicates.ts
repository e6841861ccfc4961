/**
 * Whether a page was seen before, in three ways, the surest first: the same payload, the same text
 * except for what varies from day to day, nearly the same text.
 */
import assert from "node:assert/strict";
import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import { NO_VALUE } from "../../base/fingerprints/index.ts";
import type { KeyTable, TableMarks } from "../../base/runs/index.ts";
import { type Acknowledge, type Done, withValue } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { NearEntry, NearIndex, NearMarks } from "../../parse/near/index.ts";
import type { Digest64, ParsedPage } from "../../parse/page/index.ts";
import type { PageIndexWriter } from "../../store/index/index.ts";

export type Duplicate =
  | { readonly kind: "none" }
  | { readonly kind: "payload"; readonly of: string }
  /** The page that it repeats is known by its URL where there is an index of pages. */
  | { readonly kind: "text" | "near"; readonly of: string | null };

/** A page that is looked for: its URL and the fingerprint of its key. */
export type SoughtPage = Pick<Ticket, "url" | "high" | "low">;

export interface DuplicatesOptions {
  /** The URL of the page whose archived body has this SHA-1, if there is one. */
  readonly originalOf: (sha1: Uint8Array) => string | null;
  /** The index of pages; null where none is kept. */
  readonly pages: Pick<PageIndexWriter, "reserve" | "urlOf"> | null;
  /** Digests of stripped pages, with the numbers of their pages if they have any; closed here. */
  readonly texts: KeyTable;
  /** Called when a look-up fails; its page counts as new. */
  readonly failed: (error: CrawlError) => void;
  /** Null when near duplicates are not looked for; closed here. */
  readonly near: NearPages | null;
  /** Called once if the index of near duplicates fails; from then on fewer are found. */
  readonly nearFailed: (error: CrawlError) => void;
  /** Pages that were numbered before. */
  readonly numbered?: number;
  /** The most bits in which SimHashes of near duplicates differ. */
  readonly distance: number;
}

/** What is asked of the index of near duplicates. */
export type NearPages = Pick<
  NearIndex,
  "find" | "tryAdd" | "retry" | "drain" | "checkpoint" | "keepOnly" | "close"
>;

/** What a checkpoint holds. */
export interface DuplicatesMarks {
  /** How many pages have numbers, where no index of pages gives them. */
  readonly pages: number;
  readonly texts: TableMarks;
  /** Null where near duplicates are not looked for. */
  readonly near: NearMarks | null;
}

/** The barrier of the current page. */
export type Guard = (work: () => void) => void;

const NONE: Duplicate = { kind: "none" };

/** Called with what was found, and the number that the page has in the index of pages, if any. */
export type Answered = (found: Duplicate, number: number | null) => void;

/** What a page is compared with others by. */
export type ComparedPage = Pick<ParsedPage, "payloadSha1" | "stripped" | "near">;

/** The pages seen so far, as the units of a crawl see them. */
export type KnownPages = Pick<Duplicates, "seek" | "retry" | "checkpoint" | "keepOnly">;

export class Duplicates {
  readonly #options: DuplicatesOptions;
  #pages = 0;
  #hasReportedNear = false;

  constructor(options: DuplicatesOptions) {
    this.#options = options;
    this.#pages = options.numbered ?? 0;
  }

  /**
   * Answers inside the call unless the disk must be read; everything that happens later runs in
   * `guard`. The page counts as seen afterwards.
   */
  seek(parsed: ComparedPage, page: SoughtPage, guard: Guard, answered: Answered): void {
    const original = this.#options.originalOf(parsed.payloadSha1);
    if (original !== null && original !== page.url) {
      answered({ kind: "payload", of: original }, null);
      return;
    }
    const { pages } = this.#options;
    if (pages === null) {
      this.#pages += 1;
      this.#seekNumbered(parsed, this.#pages - 1, guard, (found) => answered(found, null));
      return;
    }
    pages.reserve(page, page.url, (error, number) =>
      guard(() => {
        // The crawl ends then; the page ends as usual before, so that its links are not lost.
        if (error !== null) answered(NONE, null);
        else this.#seekNumbered(parsed, number, guard, (found) => answered(found, number));
      }),
    );
  }

  #seekNumbered(
    { stripped, near }: ComparedPage,
    id: number,
    guard: Guard,
    answered: (found: Duplicate) => void,
  ): void {
    const named = (kind: "text" | "near", of: number): void =>
      this.#nameUrl(of === id ? null : of, guard, (url) => answered({ kind, of: url }));
    const goOn = (): void => {
      if (near === null || this.#options.near === null) answered(NONE);
      else {
        this.#seekNear({ ...near, id }, guard, (found) => {
          if (found === null) answered(NONE);
          else named("near", found);
        });
      }
    };
    if (stripped === null) goOn();
    else {
      this.#seeText(stripped, id, guard, (first) => {
        if (first === NO_VALUE) goOn();
        else named("text", first);
      });
    }
  }

  /** Null where no number leads to a URL. */
  #nameUrl(number: number | null, guard: Guard, named: (url: string | null) => void): void {
    const { pages, failed } = this.#options;
    if (pages === null || number === null) named(null);
    else {
      pages.urlOf(number, (error, url) =>
        guard(() => {
          if (error !== null) failed(error);
          named(url ?? null);
        }),
      );
    }
  }

  /** Tries again what could not be written. */
  retry(): void {
    const { near, texts } = this.#options;
    texts.retry();
    near?.retry();
  }

  /** Makes what is known at this moment durable; only when nothing is sought. */
  checkpoint(done: Done<DuplicatesMarks>): void {
    const { near, texts } = this.#options;
    const pages = this.#pages;
    const marked = new Gathered<Omit<DuplicatesMarks, "pages">>(
      ["texts", "near"],
      withValue(done, (marks) => done(null, { pages, ...marks })),
    );
    texts.checkpoint(marked.take("texts"));
    if (near === null) marked.take("near")(null, null);
    else near.checkpoint(marked.take("near"));
  }

  /** The owner has kept these marks: files that only earlier ones need are removed. */
  keepOnly({ texts, near }: DuplicatesMarks): void {
    this.#options.texts.keepOnly(texts);
    if (near !== null) this.#options.near?.keepOnly(near);
  }

  close(done: Acknowledge): void {
    const { near, texts } = this.#options;
    texts.close((textsError) => {
      if (near === null) done(textsError);
      else near.close((error) => done(textsError ?? error));
    });
  }

  /**
   * The number of the first page with this text. The text counts as seen from the call on, so of two
   * pages at the same time one is new.
   */
  #seeText(
    { high, low }: Digest64,
    id: number,
    guard: Guard,
    answered: (first: number) => void,
  ): void {
    const { texts, failed } = this.#options;
    const known = texts.recall(high, low);
    if (known !== NO_VALUE) {
      answered(known);
      return;
    }
    const mayFind = texts.mayFind(high, low);
    texts.set(high, low, this.#options.pages === null ? 0 : id);
    if (!mayFind) answered(NO_VALUE);
    else {
      texts.find(high, low, (error, found) =>
        guard(() => {
          if (error !== null) failed(error);
          else if (found !== NO_VALUE) texts.set(high, low, found);
          answered(error === null ? found : NO_VALUE);
        }),
      );
    }
  }

  #seekNear(entry: NearEntry, guard: Guard, answered: (found: number | null) => void): void {
    const { distance, near } = this.#options;
    assert(near !== null, "near duplicates are sought where there is an index of them");
    const { high, low } = entry;
    const sighting = near.find({ high, low, distance }, (error, id) =>
      guard(() => {
        if (error !== null) this.#reportNear(error);
        this.#add(near, entry);
        answered(id ?? null);
      }),
    );
    if (sighting.kind === "pending") return;
    this.#add(near, entry);
    answered(sighting.kind === "near" ? sighting.id : null);
  }

  /**
   * If too much waits to be written, the entry is added afterwards; if there is no room even then, it
   * is left out, and later pages are not found to be near duplicates of it.
   */
  #add(near: NearPages, entry: NearEntry): void {
    if (near.tryAdd(entry)) return;
    near.retry();
    near.drain(() => this.#addLate(near, entry));
  }

  /** The page may have ended by now, so what is thrown here belongs to the index. */
  #addLate(near: NearPages, entry: NearEntry): void {
    try {
      near.tryAdd(entry);
    } catch (thrown) {
      const what = "the index of near duplicates";
      this.#reportNear(faultOf(thrown, { code: "INTERNAL_DUPLICATES", what, isOver: false }));
    }
  }

  #reportNear(error: CrawlError): void {
    if (this.#hasReportedNear) return;
    this.#hasReportedNear = true;
    this.#options.nearFailed(error);
  }
}
