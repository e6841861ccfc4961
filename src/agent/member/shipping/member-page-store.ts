/**
 * The pages of an agent among others, as those see them who bring pages from agent to agent: read from its
 * index and archive, and written by its lane, as if they had been fetched. They get their records, lines, rows
 * and links from the units that all pages pass, and count for no limit, since they were counted where they were
 * fetched.
 *
 * Invariant: whoever hears that a page is had can forget it: its record and its line are durable here, and what
 * they tell is replayed after a crash.
 */
import { CrawlError, isCrawlError } from "../../../base/errors/index.ts";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import {
  type Acknowledge,
  answered,
  type Clock,
  type Done,
  whenDone,
} from "../../../base/seams/index.ts";
import type { UrlEntry } from "../../../cluster/delivery/index.ts";
import type { Place } from "../../../cluster/messages/index.ts";
import type {
  IsWanted,
  PagePiece,
  PageStore,
  PageWriter,
  PieceOf,
  StoredPage,
} from "../../../cluster/pages/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import { ticketIn } from "../../../holdings/index.ts";
import type { NumberedPage, PageIndexWriter } from "../../../store/index/index.ts";
import { commitPages } from "../../crawl/commits.ts";
import type { OwnCrawl } from "../../crawl/crawl-member.ts";
import { answerWith } from "../answer-with.ts";
import type { LanePages } from "../own-lane.ts";
import { ComingPage } from "./coming-page.ts";
import type { HiddenPages } from "./hidden-pages.ts";
import { RowsWalk } from "./rows-walk.ts";
import { ShippedPages } from "./shipped-pages.ts";

type Services = OwnCrawl["services"];

export interface MemberPageStoreParts {
  readonly clock: Clock;
  readonly services: Services;
  readonly index: Pick<
    PageIndexWriter,
    "has" | "rowsAfter" | "firstUnwritten" | "nextNumber" | "expectRevisits"
  >;
  /** The lane that has the host of a page. */
  readonly laneOf: (page: Pick<Fingerprint, "high">) => LanePages;
  readonly self: () => Place;
  readonly hidden: Pick<HiddenPages, "hiddenBy">;
  /** Whether somebody says to have the page, so that the frontier is told that it has ended. */
  readonly isClaimed: (page: UrlEntry, done: (isClaimed: boolean) => void) => void;
  readonly fingerprintOf: (url: FetchableUrl) => Fingerprint | null;
}

export class MemberPageStore implements PageStore {
  readonly #parts: MemberPageStoreParts;
  readonly #walk: RowsWalk;
  readonly #shipped: ShippedPages;
  /** Pages that are being stored. */
  readonly #storing = new Map<string, Promise<void>>();

  constructor(parts: MemberPageStoreParts) {
    const { clock, index, hidden, fingerprintOf, self, laneOf } = parts;
    this.#parts = parts;
    const flush = (done: Acknowledge): void => this.#flush(done);
    this.#walk = new RowsWalk({ clock, index, hidden, fingerprintOf, flush });
    const lane = ({ url }: NumberedPage): LanePages =>
      laneOf(fingerprintOf(url as FetchableUrl) ?? { high: 0 });
    this.#shipped = new ShippedPages({ index, self, lane });
    // A page may be fetched here while another agent brings it.
    index.expectRevisits();
  }

  /** How many pages are being stored. */
  get storing(): number {
    return this.#storing.size;
  }

  next(isWanted: IsWanted, after: number, done: Done<StoredPage | null>): void {
    answerWith(done, () => this.#walk.next(isWanted, after));
  }

  read(page: StoredPage, { from, bytesMax, withBody }: PieceOf, done: Done<PagePiece>): void {
    answerWith(done, async () => {
      const bytes = await this.#shipped.bytes(page.position, withBody);
      return { bytes: bytes.subarray(from, from + bytesMax), total: bytes.length };
    });
  }

  /** What cannot be looked up is not had: then it is sent, and fails with that error. */
  has(entry: UrlEntry, done: (isHad: boolean) => void): void {
    answerWith<boolean>(
      (error, isHad) => done(error === null && isHad),
      async () => {
        if (!(await this.#isHad(entry))) return false;
        await this.#commit();
        return true;
      },
    );
  }

  write(entry: UrlEntry): PageWriter {
    return new ComingPage((bytes) => this.#storeInTurn(entry, bytes));
  }

  /** Two places may bring one page at a time. */
  async #storeInTurn(entry: UrlEntry, bytes: Buffer): Promise<void> {
    const key = `${entry.high} ${entry.low}`;
    const before = this.#storing.get(key) ?? Promise.resolve();
    const stored = before.catch(() => undefined).then(() => this.#store(entry, bytes));
    this.#storing.set(key, stored);
    try {
      await stored;
    } finally {
      if (this.#storing.get(key) === stored) this.#storing.delete(key);
    }
  }

  async #store(entry: UrlEntry, bytes: Buffer): Promise<void> {
    const lane = this.#parts.laneOf(entry);
    if (await this.#isHad(entry)) lane.offerNearer(entry);
    else await this.#give(lane, entry, bytes);
    await this.#commit();
  }

  async #give(lane: LanePages, entry: UrlEntry, bytes: Buffer): Promise<void> {
    const isKnown = await this.#isClaimed(entry);
    const isTold = await lane.take(entry, bytes, isKnown);
    if (await this.#isHad(entry)) {
      // Meanwhile its host may have come back, or whoever claimed it have been given up.
      const isSaid = isTold || (isKnown && (await this.#isClaimed(entry)));
      if (!isSaid) lane.tell(entry);
      return;
    }
    if (isTold) lane.forget(entry);
    throw new CrawlError(
      "STORAGE_FULL",
      `There was no room for ${ticketIn(entry).url}, which is sent again.`,
    );
  }

  #isClaimed(page: UrlEntry): Promise<boolean> {
    return new Promise((resolve) => this.#parts.isClaimed(page, resolve));
  }

  #isHad(page: Fingerprint): Promise<boolean> {
    return answered<boolean>((done) => this.#parts.index.has(page, done));
  }

  async #commit(): Promise<void> {
    try {
      await answered((done) => commitPages(this.#parts.services, done));
    } catch (error) {
      if (!isCrawlError(error) || error.code !== "STORE_FULL") throw error;
      throw new CrawlError("STORAGE_FULL", error.message, error.facts, error);
    }
  }

  #flush(done: Acknowledge): void {
    const { services } = this.#parts;
    const { index } = services;
    commitPages(
      services,
      whenDone(done, () => (index === null ? done(null) : index.flushRows(done))),
    );
  }
}
