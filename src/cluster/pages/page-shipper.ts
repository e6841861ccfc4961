/**
 * Brings pages to the owners of their hosts (L1): all of them when this agent leaves; with `store.migrate`
 * also in the background, when hosts have changed hands, no faster than it is allowed to. A page goes to
 * whoever owns its host when it is sent, a piece at a time, until that place says that it has it, durably.
 * Nothing is noted here of pages that went: their new owner decides which copy is shown (C1), and hidden
 * ones are not sent; but by a leaver, if the place that shows another copy is about to go as well.
 *
 * Invariant: when `shipAll` calls back, every page of another's host that the store had by then, and that is
 * visible or hidden for the sake of a place that does not stay, was acknowledged by a place that is not given
 * up since.
 *
 * Memory: some pages are on their way at a time, with one piece of each.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { type Messenger, type Place, placeText, samePlace } from "../messages/index.ts";
import { PAGE, type PageAnswer } from "./page-messages.ts";
import type { IsWanted, PageStore, StoredPage } from "./page-store.ts";

export interface ShippingSettings {
  readonly pieceBytes: number;
  readonly pagesAtOnce: number;
  /** Without an answer in this time a piece is sent again. */
  readonly timeoutMs: number;
  /** In the background. */
  readonly bytesPerSecondMax: number;
}

export interface PageShipperParts {
  readonly clock: Clock;
  readonly messenger: Messenger;
  readonly store: PageStore;
  readonly settings: ShippingSettings;
  /** The place of the owner, if that is another agent; null if the host is ours, or nobody's. */
  readonly otherOwnerOf: (host: string) => Place | null;
  /** Whether the place is in the ring: it has not gone, and is not about to. */
  readonly isStaying: (place: Place) => boolean;
  readonly failed: (error: CrawlError) => void;
}

/** One way through the store. */
interface Way {
  readonly withBody: boolean;
  readonly isHurried: boolean;
  readonly done: () => void;
  /** Pages up to here were begun. */
  position: number;
  underWay: number;
  isLooking: boolean;
  isAtEnd: boolean;
  /** Owners have changed: it is gone once more. */
  isStale: boolean;
  /** Who has taken pages. */
  readonly takers: Map<string, Place>;
}

const BEFORE_ALL = -1;

export class PageShipper {
  readonly #parts: PageShipperParts;
  #way: Way | null = null;
  #restsUntilMs = 0;

  constructor(parts: PageShipperParts) {
    this.#parts = parts;
  }

  /** Whether pages are on their way, or looked for. */
  get isBusy(): boolean {
    return this.#way !== null;
  }

  /** Owners have changed. With `store.migrate`: pages follow their hosts, in the background. */
  migrate(): void {
    const way = this.#way;
    if (way === null) this.#begin({ withBody: true, isHurried: false, done: () => undefined });
    else if (!way.isHurried) way.isStale = true;
  }

  /**
   * For an agent that leaves, when its hosts have left: brings all pages to others. Without bodies these
   * learn of the pages, and where they are kept, and the archive stays behind.
   */
  shipAll(withBody: boolean, done: () => void): void {
    this.#begin({ withBody, isHurried: true, done });
  }

  /** Nothing more is sent: the agent does not leave after all. */
  stop(): void {
    this.#way = null;
  }

  /** What this place has taken is lost. */
  gaveUp(place: Place): void {
    if (this.#way?.takers.delete(placeText(place)) === true) this.#way.isStale = true;
  }

  #begin(way: Pick<Way, "withBody" | "isHurried" | "done">): void {
    this.#way = {
      ...way,
      ...{ position: BEFORE_ALL, underWay: 0, isLooking: false, isAtEnd: false, isStale: false },
      takers: new Map(),
    };
    this.#look(this.#way);
  }

  #look(way: Way): void {
    const { store, settings, otherOwnerOf, isStaying, failed } = this.#parts;
    if (this.#way !== way || way.isLooking || way.isAtEnd) return;
    if (way.underWay >= settings.pagesAtOnce) return;
    way.isLooking = true;
    const isWanted: IsWanted = (host, hiddenBy) => {
      const isShown = hiddenBy !== null && (!way.isHurried || isStaying(hiddenBy));
      return !isShown && otherOwnerOf(host) !== null;
    };
    store.next(isWanted, way.position, (error, page) => {
      if (this.#way !== way) return;
      way.isLooking = false;
      if (error !== null) {
        failed(error);
        this.#later(settings.timeoutMs, way, () => this.#look(way));
      } else if (page === null) {
        way.isAtEnd = true;
        this.#settle(way);
      } else {
        way.position = page.position;
        way.underWay += 1;
        this.#send(way, page, { from: 0, to: null });
        this.#look(way);
      }
    });
  }

  /** Sends the piece from this offset on, if the page still goes to the place that has what is before it. */
  #send(way: Way, page: StoredPage, { from, to }: { from: number; to: Place | null }): void {
    const { clock, store, settings, otherOwnerOf, failed } = this.#parts;
    if (this.#way !== way) return;
    const owner = otherOwnerOf(page.entry.host);
    if (owner === null) {
      this.#ended(way, null);
      return;
    }
    const waitMs = way.isHurried ? 0 : this.#restsUntilMs - clock.nowMs();
    if (waitMs > 0) {
      this.#later(waitMs, way, () => this.#send(way, page, { from, to }));
      return;
    }
    const isSame = to !== null && samePlace(owner, to);
    const piece = { from: isSame ? from : 0, bytesMax: settings.pieceBytes };
    store.read(page, { ...piece, withBody: way.withBody }, (error, read) => {
      if (this.#way !== way) return;
      if (error !== null) {
        // A page that cannot be read is not here to be shipped; others fetch it again.
        failed(error);
        this.#ended(way, null);
      } else {
        this.#noteBytes(read.bytes.byteLength);
        this.#ask(way, page, owner, { ...read, from: piece.from });
      }
    });
  }

  #ask(
    way: Way,
    page: StoredPage,
    to: Place,
    piece: { readonly from: number; readonly total: number; readonly bytes: Uint8Array },
  ): void {
    const { messenger, settings } = this.#parts;
    const body = { ...piece, entry: page.entry, withBody: way.withBody };
    messenger.ask(to, PAGE, { body, timeoutMs: settings.timeoutMs }, (replied) => {
      if (this.#way !== way) return;
      const answer: PageAnswer =
        replied.kind === "reply" ? replied.body : { kind: "busy", from: piece.from };
      if (answer.kind === "had") this.#ended(way, to);
      else if (answer.kind === "more") this.#send(way, page, { from: answer.from, to });
      else {
        this.#later(settings.timeoutMs / 2, way, () =>
          this.#send(way, page, { from: piece.from, to }),
        );
      }
    });
  }

  #ended(way: Way, taker: Place | null): void {
    way.underWay -= 1;
    if (taker !== null) way.takers.set(placeText(taker), taker);
    this.#look(way);
    this.#settle(way);
  }

  #settle(way: Way): void {
    if (!way.isAtEnd || way.underWay > 0) return;
    if (way.isStale) this.#begin(way);
    else {
      this.#way = null;
      way.done();
    }
  }

  #noteBytes(bytes: number): void {
    const { clock, settings } = this.#parts;
    const spentMs = (bytes / settings.bytesPerSecondMax) * 1000;
    this.#restsUntilMs = Math.max(this.#restsUntilMs, clock.nowMs()) + spentMs;
  }

  #later(delayMs: number, way: Way, run: () => void): void {
    this.#parts.clock.after(delayMs, () => {
      if (this.#way === way) run();
    });
  }
}
