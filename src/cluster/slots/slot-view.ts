/** What address slots ask of membership: who is there, and who comes first for an address. */
import type { AgentId } from "../../base/transport/index.ts";
import type { Place } from "../messages/index.ts";
import type { IsIn, RingKey } from "../ring/index.ts";

export interface SlotMember {
  readonly place: Place;
  readonly incarnation: number;
  readonly state: "joining" | "active" | "leaving";
  readonly standing: "alive" | "suspect" | "dead" | "given-up";
  readonly isInRing: boolean;
}

export interface SlotView {
  readonly self: Place;
  /** All known agents, the own one included. */
  members(): Iterable<SlotMember>;
  /** The first agent in the order of the key for which this holds; null if it holds for none. */
  ownerAmong(key: RingKey, isIn: IsIn): AgentId | null;
}
