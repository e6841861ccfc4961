/**
 * What all members have to say about something, as one stream (Q2). Each member is asked for one part at
 * a time, and for the next when the last was taken; what comes first is given first. The cursor says how
 * far each place was read, so a stream can be taken up again later, by anybody, also if some of the places
 * were missing.
 *
 * Invariant: the cursor of a batch stands for exactly what was given in batches up to this one.
 */
import type { Timer } from "../../base/seams/index.ts";
import { type Place, parsePlace, placeText } from "../messages/index.ts";
import type { Query } from "./local-pages.ts";
import { type ItemsReply, QUERY_ITEMS } from "./query-messages.ts";
import { type AskParts, type Missing, whyGone, whyMissing } from "./query-parts.ts";

export interface StreamBatch {
  /** Who says so; null for the end, at which there are no items. */
  readonly from: Place | null;
  readonly items: readonly Uint8Array[];
  /** Items that were too long to be sent. */
  readonly omitted: number;
  /** Where the whole stream is after this batch. */
  readonly cursor: string;
  /** Who has not answered, so far. */
  readonly missing: readonly Missing[];
}

/** How one member is being read. */
interface Reading {
  readonly place: Place;
  cursor: string;
  isEnd: boolean;
  isAsking: boolean;
  /** What has come and was not taken. */
  part: ItemsReply | null;
  missing: Missing | null;
}

export class MemberStream {
  readonly #parts: AskParts;
  readonly #query: Query;
  readonly #follows: boolean;
  readonly #readings = new Map<string, Reading>();
  #waiting: ((batch: StreamBatch) => void) | null = null;
  #poll: Timer | null = null;
  #isClosed = false;

  /** `follows`: it has no end; whoever has told everything is asked again later. */
  constructor(parts: AskParts, query: Query, cursor: string, follows: boolean) {
    this.#parts = parts;
    this.#query = query;
    this.#follows = follows;
    for (const [text, at] of readCursor(cursor)) {
      const place = parsePlace(text);
      if (place !== null) this.#readings.set(text, readingOf(place, at));
    }
  }

  /** The next batch; one question at a time. Never inside this call. */
  next(done: (batch: StreamBatch) => void): void {
    this.#waiting = done;
    this.#parts.clock.after(0, () => this.#turn());
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = null;
    this.#poll?.cancel();
  }

  /** Gives what has come, asks for what has not, ends if nothing will come. */
  #turn(): void {
    const done = this.#waiting;
    if (done === null || this.#isClosed) return;
    this.#meet();
    const readings = [...this.#readings.values()];
    const ready = readings.find(({ part }) => part !== null);
    if (ready?.part != null) {
      const { items, cursor, isEnd, omitted } = ready.part;
      Object.assign(ready, { part: null, cursor, isEnd });
      // The others come first next time.
      this.#readings.delete(placeText(ready.place));
      this.#readings.set(placeText(ready.place), ready);
      this.#give(done, { from: ready.place, items, omitted });
      return;
    }
    for (const reading of readings) this.#ask(reading, 1);
    if (readings.some(({ isAsking }) => isAsking)) return;
    if (this.#follows) this.#pollLater();
    else this.#give(done, { from: null, items: [], omitted: 0 });
  }

  /** Those who have come since, and those who are gone. */
  #meet(): void {
    const { view } = this.#parts;
    for (const { place, standing } of view.members()) {
      const text = placeText(place);
      if (standing === "given-up" && !this.#readings.has(text)) continue;
      if (!this.#readings.has(text)) this.#readings.set(text, readingOf(place, ""));
      const reading = this.#readings.get(text);
      // Nobody waits for those who are silent for long.
      if (standing === "dead" && reading?.isAsking === false && !reading.isEnd) {
        reading.missing ??= { place, why: "dead" };
      }
    }
    for (const reading of this.#readings.values()) {
      if (view.isGivenUp(reading.place) && !reading.isEnd) {
        reading.missing = { place: reading.place, why: "given-up" };
      }
    }
  }

  #give(
    done: (batch: StreamBatch) => void,
    batch: Pick<StreamBatch, "from" | "items" | "omitted">,
  ): void {
    const readings = [...this.#readings.values()];
    const cursors = readings.map(({ place, cursor }) => [placeText(place), cursor] as const);
    const missing = readings.flatMap((reading) => reading.missing ?? []);
    this.#waiting = null;
    done({ ...batch, missing, cursor: JSON.stringify(Object.fromEntries(cursors)) });
  }

  #ask(reading: Reading, tries: number): void {
    const { messenger, settings, clock } = this.#parts;
    const { place, cursor, isEnd, missing } = reading;
    if (isEnd || missing !== null || reading.isAsking) return;
    reading.isAsking = true;
    const { timeoutMs, triesMax, retryMs, partBytes: bytesMax } = settings;
    const question = { body: { ...this.#query, cursor, bytesMax }, timeoutMs };
    messenger.ask(place, QUERY_ITEMS, question, (replied) => {
      if (this.#isClosed) return;
      if (replied.kind === "reply" && replied.body.outcome === "part") {
        reading.isAsking = false;
        this.#came(reading, replied.body);
      } else if (tries < triesMax && whyGone(this.#parts, place) === null) {
        clock.after(retryMs, () => this.#askAgain(reading, tries + 1));
        return;
      } else {
        reading.isAsking = false;
        reading.missing = { place, why: whyMissing(this.#parts, place, replied) };
      }
      this.#turn();
    });
  }

  #askAgain(reading: Reading, tries: number): void {
    if (this.#isClosed) return;
    reading.isAsking = false;
    this.#ask(reading, tries);
    // Whoever was given up meanwhile is not asked, and was perhaps all that was waited for.
    if (!reading.isAsking) this.#turn();
  }

  /** An empty part is only about where to go on. */
  #came(reading: Reading, part: ItemsReply): void {
    const isEmpty = part.items.length === 0 && part.omitted === 0;
    if (isEmpty) Object.assign(reading, { cursor: part.cursor, isEnd: part.isEnd });
    else reading.part = part;
  }

  #pollLater(): void {
    const { clock, settings } = this.#parts;
    this.#poll = clock.after(settings.pollMs, () => {
      for (const reading of this.#readings.values()) {
        reading.isEnd = false;
        if (reading.missing?.why !== "given-up") reading.missing = null;
      }
      this.#turn();
    });
  }
}

function readingOf(place: Place, cursor: string): Reading {
  return { place, cursor, isEnd: false, isAsking: false, part: null, missing: null };
}

/** A cursor that nobody gave out begins at the beginning. */
function readCursor(cursor: string): readonly (readonly [string, string])[] {
  if (cursor === "") return [];
  try {
    const found: unknown = JSON.parse(cursor);
    if (typeof found !== "object" || found === null) return [];
    return Object.entries(found).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
  } catch {
    return [];
  }
}
