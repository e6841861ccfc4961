/**
 * A place that was given up and is back (G5): whoever gave it up has struck its claims, and asks it to tell
 * all owners again what it holds, until it has.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { HostsEntry, Outboxes } from "../delivery/index.ts";
import {
  type MessageType,
  type Messenger,
  messageType,
  NOTHING,
  type Place,
  placeText,
} from "../messages/index.ts";
import type { Holdings } from "./holdings.ts";

const ANNOUNCE: MessageType<null> = messageType("announce", NOTHING);

export interface AnnouncementsParts {
  readonly self: () => Place;
  readonly clock: Clock;
  readonly holdings: Holdings;
  readonly outboxes: Outboxes;
  readonly messenger: Messenger;
  readonly isOwn: (host: string) => boolean;
  readonly dispatch: (entry: HostsEntry, isRepeat: boolean) => void;
  readonly timeoutMs: number;
  readonly failed: (error: CrawlError) => void;
  /** A place that was asked has answered. */
  readonly announced: (place: Place) => void;
  readonly changed: () => void;
}

export class Announcements {
  readonly #parts: AnnouncementsParts;
  /** Those who have not answered, each with the asking that counts. */
  readonly #asked = new Map<string, object>();
  /** Who waits for this agent to announce. */
  #waiting: (() => void)[] = [];
  #isAnnouncing = false;
  /** It is to be done once more: what was told before may have been struck since. */
  #isToRepeat = false;

  constructor(parts: AnnouncementsParts) {
    this.#parts = parts;
    parts.messenger.serve(ANNOUNCE, (_from, _none, respond) => {
      this.#waiting.push(() => respond(null));
      this.announce();
    });
  }

  /** Whether a place has not answered, or this one is announcing. */
  get isOpen(): boolean {
    return this.#asked.size > 0 || this.#isAnnouncing;
  }

  ask(place: Place): void {
    const key = placeText(place);
    if (this.#asked.has(key)) return;
    const asking = {};
    this.#asked.set(key, asking);
    this.#parts.changed();
    this.#repeat(place, asking);
  }

  /** The place is given up: nothing that it has told counts any more. */
  gaveUp(place: Place): void {
    if (this.#asked.delete(placeText(place))) this.#parts.changed();
  }

  #repeat(place: Place, asking: object): void {
    const { messenger, clock, timeoutMs, announced, changed } = this.#parts;
    const key = placeText(place);
    if (this.#asked.get(key) !== asking) return;
    messenger.ask(place, ANNOUNCE, { body: null, timeoutMs }, (replied) => {
      if (this.#asked.get(key) !== asking) return;
      if (replied.kind === "reply") {
        this.#asked.delete(key);
        announced(place);
        changed();
      } else clock.after(timeoutMs / 2, () => this.#repeat(place, asking));
    });
  }

  /** Tells owners what is held here of their hosts. */
  announce(): void {
    if (this.#isAnnouncing) {
      this.#isToRepeat = true;
      return;
    }
    const { self, holdings, outboxes, isOwn, dispatch, failed, changed } = this.#parts;
    this.#isAnnouncing = true;
    const waiting = this.#waiting.splice(0);
    changed();
    holdings.pagesOf(
      (host) => !isOwn(host),
      (entry) => dispatch({ ...entry, holders: [self()] }, true),
      (error) => {
        if (error !== null) failed(error);
        outboxes.whenDurable(() => {
          this.#isAnnouncing = false;
          for (const tell of waiting) tell();
          if (this.#isToRepeat) {
            this.#isToRepeat = false;
            this.announce();
          }
          changed();
        });
      },
    );
  }
}
