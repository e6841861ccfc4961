/**
 * One question to several places, asked again and again until each of them says that it is done: the
 * common part of joining (B1) and of taking over (B3). Answers count for the place that gave them, not
 * for the agent: another disk of the same agent has not done what the earlier one did.
 */
import { type Place, placeText, type Sender } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import { SYNC, type Sync, type SyncReply } from "../membership-messages.ts";

export class SyncRound {
  readonly #core: Core;
  readonly #question: Sync;
  readonly #done: (from: Sender, reply: SyncReply) => void;
  readonly #asked = new Set<string>();
  readonly #replied = new Set<string>();
  /** When those who are not done have last said that they hand over. */
  readonly #handingAtMs = new Map<string, number>();
  #isClosed = false;

  constructor(core: Core, question: Sync, done: (from: Sender, reply: SyncReply) => void) {
    this.#core = core;
    this.#question = question;
    this.#done = done;
  }

  has(place: Place): boolean {
    return this.#replied.has(placeText(place));
  }

  /** When the place, which is not done, has last said that it hands over; null if it does not. */
  handingAtMs(place: Place): number | null {
    return this.has(place) ? null : (this.#handingAtMs.get(placeText(place)) ?? null);
  }

  /** Asks those of whom no answer is awaited, and who are not done. */
  ask(places: readonly Place[]): void {
    for (const place of places) {
      if (!this.has(place) && !this.#asked.has(placeText(place))) this.#ask(place);
    }
  }

  /** No answer counts any more. */
  close(): void {
    this.#isClosed = true;
  }

  #ask(place: Place): void {
    const { messenger, times } = this.#core;
    const question = { body: this.#question, timeoutMs: times.replyMs };
    this.#asked.add(placeText(place));
    messenger.ask(place, SYNC, question, (replied) => {
      this.#asked.delete(placeText(place));
      if (this.#isClosed || replied.kind !== "reply") return;
      const { from, body } = replied;
      if (body.number !== this.#question.number) return;
      this.#noteHanding(place, body);
      if (!body.isDone) return;
      this.#replied.add(placeText(place));
      this.#done(from, body);
    });
  }

  #noteHanding(place: Place, { isBegun }: SyncReply): void {
    if (isBegun) this.#handingAtMs.set(placeText(place), this.#core.clock.nowMs());
    else this.#handingAtMs.delete(placeText(place));
  }
}
