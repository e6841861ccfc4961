/**
 * A way through the rows of the page index, in the order of their numbers. A number is given to a page before
 * it has its row, so a row may come after others with larger numbers: the way goes no further than the first
 * page that has a number and no row in the file, and waits for that. So nothing is passed by.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import { type Acknowledge, answered, type Clock } from "../../../base/seams/index.ts";
import type { Place } from "../../../cluster/messages/index.ts";
import type { IsWanted, StoredPage } from "../../../cluster/pages/index.ts";
import type { FetchableUrl, HostName } from "../../../formats/url/index.ts";
import { politeHost, type Ticket } from "../../../frontier/ticket/index.ts";
import { entryOf } from "../../../holdings/index.ts";
import type { NumberedPage, PageIndexWriter } from "../../../store/index/index.ts";
import type { HiddenPages } from "./hidden-pages.ts";
import { ticketOf } from "./stored-pages.ts";

export interface RowsWalkParts {
  readonly clock: Clock;
  readonly index: Pick<PageIndexWriter, "rowsAfter" | "firstUnwritten" | "nextNumber">;
  /** Answers when every page that was logged before has its row written. */
  readonly flush: (done: Acknowledge) => void;
  readonly hidden: Pick<HiddenPages, "hiddenBy">;
  readonly fingerprintOf: (url: FetchableUrl) => Fingerprint | null;
}

const ROWS_AT_ONCE = 100;
/** How long until it is looked again whether a page has its row that is still worked on. */
const AGAIN_MS = 50;

export class RowsWalk {
  readonly #parts: RowsWalkParts;
  /** Read ahead, in order; none of them is missing. */
  #ahead: readonly NumberedPage[] = [];
  /** All rows after this number, up to the last one ahead, are there. */
  #aheadAfter = 0;

  constructor(parts: RowsWalkParts) {
    this.#parts = parts;
  }

  /** What comes while the end is looked for is met if it is in the file by then. */
  async next(isWanted: IsWanted, after: number): Promise<StoredPage | null> {
    let position = Math.max(0, after);
    for (let isSettled = false; ; ) {
      const rows = await this.#rowsAfter(position);
      for (const row of rows) {
        const entry = await this.#wanted(row, isWanted);
        if (entry !== null) return { entry, position: row.number };
      }
      const last = rows.at(-1);
      if (last !== undefined) position = last.number;
      else if (isSettled) return null;
      else {
        await this.#settle();
        isSettled = true;
      }
    }
  }

  async #wanted(row: NumberedPage, isWanted: IsWanted): Promise<StoredPage["entry"] | null> {
    const ticket: Ticket | null = ticketOf(row, this.#parts.fingerprintOf);
    if (ticket === null) return null;
    const { hidden } = this.#parts;
    const hiddenBy = await answered<Place | null>((done) => hidden.hiddenBy(ticket, done));
    const host = politeHost(row.host as HostName);
    return isWanted(host, hiddenBy) ? entryOf(ticket) : null;
  }

  /** Some rows behind a position, before which none is missing. */
  async #rowsAfter(position: number): Promise<readonly NumberedPage[]> {
    const { index } = this.#parts;
    const isAhead = position >= this.#aheadAfter;
    const known = isAhead ? this.#ahead.filter(({ number }) => number > position) : [];
    if (known.length > 0) return known;
    // Before the rows are read: a page that gets its row meanwhile is among them.
    const before = index.firstUnwritten ?? Number.POSITIVE_INFINITY;
    const rows = await answered<readonly NumberedPage[]>((done) =>
      index.rowsAfter(position, ROWS_AT_ONCE, done),
    );
    this.#ahead = rows.filter(({ number }) => number < before);
    this.#aheadAfter = position;
    return this.#ahead;
  }

  /** Until all pages that have numbers now have their rows in the file, or get none. */
  async #settle(): Promise<void> {
    const { clock, flush, index } = this.#parts;
    const end = index.nextNumber;
    for (;;) {
      await answered((done) => flush(done));
      if ((index.firstUnwritten ?? end) >= end) return;
      await new Promise<void>((resolve) => clock.after(AGAIN_MS, resolve));
    }
  }
}
