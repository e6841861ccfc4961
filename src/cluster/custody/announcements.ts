/**
 * A place that was given up and is back (G5): whoever gave it up has struck its claims, and asks it to tell
 * all owners again what it holds, until it has.
 *
 * What is asked has a number, and a question that is repeated has the same one: it is not a reason to tell
 * everything again. On a slow network answers come too late, and each telling is an entry for every page,
 * and further ones for its copies.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { codec } from "../../topology/items/index.ts";
import type { HostsEntry, Outboxes } from "../delivery/index.ts";
import {
  type MessageType,
  type Messenger,
  messageType,
  type Place,
  placeText,
  type Sender,
  samePlace,
} from "../messages/index.ts";
import type { Holdings } from "./holdings.ts";

/** Which of the sender's questions this is: it counts them in each life. */
interface Announce {
  readonly number: number;
}

const ANNOUNCE: MessageType<Announce> = messageType(
  "announce",
  codec.struct<Announce>({ number: codec.count }),
);

/** The last question of an agent. */
interface Question extends Announce {
  readonly from: Sender;
  /** Answers the last of its repetitions. */
  respond: () => void;
  isDone: boolean;
}

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
  /** Those who have not answered, each with the number of the question that counts. */
  readonly #asked = new Map<string, number>();
  #number = 0;
  /** What this agent was asked, by agents. */
  readonly #questions = new Map<string, Question>();
  /** Who waits for this agent to announce. */
  #waiting: Question[] = [];
  #isAnnouncing = false;
  /** It is to be done once more: what was told before may have been struck since. */
  #isToRepeat = false;

  constructor(parts: AnnouncementsParts) {
    this.#parts = parts;
    parts.messenger.serve(ANNOUNCE, (from, { number }, respond) =>
      this.#isAsked({ from, number, respond: () => respond(null), isDone: false }),
    );
  }

  /** Whether a place has not answered, or this one is announcing. */
  get isOpen(): boolean {
    return this.#asked.size > 0 || this.#isAnnouncing;
  }

  ask(place: Place): void {
    const key = placeText(place);
    if (this.#asked.has(key)) return;
    this.#number += 1;
    this.#asked.set(key, this.#number);
    this.#parts.changed();
    this.#repeat(place, this.#number);
  }

  /** The place is given up: nothing that it has told counts any more. */
  gaveUp(place: Place): void {
    if (this.#asked.delete(placeText(place))) this.#parts.changed();
  }

  #repeat(place: Place, number: number): void {
    const { messenger, clock, timeoutMs, announced, changed } = this.#parts;
    const key = placeText(place);
    if (this.#asked.get(key) !== number) return;
    messenger.ask(place, ANNOUNCE, { body: { number }, timeoutMs }, (replied) => {
      if (this.#asked.get(key) !== number) return;
      if (replied.kind === "reply") {
        this.#asked.delete(key);
        announced(place);
        changed();
      } else clock.after(timeoutMs / 2, () => this.#repeat(place, number));
    });
  }

  #isAsked(question: Question): void {
    const { from, number, respond } = question;
    const known = this.#questions.get(from.place.id);
    const isSameLife =
      known !== undefined &&
      samePlace(known.from.place, from.place) &&
      known.from.incarnation === from.incarnation;
    if (isSameLife && number < known.number) return;
    if (!isSameLife || number > known.number) {
      this.#questions.set(from.place.id, question);
      this.#waiting.push(question);
      this.announce();
    } else if (known.isDone) respond();
    else known.respond = respond;
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
          for (const question of waiting) {
            question.isDone = true;
            question.respond();
          }
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
