/**
 * Takes pages that other places send (L1), a piece at a time, and says that it has one when its line is
 * durable here, with its links: from then on it is a page like those that were fetched here.
 *
 * Pieces may come twice, late, or not at all: an answer says where the page goes on. If what is known of the page has
 * changed at its sender since it began, as its depth may, it begins anew. Some pages are taken at a time; whoever has
 * another is asked to wait. One that does not go on for long is dropped.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Timer } from "../../base/seams/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import { type Messenger, type Place, placeText } from "../messages/index.ts";
import { PAGE, type PageAnswer, type PagePart } from "./page-messages.ts";
import type { PageStore, PageWriter } from "./page-store.ts";

export interface PageIntakeParts {
  readonly clock: Clock;
  readonly messenger: Messenger;
  /** Null while it is not open. */
  readonly store: () => PageStore | null;
  readonly isWelcome: (place: Place) => boolean;
  /** A page is durable here; `from` has it too, unless its body stays behind. */
  readonly stored: (entry: UrlEntry, from: Place | null) => void;
  readonly pagesMax: number;
  readonly dropAfterMs: number;
  readonly failed: (error: CrawlError) => void;
}

type Respond = (answer: PageAnswer) => void;

interface Coming {
  readonly writer: PageWriter;
  /** The first piece. */
  readonly first: Pick<PagePart, "total" | "withBody"> & { readonly depth: number };
  received: number;
  isWhole: boolean;
  timer: Timer;
  /** Who waits until it is durable. */
  readonly waiting: Respond[];
}

export class PageIntake {
  readonly #parts: PageIntakeParts;
  readonly #coming = new Map<string, Coming>();
  #begun = 0;

  constructor(parts: PageIntakeParts) {
    this.#parts = parts;
    parts.messenger.serve(PAGE, ({ place }, part, respond) => {
      const store = parts.store();
      if (store === null || !parts.isWelcome(place)) return;
      this.#receive(store, place, part, respond);
    });
  }

  /** Pages that are not whole, or not durable yet. */
  get coming(): number {
    return this.#coming.size;
  }

  /** Pages of which something has come, in all. */
  get begun(): number {
    return this.#begun;
  }

  #receive(store: PageStore, from: Place, part: PagePart, respond: Respond): void {
    const key = `${placeText(from)} ${part.entry.high} ${part.entry.low}`;
    const coming = this.#coming.get(key);
    if (coming !== undefined && (coming.isWhole || isOfOne(coming.first, part))) {
      this.#take(key, coming, { from, part, respond });
      return;
    }
    if (coming !== undefined) this.#drop(key, coming);
    store.has(part.entry, (isHad) => {
      const begun = this.#coming.get(key);
      if (isHad) respond({ kind: "had", from: part.total });
      else if (begun !== undefined) {
        if (isOfOne(begun.first, part)) this.#take(key, begun, { from, part, respond });
        else respond({ kind: "busy", from: 0 });
      } else if (part.from > 0) respond({ kind: "more", from: 0 });
      else if (this.#coming.size >= this.#parts.pagesMax) respond({ kind: "busy", from: 0 });
      else this.#take(key, this.#begin(store, key, part), { from, part, respond });
    });
  }

  #begin(store: PageStore, key: string, { entry, total, withBody }: PagePart): Coming {
    const coming: Coming = {
      first: { total, withBody, depth: entry.depth },
      ...{ writer: store.write({ ...entry, record: entry.record.slice() }), received: 0 },
      ...{ isWhole: false, timer: this.#timer(key), waiting: [] },
    };
    this.#coming.set(key, coming);
    this.#begun += 1;
    return coming;
  }

  #take(
    key: string,
    coming: Coming,
    { from, part, respond }: { from: Place; part: PagePart; respond: Respond },
  ): void {
    if (coming.isWhole) {
      coming.waiting.push(respond);
      return;
    }
    if (part.from === coming.received) {
      coming.writer.append(part.bytes);
      coming.received += part.bytes.byteLength;
      coming.timer.cancel();
      coming.timer = this.#timer(key);
    }
    if (coming.received < part.total) respond({ kind: "more", from: coming.received });
    else {
      coming.waiting.push(respond);
      this.#commit(key, coming, { from, part });
    }
  }

  #commit(key: string, coming: Coming, { from, part }: { from: Place; part: PagePart }): void {
    const { stored, failed } = this.#parts;
    const entry = { ...part.entry, record: part.entry.record.slice() };
    coming.isWhole = true;
    coming.timer.cancel();
    coming.writer.commit((error) => {
      this.#coming.delete(key);
      if (error === null) stored(entry, part.withBody ? from : null);
      else if (error.code !== "STORAGE_FULL") failed(error);
      const answer: PageAnswer = { kind: error === null ? "had" : "busy", from: 0 };
      for (const respond of coming.waiting) respond(answer);
    });
  }

  #timer(key: string): Timer {
    return this.#parts.clock.after(this.#parts.dropAfterMs, () => {
      const coming = this.#coming.get(key);
      if (coming !== undefined) this.#drop(key, coming);
    });
  }

  #drop(key: string, { writer, timer }: Coming): void {
    timer.cancel();
    writer.drop();
    this.#coming.delete(key);
  }
}

/** Whether a piece is of the same page, as it was when it began. */
function isOfOne(first: Coming["first"], { total, withBody, entry }: PagePart): boolean {
  return first.total === total && first.withBody === withBody && first.depth === entry.depth;
}
