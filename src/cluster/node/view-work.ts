/**
 * Counts changes of the view that can make work (T1). That somebody is suspected, or no longer, makes none:
 * on a bad network it happens all the time, and two waves would hardly ever find equal counters.
 */
import type { AgentId } from "../../base/transport/index.ts";
import type { View } from "../membership/index.ts";
import { type Place, samePlace } from "../messages/index.ts";

export class ViewWork {
  #changes = 0;
  #seen = "";

  get changes(): number {
    return this.#changes;
  }

  changed({ hash, onProbation }: Pick<View, "hash" | "onProbation">): void {
    const seen = `${hash} ${onProbation}`;
    if (seen !== this.#seen) this.#changes += 1;
    this.#seen = seen;
  }
}

/**
 * Whether another agent is leaving, or joins again in order to leave: what it was `told` comes back when it is gone, and
 * is work then (L1, G1).
 */
export function hasLeavers(
  view: Pick<View, "self" | "members">,
  told: () => readonly Place[],
): boolean {
  const outside: Place[] = [];
  for (const { place, state, standing, isInRing } of view.members()) {
    if (place.id === view.self.id || standing === "given-up") continue;
    if (state === "leaving") return true;
    if (!isInRing) outside.push(place);
  }
  const isTold = (place: Place): boolean => told().some((one) => samePlace(one, place));
  return outside.some(isTold);
}

/** Whether an agent has ended with the crawl (T2). */
export function hasEnded(view: Pick<View, "members">, id: AgentId): boolean {
  for (const member of view.members()) if (member.place.id === id) return member.hasEnded;
  return false;
}
