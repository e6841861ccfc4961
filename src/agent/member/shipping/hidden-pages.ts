/**
 * Which pages of the store are hidden, since another place has the copy that counts (C1). Few pages have two
 * copies as a rule; with `store.migrate` all of a host have that has moved. So this is a table that grows on
 * disk, from the page to a number for the place; its marks are part of the checkpoint of the agent.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import { type Fingerprint, NO_VALUE } from "../../../base/fingerprints/index.ts";
import type { KeyTable, TableMarks } from "../../../base/runs/index.ts";
import { type Acknowledge, type Clock, type Done, withValue } from "../../../base/seams/index.ts";
import { Gathered } from "../../../base/steps/index.ts";
import { type Place, parsePlace, placeText } from "../../../cluster/messages/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { NumberedPage, PageIndexWriter } from "../../../store/index/index.ts";

/** What a checkpoint holds of it. */
export interface HiddenMarks {
  /** Places in the order of their numbers, which begin with 1. */
  readonly places: readonly string[];
  readonly table: TableMarks;
}

export interface HiddenPagesParts {
  readonly clock: Clock;
  readonly table: KeyTable;
  /** As the last checkpoint has them. */
  readonly places: readonly string[];
  readonly index: Pick<PageIndexWriter, "has" | "rowsAfter">;
  /** Answers when every page that was logged before has its row written. */
  readonly flush: (done: Acknowledge) => void;
  readonly fingerprintOf: (url: FetchableUrl) => Fingerprint | null;
  readonly failed: (error: CrawlError) => void;
}

/** Of a page that was hidden once and is not any more. */
const VISIBLE = 0;
/** Bytes of a number in the table. */
export const PLACE_BYTES = 4;
const ROWS_AT_ONCE = 1000;

export class HiddenPages {
  readonly #parts: HiddenPagesParts;
  readonly #places: string[];
  /** Asks that are not carried out. */
  #open = 0;

  constructor(parts: HiddenPagesParts) {
    this.#parts = parts;
    this.#places = [...parts.places];
  }

  /** Whether something was asked that a checkpoint would not have. */
  get isBusy(): boolean {
    return this.#open > 0;
  }

  /** For a page that is not in the store, nothing. */
  hide(page: Fingerprint, toward: Place): void {
    const { index, table, failed } = this.#parts;
    const number = this.#numberOf(toward);
    this.#open += 1;
    index.has(page, (error, isHad) => {
      this.#open -= 1;
      if (error !== null) failed(error);
      else if (isHad) table.set(page.high, page.low, number);
    });
  }

  /** The place that has the visible copy of a page; null if ours is. May answer inside the call. */
  hiddenBy(page: Fingerprint, done: Done<Place | null>): void {
    this.#find(
      page,
      withValue(done, (number) => {
        const text = this.#places[number - 1];
        done(null, text === undefined ? null : parsePlace(text));
      }),
    );
  }

  /** Pages that were hidden toward this place are visible again; each is told, none inside the call. */
  show(toward: Place, each: (page: NumberedPage) => void, done: Acknowledge): void {
    if (!this.#places.includes(placeText(toward))) {
      this.#parts.clock.after(0, () => done(null));
      return;
    }
    const number = this.#numberOf(toward);
    this.#open += 1;
    const end: Acknowledge = (error) => {
      this.#open -= 1;
      done(error);
    };
    this.#parts.flush((error) => {
      if (error === null) this.#showAfter(0, { number, each }, end);
      else end(error);
    });
  }

  checkpoint(done: Done<HiddenMarks>): void {
    const places = [...this.#places];
    this.#parts.table.checkpoint(withValue(done, (table) => done(null, { places, table })));
  }

  /** These marks have been recorded. */
  keepOnly({ table }: HiddenMarks): void {
    this.#parts.table.keepOnly(table);
  }

  close(done: Acknowledge): void {
    this.#parts.table.close(done);
  }

  #numberOf(place: Place): number {
    const text = placeText(place);
    const known = this.#places.indexOf(text) + 1;
    return known > 0 ? known : this.#places.push(text);
  }

  #find({ high, low }: Fingerprint, done: Done<number>): void {
    const { table } = this.#parts;
    const known = table.recall(high, low);
    if (known !== NO_VALUE || !table.mayFind(high, low)) done(null, Math.max(known, VISIBLE));
    else
      table.find(
        high,
        low,
        withValue(done, (found) => done(null, Math.max(found, VISIBLE))),
      );
  }

  #showAfter(after: number, shown: Shown, done: Acknowledge): void {
    this.#parts.index.rowsAfter(
      after,
      ROWS_AT_ONCE,
      withValue(done, (rows) => {
        const last = rows.at(-1);
        if (last === undefined) done(null);
        else {
          this.#showRows(rows, shown, (error) => {
            if (error === null) this.#showAfter(last.number, shown, done);
            else done(error);
          });
        }
      }),
    );
  }

  #showRows(rows: readonly NumberedPage[], { number, each }: Shown, done: Acknowledge): void {
    const { table, fingerprintOf } = this.#parts;
    const keys = rows.map(({ url }) => fingerprintOf(url as FetchableUrl));
    const found = new Gathered<Record<number, number>>(
      [...rows.keys()],
      withValue(done, (numbers) => {
        for (const [at, row] of rows.entries()) {
          const key = keys[at];
          if (key == null || numbers[at] !== number) continue;
          table.set(key.high, key.low, VISIBLE);
          each(row);
        }
        done(null);
      }),
    );
    for (const [at, key] of keys.entries()) {
      const take = found.take(at);
      if (key === null) take(null, VISIBLE);
      else this.#find(key, take);
    }
  }
}

interface Shown {
  readonly number: number;
  readonly each: (page: NumberedPage) => void;
}
