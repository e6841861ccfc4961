/** What custody asks of membership: who owns what, in the view of this agent. */
import type { AgentId } from "../../base/transport/index.ts";
import type { Place } from "../messages/index.ts";

export interface CustodyView {
  /** Null if nobody is in the ring. */
  ownerOf(host: string): AgentId | null;
  /** The place of an agent in the ring. */
  placeOf(id: AgentId): Place | null;
  isGivenUp(place: Place): boolean;
  /** Whether `one` comes before `other` in the order of the host, whoever is in the ring. */
  precedes(host: string, one: AgentId, other: AgentId): boolean;
}
