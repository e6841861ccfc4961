/** What limits ask of membership: who is there. */
import { type Place, placeText } from "../messages/index.ts";

export interface LimitMember {
  readonly place: Place;
  readonly incarnation: number;
  readonly standing: "alive" | "suspect" | "dead" | "given-up";
  readonly isInRing: boolean;
  /** It has ended with the crawl, when limits were settled (T2). */
  readonly hasEnded: boolean;
}

export interface LimitView {
  readonly self: Place;
  /** All known agents, the own one included. */
  members(): Iterable<LimitMember>;
  isAlive(place: Place): boolean;
  isGivenUp(place: Place): boolean;
}

/**
 * The treasurer: the member of the ring with the lowest id that is not dead. It is *certain* if no dead
 * one comes before it: then all agents with the same view name the same one (M5).
 */
export interface Treasurer {
  readonly place: Place;
  readonly incarnation: number;
  readonly isCertain: boolean;
}

export function treasurerOf(view: LimitView): Treasurer | null {
  let first: LimitMember | null = null;
  let found: LimitMember | null = null;
  for (const member of view.members()) {
    if (!member.isInRing || member.hasEnded) continue;
    if (first === null || member.place.id < first.place.id) first = member;
    if (member.standing === "dead") continue;
    if (found === null || member.place.id < found.place.id) found = member;
  }
  if (found === null) return null;
  const { place, incarnation } = found;
  return { place, incarnation, isCertain: found === first };
}

/** The life that the own agent is in. */
export function ownIncarnation(view: LimitView): number {
  for (const { place, incarnation } of view.members()) {
    if (place.id === view.self.id) return incarnation;
  }
  return 0;
}

/** The members of the ring that can be asked, the own one left out. */
export function othersIn(view: LimitView): LimitMember[] {
  return [...view.members()].filter(
    ({ place, standing, isInRing, hasEnded }) =>
      isInRing && standing !== "dead" && !hasEnded && place.id !== view.self.id,
  );
}

/** Who is there, in words: equal for two views that differ in nothing that matters to limits. */
export function presenceOf(view: LimitView): string {
  const lines = Array.from(view.members(), ({ place, incarnation, standing, isInRing, ...one }) => {
    const isGone = standing === "dead" || standing === "given-up";
    const gone = one.hasEnded ? "ended" : isGone ? standing : "";
    return `${placeText(place)}/${incarnation} ${isInRing} ${gone}`;
  });
  return lines.sort().join("\n");
}
