/**
 * A store among several: archive files of its own, lines that go to a log elsewhere. Whether the body of
 * a page is archived already is said elsewhere too, since another store may have it: a page *claims* its
 * body before it is stored.
 */

import type { Acknowledge, Done } from "../../base/seams/index.ts";
import { sha1 } from "../../formats/warc/index.ts";
import type { CrawlLine } from "./crawl-line.ts";
import type { FetchedPage, StoredPage } from "./fetched-page.ts";
import type { LineLog } from "./held-lines.ts";
import { newPageStore, type PageStoreOptions } from "./open-page-store.ts";
import { isOriginal, mayRepeat } from "./page-records.ts";
import type { PageStore } from "./page-store.ts";
import type { PayloadOriginal, Payloads } from "./payload-table.ts";
import type { Claim } from "./shared-records.ts";

export interface ClaimingStoreParts {
  readonly log: LineLog;
  /** Gives every number once, over all stores. */
  readonly nextSerial: () => number;
  /** Answers later: another page that has the body, or null. */
  readonly claim: (claim: Claim, done: (original: PayloadOriginal | null) => void) => void;
}

/** What was answered to claims of pages that are not stored yet, by body and page. */
class ClaimedPayloads implements Payloads {
  readonly #claims = new Map<string, PayloadOriginal | null>();

  set(claim: string, original: PayloadOriginal | null): void {
    this.#claims.set(claim, original);
  }

  drop(claim: string): void {
    this.#claims.delete(claim);
  }

  find(digest: Uint8Array, url: string | null): PayloadOriginal | null {
    return url === null ? null : (this.#claims.get(keyOf(digest, url)) ?? null);
  }

  /** Those that are claimed are known. */
  add(): void {}
}

/** The claim of a page to a body. */
function keyOf(digest: Uint8Array, url: string): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.length).toString("latin1") + url;
}

export class ClaimingStore {
  readonly #parts: ClaimingStoreParts;
  readonly #payloads = new ClaimedPayloads();
  readonly #store: PageStore;
  readonly #claims = new WeakMap<FetchedPage, string>();

  constructor(options: PageStoreOptions, parts: ClaimingStoreParts) {
    const { log, nextSerial } = parts;
    this.#parts = parts;
    this.#store = newPageStore(options, {
      ...{ log, payloads: this.#payloads, nextSerial },
      ...{ cuts: { records: 0, lines: 0 }, book: null },
    });
  }

  /** The number of the line of what was taken last. */
  get lastLine(): number {
    return this.#store.linesTaken - 1;
  }

  get hasRoom(): boolean {
    return this.#store.hasRoom;
  }

  get trouble(): PageStore["trouble"] {
    return this.#store.trouble;
  }

  wantsAnswer(page: FetchedPage): boolean {
    return this.#store.wantsAnswer(page);
  }

  keepAnswer(page: FetchedPage, done: Acknowledge): void {
    this.#store.keepAnswer(page, done);
  }

  saved(): void {
    this.#store.saved();
  }

  recorded(): void {
    this.#store.recorded();
  }

  get wantsOutlinks(): boolean {
    return this.#store.wantsOutlinks;
  }

  /** Known elsewhere. */
  originalOf(): null {
    return null;
  }

  whenRoom(callback: () => void): void {
    this.#store.whenRoom(callback);
  }

  /** Calls back when it is known whether the body is archived already; before the page is stored. */
  claim(page: FetchedPage, claimed: () => void): void {
    const { body, url } = page;
    const hash = page.sha1 ?? (body.bytes === null ? null : sha1(body.bytes));
    if (hash === null || !mayRepeat(page)) {
      claimed();
      return;
    }
    const original = { url, dateMs: page.fetchedAtMs };
    this.#parts.claim({ sha1: hash, original, isOriginal: isOriginal(page) }, (found) => {
      const claim = keyOf(hash, url);
      this.#claims.set(page, claim);
      this.#payloads.set(claim, found);
      claimed();
    });
  }

  tryStore(page: FetchedPage): StoredPage | null {
    const stored = this.#store.tryStore(page);
    if (stored !== null) this.#dropClaim(page);
    return stored;
  }

  storeSpooled(page: FetchedPage, done: Done<StoredPage>): void {
    this.#store.storeSpooled(page, (...outcome) => {
      this.#dropClaim(page);
      done(...outcome);
    });
  }

  tryLog(line: CrawlLine): boolean {
    return this.#store.tryLog(line);
  }

  commit(done: Acknowledge): void {
    this.#store.commit(done);
  }

  flush(done: Acknowledge): void {
    this.#store.flush(done);
  }

  close(done: Acknowledge): void {
    this.#store.close(done);
  }

  lostLines(): readonly CrawlLine[] {
    return this.#store.lostLines();
  }

  #dropClaim(page: FetchedPage): void {
    const claim = this.#claims.get(page);
    if (claim !== undefined) this.#payloads.drop(claim);
  }
}
