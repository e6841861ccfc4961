/**
 * A place that was given up and is back (G5): whoever gave it up has struck its claims, and asks it to tell
 * all owners again what it holds, until it has.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Entry, Outboxes } from "../delivery/index.ts";
import {
  type MessageType,
  type Messenger,
  messageType,
  NOTHING,
  type Place,
  placeText,
} from "../messages/index.ts";
import type { CustodyView } from "./custody-view.ts";
import type { Holdings } from "./holdings.ts";

const ANNOUNCE: MessageType<null> = messageType("announce", NOTHING);

export interface AnnouncementsParts {
  readonly self: () => Place;
  readonly clock: Clock;
  readonly holdings: Holdings;
  readonly outboxes: Outboxes;
  readonly messenger: Messenger;
  readonly view: () => CustodyView;
  readonly isOwn: (host: string) => boolean;
  readonly dispatch: (entry: Entry, isRepeat: boolean) => void;
  readonly timeoutMs: number;
  readonly failed: (error: CrawlError) => void;
  readonly changed: () => void;
}

export class Announcements {
  readonly #parts: AnnouncementsParts;
  readonly #asked = new Map<string, Place>();
  /** Who waits for this agent to announce; asked again meanwhile, they are told once. */
  #waiting: (() => void)[] = [];
  #isAnnouncing = false;

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
    this.#asked.set(key, place);
    this.#repeat(place);
  }

  #repeat(place: Place): void {
    const { messenger, clock, timeoutMs, view, changed } = this.#parts;
    const key = placeText(place);
    if (!this.#asked.has(key)) return;
    messenger.ask(place, ANNOUNCE, { body: null, timeoutMs }, (replied) => {
      const isOver = replied.kind === "reply" || view().isGivenUp(place);
      if (isOver) {
        this.#asked.delete(key);
        changed();
      } else clock.after(timeoutMs / 2, () => this.#repeat(place));
    });
  }

  /** Tells owners what is held here of their hosts. */
  announce(): void {
    if (this.#isAnnouncing) return;
    const { self, holdings, outboxes, isOwn, dispatch, failed, changed } = this.#parts;
    this.#isAnnouncing = true;
    holdings.pagesOf(
      (host) => !isOwn(host),
      (entry) => dispatch({ ...entry, holders: [self()] }, true),
      (error) => {
        if (error !== null) failed(error);
        outboxes.whenDurable(() => {
          this.#isAnnouncing = false;
          for (const tell of this.#waiting.splice(0)) tell();
          changed();
        });
      },
    );
  }
}
