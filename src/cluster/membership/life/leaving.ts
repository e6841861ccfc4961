/**
 * How an agent leaves (L1): it owns nothing from one moment to the next, and says so; custody hands over
 * what it has; then it tells everybody that it is gone, until each has noted it durably: whoever trusted
 * it with something trusts others from then on.
 *
 * Nothing of this is durable here: an agent that dies while it leaves comes back as a member.
 */
import { placeText } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import type { Electorate } from "../majority/electorate.ts";
import { LEFT } from "../membership-messages.ts";
import type { ConfigurationGossip } from "../shared/configuration-gossip.ts";
import type { RingChanges } from "../view/ring-changes.ts";

export interface LeavingParts {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly electorate: Electorate;
  readonly configuration: ConfigurationGossip;
  /** Everybody knows that this agent is gone. */
  readonly over: () => void;
  /** It must hand over once more: in another life, since some may count it as gone already. */
  readonly again: () => void;
}

export class Leaving {
  readonly #parts: LeavingParts;
  readonly #core: Core;
  #hasMoved = false;
  /** Whether nobody was there to take anything over. */
  #isAlone = false;
  #isResigning = false;
  /** Who knows that this agent is gone. */
  readonly #told = new Set<string>();
  readonly #asked = new Set<string>();

  constructor(parts: LeavingParts) {
    const { core, changes } = parts;
    this.#parts = parts;
    this.#core = core;
    core.messenger.serve(LEFT, ({ place }, _, respond) => {
      const entry = core.table.at(place);
      if (entry !== undefined) {
        entry.hasLeft = true;
        if (!entry.isGivenUp) changes.giveUp(entry);
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
    this.#isAlone = others.length === 0;
    // With nobody to take it over, everything stays on this disk.
    if (this.#isAlone) moved();
    else listener.handOverAll(moved);
  }

  /**
   * Somebody was given up that has not left. If everything was handed over before that, what it had taken, or
   * shows in the place of copies that are here, is lost to others.
   */
  lost(): void {
    if (this.#core.life.state === "leaving" && this.#hasMoved) this.#parts.again();
  }

  tick(): void {
    const { clock, detector, life } = this.#core;
    if (life.state !== "leaving" || !this.#hasMoved) return;
    const present = detector.present(clock.nowMs());
    // Somebody has come who can take it over.
    if (this.#isAlone && present.some(({ isInRing }) => isInRing)) {
      this.#parts.again();
      return;
    }
    if (!this.#hasResigned()) return;
    const others = present.filter(({ isGivenUp }) => !isGivenUp);
    const waiting = others
      .map(({ place }) => place)
      .filter((place) => !this.#told.has(placeText(place)));
    if (waiting.length === 0) this.#parts.over();
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

  /**
   * Its vote ends with it (P2); not before the other electors can go on without it. If it is the last one,
   * it leaves the votes to those who are there.
   */
  #hasResigned(): boolean {
    const { electorate, configuration } = this.#parts;
    const { id } = this.#core.life;
    const hasVote = electorate.electors.some((elector) => elector.id === id);
    if (!hasVote) return !this.#isResigning;
    if (this.#isResigning || !electorate.areOthersEnough) return false;
    const electors = electorate.without(id);
    // There is nobody who could have its vote.
    if (electors.some((elector) => elector.id === id)) return true;
    this.#isResigning = true;
    // If another change was made at the same moment, it resigns again.
    configuration.setElectors(electors, () => {
      this.#isResigning = false;
    });
    return false;
  }
}
