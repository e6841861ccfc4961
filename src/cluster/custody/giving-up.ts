/**
 * What follows when a place is given up (G1), in one rule for all ways in which something could be lost:
 * everything that it was ever told is dispatched anew, its claims are struck, and copies that were hidden
 * for its sake are visible again and told of.
 *
 * All of it is repeated if the process dies before a checkpoint has it and the outbox of the place is
 * removed. Doing it twice does no harm.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Entry, Outboxes, UrlEntry } from "../delivery/index.ts";
import { type Place, placeText, samePlace } from "../messages/index.ts";
import type { Claims } from "./claims.ts";
import type { Holdings } from "./holdings.ts";

export interface GivingUpParts {
  readonly self: () => Place;
  readonly holdings: Holdings;
  readonly outboxes: Outboxes;
  readonly claims: Claims;
  readonly dispatch: (entry: Entry, isRepeat: boolean) => void;
  readonly isOwn: (host: string) => boolean;
  readonly isGivenUp: (place: Place) => boolean;
  /** Claims of this page were struck, and others are left or it is here. */
  readonly struck: (entry: UrlEntry) => void;
  readonly failed: (error: CrawlError) => void;
  readonly changed: () => void;
}

export class GivingUp {
  readonly #parts: GivingUpParts;
  /** Places whose outboxes are not removed yet; and those of them that are being read. */
  readonly #open = new Set<string>();
  #dispatching = 0;

  constructor(parts: GivingUpParts) {
    this.#parts = parts;
  }

  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  /** Whether something that a place was told has not been dispatched anew. */
  get isDispatching(): boolean {
    return this.#dispatching > 0;
  }

  begin(place: Place): void {
    const key = placeText(place);
    if (this.#open.has(key)) return;
    this.#open.add(key);
    this.#dispatching += 1;
    this.#strike(place);
    this.#parts.holdings.show(
      place,
      (entry) => this.#tell(entry),
      (showError) => {
        if (showError !== null) this.#parts.failed(showError);
        this.#dispatch(place, () => this.#forget(place, key));
      },
    );
  }

  #strike(place: Place): void {
    const { claims, holdings } = this.#parts;
    for (const entry of claims.strike(place)) if (!holdings.has(entry)) holdings.again(entry);
  }

  /** The copy here is visible again: its owner learns of it. */
  #tell(entry: UrlEntry): void {
    const { self, isOwn, dispatch, struck } = this.#parts;
    if (isOwn(entry.host)) struck(entry);
    else dispatch({ ...entry, holders: [self()] }, true);
  }

  #dispatch(place: Place, done: () => void): void {
    const { outboxes, dispatch, isGivenUp, failed } = this.#parts;
    outboxes.each(
      place,
      (entries, next) => {
        for (const entry of entries) {
          // Rests and counts that went there with a host are gone with it.
          if (entry.kind === "host") continue;
          const isLive = (one: Place): boolean => !samePlace(one, place) && !isGivenUp(one);
          dispatch({ ...entry, holders: entry.holders.filter(isLive) }, true);
        }
        next();
      },
      (error) => {
        if (error !== null) failed(error);
        else done();
      },
    );
  }

  /** When all of it is durable elsewhere: in other outboxes, and in a checkpoint. */
  #forget(place: Place, key: string): void {
    const { outboxes, holdings, isGivenUp, failed, changed } = this.#parts;
    this.#dispatching -= 1;
    changed();
    const end = (error: CrawlError | null): void => {
      if (error !== null) failed(error);
      this.#open.delete(key);
      changed();
    };
    outboxes.whenDurable(() =>
      holdings.whenSaved(() => {
        // If it is back meanwhile, its outbox is in use again.
        if (isGivenUp(place)) outboxes.remove(place, end);
        else end(null);
      }),
    );
  }
}
