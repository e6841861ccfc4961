/**
 * Copies (C1): where several places have a page, the owner of its host tells all but one of them to hide
 * theirs: the one that comes first in the order of the host keeps its copy visible. That order is fixed, so
 * copies never hide behind each other in a circle. Hidden copies stay where they are, and stay claims.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { codec } from "../../topology/items/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import {
  type MessageType,
  type Messenger,
  messageType,
  PLACE,
  type Place,
  placeText,
  samePlace,
} from "../messages/index.ts";
import type { Claims } from "./claims.ts";
import type { CustodyView } from "./custody-view.ts";
import type { Holdings } from "./holdings.ts";

interface Hide extends Fingerprint {
  readonly toward: Place;
}

const HIDE: MessageType<Hide> = messageType(
  "hide",
  codec.struct<Hide>({ high: codec.count, low: codec.count, toward: PLACE }),
);

export interface CopiesParts {
  readonly self: () => Place;
  readonly clock: Clock;
  readonly holdings: Holdings;
  readonly claims: Claims;
  readonly messenger: Messenger;
  readonly view: () => CustodyView;
  readonly timeoutMs: number;
  readonly failed: (error: CrawlError) => void;
  readonly changed: () => void;
}

export class Copies {
  readonly #parts: CopiesParts;
  /** Places that have not answered, with what they are asked to hide. */
  readonly #open = new Map<string, { readonly place: Place; readonly hide: Hide }>();

  constructor(parts: CopiesParts) {
    this.#parts = parts;
    const { messenger, holdings, failed } = parts;
    messenger.serve(HIDE, (_from, hide, respond) =>
      holdings.hide(hide, hide.toward, (error) => {
        if (error === null) respond(null);
        else failed(error);
      }),
    );
  }

  /** Whether somebody has not answered. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** More is known of who has the page of this URL, whose host is ours. */
  decide(entry: UrlEntry): void {
    const { self, claims, holdings, view, failed } = this.#parts;
    const claimed = claims.holdersOf(entry).filter((place) => !view().isGivenUp(place));
    const holders = holdings.has(entry) ? [self(), ...claimed] : claimed;
    if (holders.length < 2) return;
    const first = holders.reduce((best, place) =>
      view().precedes(entry.host, place.id, best.id) ? place : best,
    );
    const hide = { high: entry.high, low: entry.low, toward: first };
    for (const place of holders) {
      if (samePlace(place, first)) continue;
      if (samePlace(place, self())) {
        holdings.hide(entry, first, (error) => {
          if (error !== null) failed(error);
        });
      } else this.#ask(place, hide);
    }
  }

  /** A place is given up: it need not answer, and nothing hides behind it. */
  forget(place: Place): void {
    for (const [key, { place: asked, hide }] of this.#open) {
      if (samePlace(asked, place) || samePlace(hide.toward, place)) this.#open.delete(key);
    }
  }

  #ask(place: Place, hide: Hide): void {
    const key = `${placeText(place)} ${hide.high} ${hide.low}`;
    const asked = { place, hide };
    this.#open.set(key, asked);
    this.#repeat(key, asked);
  }

  #repeat(key: string, asked: { readonly place: Place; readonly hide: Hide }): void {
    const { messenger, timeoutMs, clock, changed } = this.#parts;
    if (this.#open.get(key) !== asked) return;
    messenger.ask(asked.place, HIDE, { body: asked.hide, timeoutMs }, (replied) => {
      if (this.#open.get(key) !== asked) return;
      if (replied.kind === "none") {
        clock.after(timeoutMs / 2, () => this.#repeat(key, asked));
        return;
      }
      this.#open.delete(key);
      changed();
    });
  }
}
