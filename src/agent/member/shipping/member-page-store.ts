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
  type Storage,
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
import { type FetchableUrl, type HostName, hostOf } from "../../../formats/url/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { ticketIn } from "../../../holdings/index.ts";
import type { Parsing } from "../../../parse/page/index.ts";
import type { PageIndexWriter } from "../../../store/index/index.ts";
import { commitPages } from "../../crawl/commits.ts";
import type { GivenPage } from "../../crawl/lane/lane.ts";
import type { UsedBy } from "../../topology/crawl-library.ts";
import { answerWith } from "../answer-with.ts";
import { ComingPage } from "./coming-page.ts";
import type { HiddenPages } from "./hidden-pages.ts";
import { RowsWalk } from "./rows-walk.ts";
import { givenPage, readSentPage, type SentMessage } from "./sent-page.ts";
import { ShippedPages } from "./shipped-pages.ts";

type Services = Pick<UsedBy<"steering">, "index" | "store" | "rows" | "frontier" | "links" | "web">;

export interface MemberPageStoreParts {
  readonly clock: Clock;
  readonly storage: Storage;
  /** Those of a crawl that has all of its pages in this thread. */
  readonly services: Services;
  readonly index: Pick<
    PageIndexWriter,
    "has" | "find" | "rowsAfter" | "firstUnwritten" | "nextNumber" | "expectRevisits"
  >;
  /** As the crawl parses pages: for those whose bodies stay here. */
  readonly parsing: Pick<Parsing, "parse">;
  /** Gives a page to the lane; calls back when the work on it is over. */
  readonly give: (given: GivenPage, over: () => void) => void;
  readonly self: () => Place;
  readonly hidden: Pick<HiddenPages, "hiddenBy">;
  /** Whether somebody says to have the page, so that the frontier is told that it has ended. */
  readonly isClaimed: (page: UrlEntry, done: (isClaimed: boolean) => void) => void;
  /** Calls back when all that custody has asked of the frontier is carried out. */
  readonly inTurn: (done: () => void) => void;
  readonly fingerprintOf: (url: FetchableUrl) => Fingerprint | null;
  /** What a URL is compared by; null for what is not a URL. */
  readonly keyOf: (url: string) => string | null;
}

export class MemberPageStore implements PageStore {
  readonly #parts: MemberPageStoreParts;
  readonly #walk: RowsWalk;
  readonly #shipped: ShippedPages;
  /** Pages that are being stored. */
  readonly #storing = new Map<string, Promise<void>>();

  constructor(parts: MemberPageStoreParts) {
    const { clock, index, hidden, fingerprintOf, services } = parts;
    const { web, links } = services;
    this.#parts = parts;
    const flush = (done: Acknowledge): void => this.#flush(done);
    this.#walk = new RowsWalk({ clock, index, hidden, fingerprintOf, flush });
    this.#shipped = new ShippedPages({ ...parts, web, links });
    // A page may be fetched here while another agent brings it.
    index.expectRevisits();
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

  /** Nothing is asked afterwards. */
  close(): Promise<void> {
    return this.#shipped.close();
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
    const ticket = ticketIn(entry);
    const sent = readSentPage(bytes, ticket.url);
    if (isCrawlError(sent)) throw sent;
    if (await this.#isHad(entry)) this.#nearer(ticket);
    else await this.#give(entry, ticket, sent);
    await this.#commit();
  }

  async #give(entry: UrlEntry, ticket: Ticket, sent: SentMessage): Promise<void> {
    const { give, inTurn, services } = this.#parts;
    const { handovers } = services.frontier;
    const isKnown = await this.#isClaimed(entry);
    // A claim of a page that is had by then would tell the frontier nothing.
    await new Promise<void>((resolve) => inTurn(resolve));
    let isTold = false;
    const tell = (): void => {
      isTold = !handovers.isAway(entry.host as HostName);
      // When its host comes back, all of its pages are told.
      if (isTold) handovers.endElsewhere(ticket);
    };
    const tellFirst = isKnown ? (): void => undefined : tell;
    await new Promise<void>((over) => give(givenPage(sent, ticket, tellFirst), over));
    if (await this.#isHad(entry)) {
      // Meanwhile its host may have come back, or whoever claimed it have been given up.
      const isSaid = isTold || (isKnown && (await this.#isClaimed(entry)));
      if (!isSaid) tell();
      return;
    }
    if (isTold) handovers.fetchAfterAll(ticket);
    throw new CrawlError(
      "STORAGE_FULL",
      `There was no room for ${ticket.url}, which is sent again.`,
    );
  }

  /** It is here, and there may be a shorter way to it. */
  #nearer(ticket: Ticket): void {
    const { frontier } = this.#parts.services;
    if (frontier.handovers.isHere(hostOf(ticket.url))) frontier.offer(ticket);
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
