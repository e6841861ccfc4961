/**
 * What this agent is at present: its place, the life of it, and what it is doing.
 *
 *     asking ──► raising ──► joining ──► active ──► leaving ──► left
 *       ▲           ▲           │          │           │
 *       │           └───────────┴──────────┴───────────┘   told to join again, or was asleep
 *       └── told of a later life of its id
 *
 * While it is *asking* whether its id is in use (B0) and *raising* its incarnation, which must be durable
 * before anything is said (D1), it is silent.
 */
import type { AgentId } from "../../../base/transport/index.ts";
import type { Place, Sender } from "../../messages/index.ts";
import type { ClusterState } from "../cluster-state.ts";
import type { ClusterConfiguration } from "../shared/shared-configuration.ts";
import type { MemberRow, MemberState } from "../view/member-table.ts";

export type OwnState = "asking" | "raising" | MemberState | "left" | "closed";

export class OwnLife {
  readonly id: AgentId;
  readonly capacity: number;
  /** 0 until it is drawn. */
  generation = 0;
  incarnation = 0;
  state: OwnState = "asking";
  isEstablished = false;
  isFounder = false;
  isSeated = false;
  isFull = false;
  configuration: ClusterConfiguration | null = null;

  constructor(id: AgentId, capacity: number) {
    this.id = id;
    this.capacity = capacity;
  }

  get place(): Place {
    return { id: this.id, generation: this.generation };
  }

  get crawl(): string {
    return this.configuration?.crawl ?? "";
  }

  get sender(): Sender {
    const { crawl, place, incarnation, capacity } = this;
    return { crawl, place, incarnation, capacity };
  }

  /** Whether it takes part: it speaks, and listens to everything. */
  get isPresent(): boolean {
    return this.state === "joining" || this.state === "active" || this.state === "leaving";
  }

  /** What it says of itself. */
  get memberState(): MemberState {
    return this.state === "active" || this.state === "leaving" ? this.state : "joining";
  }

  /** Whether it owns hosts by its own view. */
  get isInRing(): boolean {
    return this.state !== "leaving" && this.state !== "left";
  }

  /** Whether there was a later life of this place, or of the agent, than this one. */
  isBefore(generation: number, incarnation: number): boolean {
    if (generation !== this.generation) return generation > this.generation;
    return incarnation > this.incarnation;
  }

  restore(state: ClusterState): void {
    this.generation = state.generation;
    this.incarnation = state.incarnation;
    this.isEstablished = state.isEstablished;
    this.isFounder = state.isFounder;
    this.isSeated = state.isSeated;
    this.configuration = state.configuration;
  }

  /** What is to be durable; there is a configuration by then. */
  durable(members: readonly MemberRow[]): ClusterState {
    const { generation, incarnation, isEstablished, isFounder, isSeated, configuration } = this;
    if (configuration === null) throw new Error("nothing is kept of an unknown crawl");
    return {
      ...{ generation, incarnation, isEstablished, isFounder, isSeated, configuration, members },
    };
  }
}
