/** What custody asks of membership: who owns what, in the view of this agent. */
import type { AgentId } from "../../base/transport/index.ts";
import type { Place } from "../messages/index.ts";

export interface CustodyView {
  /** Those that are known, the own place among them. */
  members(): Iterable<{ readonly place: Place; readonly isInRing: boolean }>;
  /** Null if nobody is in the ring. */
  ownerOf(host: string): AgentId | null;
  /** The place of an agent in the ring. */
  placeOf(id: AgentId): Place | null;
  isGivenUp(place: Place): boolean;
  /** Whether it has ended with the crawl, and was told nothing since (T2). */
  hasEnded(place: Place): boolean;
  /** The first agent in the order of the host for which this holds, whoever is in the ring. */
  ownerAmong(host: string, isIn: (id: AgentId) => boolean): AgentId | null;
}
