/**
 * Pages of the store on their way to others. A page is read piece by piece, so the last few are kept.
 */
import { answered } from "../../../base/seams/index.ts";
import { type Place, placeText } from "../../../cluster/messages/index.ts";
import type { NumberedPage, PageIndexWriter } from "../../../store/index/index.ts";
import type { LanePages } from "../own-lane.ts";
import { unreadable } from "./page-printer.ts";

export interface ShippedPagesParts {
  readonly index: Pick<PageIndexWriter, "rowsAfter">;
  readonly self: () => Place;
  /** What prints the pages of a host. */
  readonly lane: (page: NumberedPage) => Pick<LanePages, "print">;
}

/** Pages that are kept while others take them piece by piece. */
const KEPT_MAX = 4;

export class ShippedPages {
  readonly #parts: ShippedPagesParts;
  /** The one that was asked for last comes last. */
  readonly #kept = new Map<string, Promise<Uint8Array>>();

  constructor(parts: ShippedPagesParts) {
    this.#parts = parts;
  }

  /** All bytes of the page with this number. */
  bytes(number: number, withBody: boolean): Promise<Uint8Array> {
    const name = `${number} ${withBody}`;
    const bytes = this.#kept.get(name) ?? this.#read(number, withBody);
    this.#kept.delete(name);
    this.#kept.set(name, bytes);
    // Whoever asks again after a failure may have better luck.
    bytes.catch(() => this.#kept.delete(name));
    for (const first of this.#kept.keys()) {
      if (this.#kept.size > KEPT_MAX) this.#kept.delete(first);
    }
    return bytes;
  }

  async #read(number: number, withBody: boolean): Promise<Uint8Array> {
    const { index, self, lane } = this.#parts;
    const [row] = await answered<readonly NumberedPage[]>((done) =>
      index.rowsAfter(number - 1, 1, done),
    );
    if (row?.number !== number) throw unreadable(`page ${number}`, "it has no row");
    return await lane(row).print(row, placeText(self()), withBody);
  }
}
