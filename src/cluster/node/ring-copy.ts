/**
 * The ring of a view, copied for lanes in other threads: who is on the circle, with which capacity, and who
 * is in the ring. A lane decides with it where a link goes. A copy that is old is wrong for a moment, which
 * does no harm: what it sends the wrong way is passed on.
 */
import type { AgentId } from "../../base/transport/index.ts";
import type { View } from "../membership/index.ts";
import { type IsIn, Ring, type RingKey } from "../ring/index.ts";
import type { OwnersView } from "./withholding.ts";

/** Plain values. */
export interface RingCopy {
  readonly self: AgentId;
  readonly replicas: number;
  readonly members: readonly {
    readonly id: AgentId;
    readonly capacity: number;
    readonly isInRing: boolean;
  }[];
}

export function copyRing(view: Pick<View, "self" | "members">, replicas: number): RingCopy {
  // Whoever was only named has no points yet.
  const members = [...view.members()].filter(({ capacity }) => capacity > 0);
  return {
    ...{ self: view.self.id, replicas },
    members: members.map(({ place, capacity, isInRing }) => ({ id: place.id, capacity, isInRing })),
  };
}

export class CopiedRing implements OwnersView {
  readonly self: { readonly id: AgentId };
  readonly #ring: Ring;
  readonly #inRing: ReadonlySet<AgentId>;

  /** `before` is an earlier copy, most points of which are the same. */
  constructor({ self, replicas, members }: RingCopy, before: CopiedRing | null = null) {
    this.self = { id: self };
    this.#inRing = new Set(members.filter(({ isInRing }) => isInRing).map(({ id }) => id));
    this.#ring = members.reduce(
      (ring, { id, capacity }) => ring.with({ id, capacity }),
      before === null ? Ring.of([], replicas) : before.#ring,
    );
  }

  isOwn(host: string): boolean {
    return this.#ring.ownerOf(host as never, (id) => this.#inRing.has(id)) === this.self.id;
  }

  /** Whether the host is that of another agent in the ring. */
  isOthers(host: string): boolean {
    const owner = this.#ring.ownerOf(host as never, (id) => this.#inRing.has(id));
    return owner !== null && owner !== this.self.id;
  }

  ownerWith(key: RingKey, others: ReadonlySet<AgentId>): AgentId | null {
    return this.#ring.ownerOf(key, (id) => this.#inRing.has(id) || others.has(id));
  }

  ownerAmong(key: RingKey, isIn: IsIn): AgentId | null {
    return this.#ring.ownerOf(key, isIn);
  }
}
