/**
 * The assignment of hosts and addresses to agents. For each key the ring has a fixed order of all
 * agents; a view only strikes agents out, and the first that is left is the owner. Two agents with
 * different views therefore never disagree about the order of the agents that both know, and an
 * agent that comes or goes moves only the keys that become or were its own (UbiCrawler's
 * contravariance).
 *
 * Invariant: a ring is a function of the set of its members, whatever the order in which they came.
 * It never changes, so what was computed from one may be kept as long as that very ring is in use.
 */
import assert from "node:assert/strict";
import type { AgentId } from "../../base/transport/index.ts";
import { agentPoints } from "./agent-points.ts";
import { type Circle, circleOf, joined, joinedAll, type Points, withoutAgent } from "./circle.ts";
import { agentsOutward, nearestAgent, type Place } from "./nearest-agent.ts";
import { placeOf, type RingKey } from "./ring-key.ts";

/** Both are fixed for the life of a crawl: another capacity is another agent, with another id. */
export interface RingMember {
  readonly id: AgentId;
  /** The share of hosts, relative to other members; positive. */
  readonly capacity: number;
}

/** Whether a view has this agent. */
export type IsIn = (id: AgentId) => boolean;

/** As many as the largest capacity and number of replicas that the configuration takes. */
const POINTS_MAX = 10_000_000;

/** The place of the key that is being looked up. */
const asked: Place = new Uint32Array(2);

export class Ring {
  /** Points for each unit of capacity; the same in all rings of a crawl. */
  readonly replicas: number;
  /** The capacity of each member, by id. */
  readonly members: ReadonlyMap<AgentId, number>;
  /** Where the points lie; for this module. */
  readonly circle: Circle;

  private constructor(replicas: number, members: ReadonlyMap<AgentId, number>, points: Points) {
    this.replicas = replicas;
    this.members = members;
    this.circle = circleOf(points);
  }

  /** The ring of these members, of which no two have the same id. */
  static of(members: Iterable<RingMember>, replicas: number): Ring {
    const list = [...members];
    const points = joinedAll(list.map((member) => pointsOf(member, replicas)));
    return new Ring(replicas, new Map(list.map(({ id, capacity }) => [id, capacity])), points);
  }

  /** This ring and one more member; itself if it has that member already. */
  with(member: RingMember): Ring {
    const { id, capacity } = member;
    const known = this.members.get(id);
    assert(known === undefined || known === capacity, "the capacity of an agent never changes");
    if (known !== undefined) return this;
    const points = joined(this.circle, pointsOf(member, this.replicas));
    return new Ring(this.replicas, new Map(this.members).set(id, capacity), points);
  }

  /** This ring less one member; itself if it has no such member. */
  without(id: AgentId): Ring {
    if (!this.members.has(id)) return this;
    const members = new Map(this.members);
    members.delete(id);
    return new Ring(this.replicas, members, withoutAgent(this.circle, id));
  }

  /**
   * The first agent of the key's order that the view has; null if it has none of the members.
   * Without a view all members count. Allocates nothing while the view has the very first.
   */
  ownerOf(key: RingKey, isIn?: IsIn): AgentId | null {
    const { circle } = this;
    if (circle.ids.length === 0) return null;
    placeOf(key, asked);
    const nearest = circle.ids[nearestAgent(circle, asked)] as AgentId;
    if (isIn === undefined || isIn(nearest)) return nearest;
    for (const id of this.orderOf(key)) if (isIn(id)) return id;
    return null;
  }

  /** All members in the order of the key, found one by one as they are asked for. */
  *orderOf(key: RingKey): Generator<AgentId, void> {
    const place = new Uint32Array(2);
    placeOf(key, place);
    for (const agent of agentsOutward(this.circle, place)) yield this.circle.ids[agent] as AgentId;
  }

  /** Whether `one` comes before `other` in the order of the key; both are members. */
  precedes(key: RingKey, one: AgentId, other: AgentId): boolean {
    assert(this.members.has(one) && this.members.has(other), "both agents are in the ring");
    return one !== other && this.ownerOf(key, (id) => id === one || id === other) === one;
  }
}

function pointsOf({ id, capacity }: RingMember, replicas: number): Points {
  assert(capacity > 0, "a capacity is positive");
  const count = Math.max(1, Math.round(replicas * capacity));
  assert(count <= POINTS_MAX, "an agent has at most ten million points");
  return agentPoints(id, count);
}
