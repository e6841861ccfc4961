/**
 * Everything that an agent knows of the others: one entry for each id, about the latest generation that
 * was seen or named. Part of an entry is durable (`MemberRow`); so an agent that starts again misses
 * those that it knew before, and does not take messages of lives that are over (G2). The rest is what
 * was heard in this life.
 *
 * An earlier generation than that of the entry is always given up: its disk is lost.
 */
import type { AgentId } from "../../../base/transport/index.ts";
import { type Place, placeText } from "../../messages/index.ts";
import type { Moment } from "../life/moment.ts";
import type { ConfigurationVersion } from "../shared/shared-configuration.ts";

/** What an agent says about itself. */
export type MemberState = "joining" | "active" | "leaving";

export const MEMBER_STATES: readonly MemberState[] = ["joining", "active", "leaving"];

/** What is durable of an entry. */
export interface MemberRow {
  readonly id: AgentId;
  /** 0 until it is known. */
  readonly capacity: number;
  readonly generation: number;
  readonly incarnation: number;
  readonly isInRing: boolean;
  readonly isGivenUp: boolean;
  /** This agent votes for giving its present life up, for good (P2). */
  readonly isCondemned: boolean;
  /** It was given up, and has not announced since what it holds (G5). */
  readonly isToAnnounce: boolean;
  /**
   * What it knew when it ended with the crawl, in the incarnation that is known (T2); null if it has not. Left
   * out by earlier versions.
   */
  readonly endedWith?: string | null;
  /** How many entries it had been told then, and had all of; null if it had not all. */
  readonly toldAtEnd?: number | null;
}

const NEVER = Number.NEGATIVE_INFINITY;

export class MemberEntry implements MemberRow {
  readonly id: AgentId;
  capacity: number;
  generation: number;
  incarnation: number;
  isInRing: boolean;
  isGivenUp: boolean;
  isCondemned: boolean;
  isToAnnounce: boolean;
  endedWith: string | null;
  toldAtEnd: number | null;
  /** It has said so to this process. */
  saidEnd = false;
  state: MemberState = "active";
  isFull = false;
  /** Named by somebody, and not heard since (G3). */
  isOnProbation = false;
  /** It has handed everything over and said so, in the incarnation that is known (L1). */
  hasLeft = false;
  /** When it was last heard directly, in this life. */
  heardAtMs: number = NEVER;
  /** Since when its silence is counted: later than `heardAtMs` if silence was no fault of its own. */
  silentSinceMs: number;
  /** Somebody else has given it up, and it was not heard since (B3). */
  isTakenOver = false;
  /** Somebody else hears it, as far as is known until then (G6). */
  vouchedUntilMs: number = NEVER;
  /** The number of its last beat; 0 if none of its present life was heard. */
  beat = 0;
  /** It has a vote, and its disk knows how it has voted (P2). */
  isVoter = false;
  /** The lives that it votes for giving up: the incarnation of each place (P2). */
  condemned: ReadonlyMap<string, number> = new Map();
  /** When that beat of this agent was sent that it has heard, and so supports this agent (P2). */
  supportsSince: Moment | null = null;
  seedsHash = "";
  configuration: ConfigurationVersion = { number: 0, by: "" };

  constructor(row: MemberRow, nowMs: number) {
    this.id = row.id;
    this.capacity = row.capacity;
    this.generation = row.generation;
    this.incarnation = row.incarnation;
    this.isInRing = row.isInRing;
    this.isGivenUp = row.isGivenUp;
    this.isCondemned = row.isCondemned;
    this.isToAnnounce = row.isToAnnounce;
    this.endedWith = row.endedWith ?? null;
    this.toldAtEnd = row.toldAtEnd ?? null;
    // Who was given up is silent until it is heard; everybody else gets the benefit of the doubt (G2).
    this.silentSinceMs = row.isGivenUp ? NEVER : nowMs;
  }

  get place(): Place {
    return { id: this.id, generation: this.generation };
  }

  /** Whether it was heard in this life. */
  get wasHeard(): boolean {
    return this.heardAtMs !== NEVER;
  }

  get row(): MemberRow {
    const { id, capacity, generation, incarnation } = this;
    const { isInRing, isGivenUp, isCondemned, isToAnnounce, endedWith, toldAtEnd } = this;
    const about = { isInRing, isGivenUp, isCondemned, isToAnnounce, endedWith, toldAtEnd };
    return { id, capacity, generation, incarnation, ...about };
  }

  /** Another life of it has begun, or is known of: it takes part again. */
  goesOn(): void {
    this.endedWith = null;
    this.toldAtEnd = null;
    this.saidEnd = false;
  }

  /** It is another disk from now on, of which nothing is known but that somebody has named it. */
  becomes(generation: number, nowMs: number): void {
    this.generation = generation;
    this.incarnation = 0;
    this.isInRing = false;
    this.isGivenUp = false;
    this.isCondemned = false;
    this.isToAnnounce = false;
    this.goesOn();
    this.state = "joining";
    this.isFull = false;
    this.isOnProbation = true;
    this.hasLeft = false;
    this.heardAtMs = NEVER;
    this.silentSinceMs = nowMs;
    this.isTakenOver = false;
    this.vouchedUntilMs = NEVER;
    this.beat = 0;
    this.isVoter = false;
    this.condemned = new Map();
    this.supportsSince = null;
  }
}

/**
 * How many others are known at most. Heartbeats and answers name all of them, and must fit into a
 * message; a cluster has half as many agents.
 */
export const MEMBERS_MAX = 2048;

export class MemberTable {
  readonly #entries = new Map<AgentId, MemberEntry>();

  /** Takes over what the disk knows; their silence is counted from now on (G2). */
  restore(rows: Iterable<MemberRow>, nowMs: number): void {
    for (const row of rows) this.#entries.set(row.id, new MemberEntry(row, nowMs));
  }

  get(id: AgentId): MemberEntry | undefined {
    return this.#entries.get(id);
  }

  /** The entry that is about exactly this place. */
  at(place: Place): MemberEntry | undefined {
    const entry = this.#entries.get(place.id);
    return entry?.generation === place.generation ? entry : undefined;
  }

  /** All of them, as a list of its own: entries may come while it is walked through. */
  entries(): MemberEntry[] {
    return [...this.#entries.values()];
  }

  /** Whether nobody can be added: agents that nobody has started are being named. */
  get isFull(): boolean {
    return this.#entries.size >= MEMBERS_MAX;
  }

  /** A new entry for a place of an agent that has none; there is room for it. */
  add({ id, generation }: Place, nowMs: number): MemberEntry {
    const row = { id, generation, capacity: 0, incarnation: 0 };
    const nothing = { isInRing: false, isGivenUp: false, isCondemned: false };
    const entry = new MemberEntry({ ...row, ...nothing, isToAnnounce: false }, nowMs);
    entry.state = "joining";
    entry.isOnProbation = true;
    this.#entries.set(id, entry);
    return entry;
  }

  /** Silence is counted from now on: this agent was not there to hear anything (B5). */
  forgive(nowMs: number): void {
    for (const entry of this.#entries.values()) {
      if (!entry.isGivenUp) entry.silentSinceMs = nowMs;
    }
  }

  rows(): MemberRow[] {
    return this.entries().map((entry) => entry.row);
  }

  /** For reports. */
  describe(): string {
    return this.entries()
      .map((entry) => {
        const ring = entry.isInRing ? "in" : "out";
        return `${placeText(entry.place)}/${entry.incarnation} ${ring}${entry.isGivenUp ? " given up" : ""}`;
      })
      .join(", ");
  }
}
