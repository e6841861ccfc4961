/**
 * How an agent leaves (L1): it owns nothing from one moment to the next, and says so; custody hands over
 * what it has; then it tells everybody that it is gone, until each has noted it durably: whoever trusted
 * it with something trusts others from then on.
 *
 * Nothing of this is durable here: an agent that dies while it leaves comes back as a member.
 */
import { placeText } from "../messages/index.ts";
import type { Core } from "./core.ts";
import { LEFT } from "./membership-messages.ts";
import type { RingChanges } from "./ring-changes.ts";

export class Leaving {
  readonly #core: Core;
  readonly #over: () => void;
  #hasMoved = false;
  /** Who knows that this agent is gone. */
  readonly #told = new Set<string>();
  readonly #asked = new Set<string>();

  constructor(core: Core, changes: RingChanges, over: () => void) {
    this.#core = core;
    this.#over = over;
    core.messenger.serve(LEFT, ({ place }, _, respond) => {
      const entry = core.table.at(place);
      if (entry !== undefined) {
        if (!entry.isGivenUp) changes.giveUp(entry);
        entry.hasLeft = true;
      }
      core.file.whenSaved(() => respond(null));
    });
  }

  /** The state is *leaving* by now. */
  begin(): void {
    const { listener, life, clock, detector } = this.#core;
    const { incarnation } = life;
    this.#hasMoved = false;
    this.#told.clear();
    const others = detector.present(clock.nowMs()).filter(({ isInRing }) => isInRing);
    const moved = (): void => {
      if (life.incarnation === incarnation && life.state === "leaving") this.#hasMoved = true;
    };
    // With nobody to take it over, everything stays on this disk.
    if (others.length === 0) moved();
    else listener.handOverAll(moved);
  }

  tick(): void {
    const { clock, detector, life } = this.#core;
    if (life.state !== "leaving" || !this.#hasMoved) return;
    const others = detector.present(clock.nowMs()).filter(({ isGivenUp }) => !isGivenUp);
    const waiting = others
      .map(({ place }) => place)
      .filter((place) => !this.#told.has(placeText(place)));
    if (waiting.length === 0) this.#over();
    for (const place of waiting) {
      const text = placeText(place);
      if (this.#asked.has(text)) continue;
      this.#asked.add(text);
      const question = { body: null, timeoutMs: this.#core.times.replyMs };
      this.#core.messenger.ask(place, LEFT, question, (replied) => {
        this.#asked.delete(text);
        if (replied.kind === "reply") this.#told.add(text);
      });
    }
  }
}
