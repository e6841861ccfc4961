/**
 * What follows when a place is given up (G1), in one rule for all ways in which something could be lost:
 * everything that it was ever told is dispatched anew, its claims are struck, and copies that were hidden
 * for its sake are visible again and told of.
 *
 * All of it is repeated if the process dies before a checkpoint has it and the outbox of the place is
 * removed. Doing it twice does no harm.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { HostsEntry, Outboxes, UrlEntry } from "../delivery/index.ts";
import { type Place, placeText, samePlace } from "../messages/index.ts";
import type { Claims } from "./claims.ts";
import type { Holdings } from "./holdings.ts";

export interface GivingUpParts {
  readonly self: () => Place;
  readonly holdings: Holdings;
  readonly outboxes: Outboxes;
  readonly claims: Claims;
  readonly dispatch: (entry: HostsEntry, isRepeat: boolean) => void;
  readonly isOwn: (host: string) => boolean;
  readonly isMoving: (host: string) => boolean;
  /** Calls back when no host is leaving for this place. */
  readonly whenNoneTo: (place: Place, done: () => void) => void;
  readonly isGivenUp: (place: Place) => boolean;
  /** The copy here of this page, whose host is ours, is visible again. */
  readonly shown: (entry: UrlEntry) => void;
  readonly failed: (error: CrawlError) => void;
  readonly changed: () => void;
}

export class GivingUp {
  readonly #parts: GivingUpParts;
  /** Places whose outboxes are not removed yet; and those of them that are being read. */
  readonly #open = new Set<string>();
  /** Of these, places that were given up once more: what has come since names them again. */
  readonly #again = new Set<string>();
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
    if (this.#open.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#open.add(key);
    this.#dispatching += 1;
    const { claims, holdings, failed, whenNoneTo } = this.#parts;
    const told = (error: CrawlError | null): void => {
      if (error !== null) failed(error);
    };
    claims.strike(
      place,
      (entry) => this.#fetchAgain(entry),
      (struckError) => {
        told(struckError);
        holdings.show(
          place,
          (entry) => this.#tell(entry),
          (shownError) => {
            told(shownError);
            whenNoneTo(place, () => this.#dispatch(place, () => this.#forget(place, key)));
          },
        );
      },
    );
  }

  /** Nobody has the page any more. */
  #fetchAgain(entry: UrlEntry): void {
    const { holdings, isOwn, isMoving, dispatch } = this.#parts;
    if (isOwn(entry.host) && !isMoving(entry.host)) holdings.again(entry);
    else dispatch(entry, true);
  }

  /** The copy here is visible again: its owner learns of it. */
  #tell(entry: UrlEntry): void {
    const { self, isOwn, dispatch, shown } = this.#parts;
    if (isOwn(entry.host)) shown(entry);
    else dispatch({ ...entry, holders: [self()] }, true);
  }

  #dispatch(place: Place, done: () => void): void {
    const { outboxes, dispatch, isGivenUp, failed } = this.#parts;
    outboxes.each(
      place,
      (entries, next) => {
        for (const entry of entries) {
          // Rests and counts that went there with a host are gone with it, and so are its copies.
          if (entry.kind !== "url") continue;
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
      if (this.#again.delete(key)) this.begin(place);
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
