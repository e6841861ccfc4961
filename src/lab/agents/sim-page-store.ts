/** The pages of a simulated agent, as those see them who ship pages from agent to agent. */

import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge, Clock, Done } from "../../base/seams/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import { type Place, placeText } from "../../cluster/messages/index.ts";
import type {
  IsWanted,
  PagePiece,
  PageStore,
  PageWriter,
  PieceOf,
  StoredPage,
} from "../../cluster/pages/index.ts";
import { entryOf, ticketIn } from "../../holdings/index.ts";
import type { Page, PageContents, PageLog } from "./page-log.ts";
import { hostNameOf, ticketOf } from "./small-web.ts";

export interface SimPageStoreParts {
  readonly clock: Clock;
  readonly pages: PageLog;
  readonly self: () => Place;
  /** A page is about to be added, as if it had been fetched; what this returns is called when it is durable. */
  readonly took: (page: PageContents) => () => void;
  /** There is a way of this depth to a page that is here. */
  readonly nearer: (page: Fingerprint, depth: number) => void;
}

export class SimPageStore implements PageStore {
  readonly #parts: SimPageStoreParts;

  constructor(parts: SimPageStoreParts) {
    this.#parts = parts;
  }

  next(isWanted: IsWanted, after: number, done: Done<StoredPage | null>): void {
    const { pages } = this.#parts;
    pages.commit((error) => {
      if (error !== null) {
        done(error, undefined);
        return;
      }
      for (const page of pages.pages()) {
        if (page.number <= after || !isWanted(hostNameOf(page.url), page.hiddenBy)) continue;
        done(null, { entry: entryOf(ticketOf(page.url, page.depth)), position: page.number });
        return;
      }
      done(null, null);
    });
  }

  read({ entry }: StoredPage, { from, bytesMax, withBody }: PieceOf, done: Done<PagePiece>): void {
    const { pages, self, clock } = this.#parts;
    const { links, body, keptAt } = pages.of(entry) as Page;
    const sent = withBody
      ? { links, body, keptAt }
      : { links, body: null, keptAt: keptAt ?? placeText(self()) };
    const bytes = Buffer.from(JSON.stringify(sent));
    clock.after(0, () =>
      done(null, { bytes: bytes.subarray(from, from + bytesMax), total: bytes.byteLength }),
    );
  }

  has(entry: UrlEntry, done: (isHad: boolean) => void): void {
    const { pages, clock } = this.#parts;
    clock.after(0, () => done(pages.hasDurably(entry)));
  }

  write(entry: UrlEntry): PageWriter {
    const pieces: Buffer[] = [];
    return {
      append: (bytes) => pieces.push(Buffer.from(bytes)),
      commit: (done) => this.#add(entry, Buffer.concat(pieces), done),
      drop: () => pieces.splice(0),
    };
  }

  #add(entry: UrlEntry, bytes: Buffer, done: Acknowledge): void {
    const { pages, took, nearer, clock } = this.#parts;
    const { url, depth } = ticketIn(entry);
    // It may have been fetched meanwhile.
    if (pages.of(entry) !== null) {
      nearer(entry, depth);
      pages.commit(done);
      return;
    }
    clock.after(0, () => {
      const { links, body, keptAt } = JSON.parse(bytes.toString());
      const page = { url, depth, links, body, keptAt, isFetched: false };
      const isLogged = took(page);
      pages.add(entry, page, (error) => {
        isLogged();
        done(error);
      });
    });
  }
}
