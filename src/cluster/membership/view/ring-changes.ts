/**
 * The only ways in which the ring of this agent changes, and what goes with each. Silence alone, up to
 * death, never changes it: somebody joins, leaves, is given up, or comes back with another disk.
 *
 * The order of what is told is always the same: hosts that are gained are withheld first, then the view
 * is another, then what the place was trusted with is given up.
 */
import { type Place, samePlace } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import type { MemberEntry } from "./member-table.ts";

const NEVER = Number.NEGATIVE_INFINITY;

export interface RingListener {
  /** The hosts of this place have other owners from now on (B3). */
  readonly taken: (place: Place) => void;
  /** Somebody knows of a later generation of this very agent. */
  readonly replaced: (generation: number) => void;
  /** A place is given up that has not left: what it had taken is lost (L1). */
  readonly lost: () => void;
}

export class RingChanges {
  readonly #core: Core;
  readonly #ring: RingListener;

  constructor(core: Core, ring: RingListener) {
    this.#core = core;
    this.#ring = ring;
  }

  /** Something durable, or something that the view shows, is another. */
  changed(): void {
    const { file, view, listener } = this.#core;
    file.changed();
    view.changed();
    listener.viewChanged(view);
  }

  /** Puts it into the ring: it has asked for what it owns (B2), or another agent has it there. */
  admit(entry: MemberEntry): void {
    entry.isInRing = true;
    countAgain(entry);
    entry.hasLeft = false;
    if (entry.silentSinceMs === NEVER) entry.silentSinceMs = this.#core.clock.nowMs();
    this.changed();
    if (entry.isToAnnounce) this.#core.listener.returned(entry.place);
  }

  /** It is about to leave, and owns nothing any more (L1). */
  withdraw(entry: MemberEntry): void {
    entry.isInRing = false;
    this.#ring.taken(entry.place);
    this.changed();
  }

  /** Nothing that it was trusted with counts any more (G1). */
  giveUp(entry: MemberEntry): void {
    const { place, isInRing } = entry;
    entry.isGivenUp = true;
    entry.isCondemned = true;
    entry.isInRing = false;
    entry.isOnProbation = false;
    entry.heardAtMs = NEVER;
    entry.silentSinceMs = NEVER;
    entry.isTakenOver = false;
    if (isInRing) this.#ring.taken(place);
    this.changed();
    this.#core.listener.gaveUp(place);
    if (!entry.hasLeft) this.#ring.lost();
  }

  /** Somebody has said the name of a place: a later generation than is known ends the earlier one. */
  named(place: Place): void {
    const { life, table, clock } = this.#core;
    if (place.id === life.id) {
      if (place.generation > life.generation) this.#ring.replaced(place.generation);
      return;
    }
    const entry = table.get(place.id);
    if (entry === undefined || place.generation <= entry.generation) return;
    const { place: former, isInRing, isGivenUp } = entry;
    entry.becomes(place.generation, clock.nowMs());
    if (isInRing) this.#ring.taken(former);
    this.changed();
    if (isGivenUp) return;
    this.#core.listener.gaveUp(former);
    this.#ring.lost();
  }

  /**
   * A record, or a claim that has just arrived, names this place. If it is not known, or was given up,
   * it is on probation: it is given up (again) unless it is heard (G3). Whoever is heard then announces what
   * it holds (G5): while it had no place in the order, nothing was decided about its copies (C1).
   */
  mention(place: Place): void {
    const { life, table, clock, listener, view } = this.#core;
    this.named(place);
    if (samePlace(place, life.place)) return;
    if (view.isGivenUp(place) && table.at(place) === undefined) {
      // An earlier generation never comes back.
      listener.gaveUp(place);
      return;
    }
    if (place.id === life.id) return;
    if (table.at(place) === undefined && table.isFull) {
      // Nobody could be waited for.
      listener.gaveUp(place);
      return;
    }
    const entry = table.at(place) ?? this.#added(place);
    // Who has left is gone until it joins again, and tells then what it holds.
    if (entry.isGivenUp && entry.hasLeft) return;
    if (entry.isGivenUp) {
      countAgain(entry);
      entry.isOnProbation = true;
      entry.silentSinceMs = clock.nowMs();
      this.changed();
    } else if (entry.isOnProbation) this.changed();
  }

  #added(place: Place): MemberEntry {
    const { table, clock } = this.#core;
    const entry = table.add(place, clock.nowMs());
    entry.isToAnnounce = true;
    return entry;
  }

  /** It has told all owners again what it holds (G5). */
  announced(place: Place): void {
    const { table, file } = this.#core;
    const entry = table.at(place);
    if (entry === undefined || !entry.isToAnnounce) return;
    entry.isToAnnounce = false;
    file.changed();
  }

  /** What the disk knows of places that were given up, or are back: perhaps that was not finished. */
  repeatGivenUp(): void {
    const { table, listener } = this.#core;
    for (const { place, isGivenUp, isInRing, isToAnnounce } of table.entries()) {
      if (isGivenUp) listener.gaveUp(place);
      else if (isInRing && isToAnnounce) listener.returned(place);
    }
  }
}

/** It counts again; if it had been given up, nothing is known any more of what it holds. */
function countAgain(entry: MemberEntry): void {
  entry.isToAnnounce ||= entry.isGivenUp;
  entry.isGivenUp = false;
}
