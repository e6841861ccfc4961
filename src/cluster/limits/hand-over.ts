/**
 * How a leaver hands over what it has of the limits (M9): first everything that it has to the treasurer,
 * then it says farewell to all: whoever has answered lends it nothing any more, and has nothing under
 * way to it.
 */
import type { Timer } from "../../base/seams/index.ts";
import { placeText } from "../messages/index.ts";
import { LIMIT_FAREWELL } from "./limit-messages.ts";
import type { LimitCore } from "./limit-parts.ts";
import { type LimitMember, othersIn, treasurerOf } from "./limit-view.ts";
import type { Transfers } from "./transfers.ts";

export class HandOver {
  readonly #core: LimitCore;
  readonly #transfers: Transfers;
  #done: (() => void) | null = null;
  /** Who has nothing more for this agent. */
  readonly #clear = new Set<string>();
  readonly #asked = new Set<string>();
  #retry: Timer | null = null;

  constructor(core: LimitCore, transfers: Transfers) {
    this.#core = core;
    this.#transfers = transfers;
  }

  begin(done: () => void): void {
    this.#done = done;
    this.#clear.clear();
  }

  /** Whoever is in the ring again does not leave. */
  viewChanged(): void {
    const { view } = this.#core;
    for (const { place, isInRing } of view.members()) {
      if (place.id === view.self.id && isInRing) this.#done = null;
    }
  }

  update(): void {
    const { account, view } = this.#core;
    const done = this.#done;
    if (done === null || account.taken > 0) return;
    const treasurer = treasurerOf(view);
    const others = othersIn(view);
    if (treasurer === null || others.length === 0) {
      // There is nobody to take it: it stays on this disk.
      this.#end(done);
      return;
    }
    if (account.hasSpare) this.#transfers.give(treasurer.place, account.spare);
    const waiting = others.filter(({ place }) => !this.#clear.has(placeText(place)));
    for (const member of waiting) this.#ask(member);
    if (waiting.length === 0 && !account.hasSpare && !this.#transfers.isOpen) this.#end(done);
  }

  close(): void {
    this.#retry?.cancel();
    this.#done = null;
  }

  #end(done: () => void): void {
    this.#done = null;
    done();
  }

  #ask({ place }: LimitMember): void {
    const { messenger, settings, time, isClosed } = this.#core;
    const text = placeText(place);
    if (this.#asked.has(text)) return;
    this.#asked.add(text);
    const question = { body: { elapsedMs: time.elapsedMs }, timeoutMs: settings.timeoutMs };
    messenger.ask(place, LIMIT_FAREWELL, question, (replied) => {
      this.#asked.delete(text);
      if (isClosed() || this.#done === null) return;
      if (replied.kind === "reply" && replied.body.isClear) {
        this.#clear.add(text);
        this.update();
      } else this.#again();
    });
  }

  #again(): void {
    const { clock, settings } = this.#core;
    this.#retry ??= clock.after(settings.retryMs, () => {
      this.#retry = null;
      this.update();
    });
  }
}
