/** What termination asks of membership: who there is, and whether views are equal. */
import type { Place } from "../messages/index.ts";

export interface TerminationMember {
  readonly place: Place;
  readonly incarnation: number;
  readonly standing: "alive" | "suspect" | "dead" | "given-up";
  /** It has stopped at an end that counts still, and is not waited for (T2). */
  readonly hasEnded: boolean;
}

export interface TerminationView {
  readonly self: Place;
  /** Equal at two agents that agree on the ring, on the lives of its members, and on the seeds. */
  readonly hash: string;
  /** All known agents, the own one included. */
  members(): Iterable<TerminationMember>;
}
