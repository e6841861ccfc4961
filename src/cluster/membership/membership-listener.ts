/**
 * What membership tells the agent around it, and what it shows. Custody does the work that goes with
 * it: it hands URLs over, gives up what others were trusted with, and withholds hosts.
 *
 * Calls come one at a time, and never inside a call of the listener's own to membership, except that
 * `addSeeds`, `mention` and the like may lead to calls at once. Whoever is called may call membership.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import type { Place } from "../messages/index.ts";
import type { IsIn, RingKey } from "../ring/index.ts";
import type { SharedConfiguration } from "./shared/shared-configuration.ts";
import type { Standing } from "./view/failure-detector.ts";
import type { MemberState } from "./view/member-table.ts";

/** An agent as another one, or itself, sees it. */
export interface Member {
  readonly place: Place;
  readonly incarnation: number;
  /** 0 if it was only named and never heard. */
  readonly capacity: number;
  readonly state: MemberState;
  readonly standing: Standing;
  /** How long it has not been heard, in milliseconds; infinite if never; 0 for this agent. */
  readonly silentMs: number;
  readonly isInRing: boolean;
  readonly isFull: boolean;
  /** It has ended with the crawl, and nothing has come since that would be work for it (T2). */
  readonly hasEnded: boolean;
}

/** How one agent sees the cluster now. The object stays the same; `version` grows with each change. */
export interface View {
  readonly version: number;
  readonly self: Place;
  /** Equal at two agents that agree on the ring, on the lives of its members, and on the seeds (T1). */
  readonly hash: string;
  /** How many places were named by others and not heard yet; while there are any, nothing ends (G3). */
  readonly onProbation: number;
  /** All known agents, the own one first. */
  members(): Iterable<Member>;
  /** The first agent in the order of the key that is in the ring; null if the ring is empty. */
  ownerOf(key: RingKey): AgentId | null;
  /** The same if these agents were in the ring as well: who owned a key before they were given up. */
  ownerWith(key: RingKey, others: ReadonlySet<AgentId>): AgentId | null;
  /** The first agent in the order of the key for which this holds, whoever is in the ring. */
  ownerAmong(key: RingKey, isIn: IsIn): AgentId | null;
  /** The part of all keys that each agent in the ring owns, if they are many; together 1. */
  shares(): ReadonlyMap<AgentId, number>;
  /** Whether `one` comes before `other` in the order of the key, whoever is in the ring. */
  precedes(key: RingKey, one: AgentId, other: AgentId): boolean;
  /** The latest place of the agent; null for one that is not known. */
  placeOf(id: AgentId): Place | null;
  /** Whether messages to the place make sense: it is known, neither given up, nor suspected, nor dead. */
  isAlive(place: Place): boolean;
  isGivenUp(place: Place): boolean;
  isKnown(place: Place): boolean;
  /** Whether the place has ended with the crawl, and nothing has come since that would be work for it (T2). */
  hasEnded(place: Place): boolean;
}

/** Members that are dead and have not handed over, and the ring in which hosts were theirs. */
export interface Absence {
  readonly places: readonly Place[];
  readonly ring: readonly AgentId[];
}

export interface Told {
  readonly entries: number;
  readonly isTaken: boolean;
}

/** Why fetching is not allowed. */
export type Deactivation = "joining" | "fenced" | "leaving" | "left";

export interface MembershipListener {
  /** Whether a text of a configuration can be read here; one that cannot is not taken from others. */
  understands(text: string): boolean;
  /** The configuration is known, before anything else is told, or has changed. */
  configured(configuration: SharedConfiguration): void;
  /** The ring, or the standing of a member, is another. */
  viewChanged(view: View): void;
  /**
   * G1 is to be applied: nothing that this place was trusted with counts any more. Told again after a
   * restart, and when a claim has named a place that was given up before.
   */
  gaveUp(place: Place): void;
  /**
   * G5: a place that was given up is in the ring again; it is to announce what it has. Told again after a
   * restart, until `announced` is called.
   */
  returned(place: Place): void;
  /** B2: hand over what `to` owns by now; call `done` when `to` has acknowledged all of it. */
  handOver(to: Place, done: () => void): void;
  /** B3: hosts that were owned by one of these places, and are now ours, are withheld. */
  takeover(places: readonly Place[]): void;
  /** B3: they need not be withheld any more. */
  takeoverOver(): void;
  /** B1: hosts that those places owned in those rings, and that are ours, are withheld; if there are any. */
  absent(absences: readonly Absence[]): void;
  /** Fetching is allowed from now on. */
  activated(): void;
  /** Fetching is not allowed from now on. */
  deactivated(why: Deactivation): void;
  /** L1: hand everything over to others; call `done` when all of it has been acknowledged. */
  handOverAll(done: () => void): void;
  /**
   * Seeds that are durable here, to be offered as if found. `upTo` is where they end in the book of
   * seeds; after a restart they are told again from `MembershipParts.seedsFrom` on.
   */
  seedsArrived(seeds: readonly string[], upTo: number): void;
  /** M8: how long the crawl has run, as far as is known here; asked for whoever joins. */
  elapsedMs(): number;
  /** M8: another agent has said so. All who are there have, before `activated`. */
  ranFor(elapsedMs: number): void;
  /**
   * How many entries this place was ever told, and whether it has acknowledged all of them; null while that is
   * not known.
   */
  toldTo(place: Place): Told | null;
  /** All who are known have ended, before this agent, whose disk is empty, could join (T2). Told again. */
  cameTooLate(): void;
  /** Something that a person should know of. */
  trouble(error: CrawlError): void;
  /** This agent cannot be a member, and is closed: its id is in use, or what it knew is damaged. */
  refused(error: CrawlError): void;
}
