/**
 * The roll: who may grant slots, as one agent sees it. It has the members of the ring that are not dead;
 * so another agent grants soon after the granter of an address has died, long before that one is given
 * up. Two agents that have the same roll name the same granter for every address.
 */
import { createHash } from "node:crypto";
import type { AgentId } from "../../base/transport/index.ts";
import { type Place, placeText } from "../messages/index.ts";
import { addressKey } from "../ring/index.ts";
import type { SlotMember, SlotView } from "./slot-view.ts";

const TEXT_DIGITS = 16;

export class Roll {
  /** Stands for the places on the roll. */
  readonly text: string;
  /** All members that are there, on the roll or not, by id; the own one included. */
  readonly present: ReadonlyMap<AgentId, SlotMember>;
  readonly #view: SlotView;
  readonly #places: ReadonlySet<string>;
  readonly #isIn = (id: AgentId): boolean => this.present.get(id)?.isInRing === true;

  constructor(view: SlotView) {
    this.#view = view;
    const present = [...view.members()].filter(
      ({ standing }) => standing === "alive" || standing === "suspect",
    );
    this.present = new Map(present.map((member) => [member.place.id, member]));
    const places = this.granters().map(({ place }) => placeText(place));
    this.#places = new Set(places);
    const text = places.sort().join("\n");
    this.text = createHash("sha256").update(text).digest("hex").slice(0, TEXT_DIGITS);
  }

  /** Those who may grant. */
  granters(): SlotMember[] {
    return [...this.present.values()].filter(({ isInRing }) => isInRing);
  }

  has(place: Place): boolean {
    return this.#places.has(placeText(place));
  }

  /** Whether everybody on the other one is on this one too: then addresses move only to those who came. */
  includes(other: Roll): boolean {
    return other.granters().every(({ place }) => this.has(place));
  }

  /** Who grants the slots of an address; null if nobody is there. */
  granterOf(address: string): Place | null {
    const id = this.#view.ownerAmong(addressKey(address), this.#isIn);
    return id === null ? null : (this.present.get(id)?.place ?? null);
  }
}
