/** The pages of a simulated agent, as queries see them. */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Clock, Done } from "../../base/seams/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import type {
  ItemsPart,
  LocalPages,
  PagePart,
  Query,
  Whereabouts,
} from "../../cluster/queries/index.ts";
import type { PageLog } from "./page-log.ts";
import { ticketOf } from "./small-web.ts";

export interface SimLocalPagesParts {
  readonly clock: Clock;
  readonly pages: PageLog;
  /** Who is said to have a page that is not here. */
  readonly holdersOf: (page: Fingerprint, done: (holders: readonly Place[]) => void) => void;
}

export class SimLocalPages implements LocalPages {
  readonly #parts: SimLocalPagesParts;

  constructor(parts: SimLocalPagesParts) {
    this.#parts = parts;
  }

  whereIs(url: string, done: Done<Whereabouts>): void {
    const { pages, holdersOf } = this.#parts;
    const key = ticketOf(url, 0);
    holdersOf(key, ([holder]) => {
      const page = pages.hasDurably(key) ? pages.of(key) : null;
      const place = page === null ? (holder ?? null) : page.hiddenBy;
      if (place !== null) done(null, { kind: "elsewhere", place });
      else done(null, { kind: page === null ? "absent" : "here" });
    });
  }

  readPage(url: string, from: number, bytesMax: number, done: Done<PagePart | null>): void {
    const { pages, clock } = this.#parts;
    const page = pages.of(ticketOf(url, 0));
    const body = Buffer.from(page?.body ?? "");
    const part = { bytes: body.subarray(from, from + bytesMax), totalBytes: body.length };
    clock.after(0, () => done(null, page === null ? null : { ...part, stamp: url }));
  }

  /** Knows `links-in`: the URLs of pages that link to another. The cursor counts pages. */
  items({ argument }: Query, cursor: string, bytesMax: number, done: Done<ItemsPart>): void {
    const { pages, clock } = this.#parts;
    const all = [...pages.pages()];
    const items: Uint8Array[] = [];
    let at = Number(cursor);
    for (let bytes = 0; at < all.length && bytes < bytesMax; at += 1) {
      const { url, isDurable, hiddenBy, links } = all[at] as (typeof all)[number];
      if (!isDurable || hiddenBy !== null || !links.includes(argument)) continue;
      items.push(Buffer.from(url));
      bytes += url.length;
    }
    clock.after(0, () => done(null, { items, cursor: String(at), isEnd: at >= all.length }));
  }
}
