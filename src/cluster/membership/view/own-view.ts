/**
 * The view of this agent: who is in the ring, and how they seem to be. Points of agents that were ever
 * heard stay on the circle; being in the ring or not only strikes agents out, so the order of agents for
 * a key is the same at all agents and at all times.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../../base/seams/index.ts";
import type { AgentId } from "../../../base/transport/index.ts";
import { type Place, placeText, samePlace } from "../../messages/index.ts";
import { arcShares, type IsIn, Ring, type RingKey } from "../../ring/index.ts";
import type { OwnLife } from "../life/own-life.ts";
import type { Member, View } from "../membership-listener.ts";
import type { FailureDetector } from "./failure-detector.ts";
import type { MemberEntry, MemberTable } from "./member-table.ts";

export interface OwnViewParts {
  readonly clock: Clock;
  readonly life: OwnLife;
  readonly table: MemberTable;
  readonly detector: FailureDetector;
  readonly replicas: number;
  /** Stands for the seeds that are held here. */
  readonly seedsHash: () => string;
}

export class OwnView implements View {
  readonly #parts: OwnViewParts;
  #ring: Ring;
  #version = 0;
  /** What the hash was computed from, and the hash. */
  #hashed: { readonly version: number; readonly seedsHash: string; readonly hash: string } | null =
    null;

  #ringHashed: { readonly version: number; readonly hash: string } | null = null;

  constructor(parts: OwnViewParts) {
    const { life, replicas } = parts;
    this.#parts = parts;
    this.#ring = Ring.of([life], replicas);
  }

  get version(): number {
    return this.#version;
  }

  get self(): Place {
    return this.#parts.life.place;
  }

  get hash(): string {
    const version = this.#version;
    const seedsHash = this.#parts.seedsHash();
    if (this.#hashed?.version !== version || this.#hashed.seedsHash !== seedsHash) {
      this.#hashed = { version, seedsHash, hash: this.#digest(seedsHash) };
    }
    return this.#hashed.hash;
  }

  /** Equal at two agents that have the same places in their rings (P2). */
  get ringHash(): string {
    if (this.#ringHashed?.version !== this.#version) {
      const { life, table } = this.#parts;
      const members = [life, ...table.entries()].filter(({ isInRing }) => isInRing);
      const lines = members.map(({ place }) => `${placeText(place)}\n`);
      this.#ringHashed = { version: this.#version, hash: digest(lines.sort().join("")) };
    }
    return this.#ringHashed.hash;
  }

  get onProbation(): number {
    return this.#parts.table.entries().filter(({ isOnProbation }) => isOnProbation).length;
  }

  /** Something of it is another. */
  changed(): void {
    for (const { id, capacity } of this.#parts.table.entries()) {
      if (capacity > 0) this.#ring = this.#ring.with({ id, capacity });
    }
    this.#version += 1;
  }

  *members(): Generator<Member> {
    const { life, table } = this.#parts;
    const { place, incarnation, capacity, memberState: state, isInRing, isFull } = life;
    const standing = "alive";
    const own = { place, incarnation, capacity, state, standing, isInRing, isFull } as const;
    yield { ...own, silentMs: 0, hasEnded: false };
    for (const entry of table.entries()) yield this.#member(entry);
  }

  ownerOf(key: RingKey): AgentId | null {
    return this.#ring.ownerOf(key, this.#isIn);
  }

  ownerWith(key: RingKey, others: ReadonlySet<AgentId>): AgentId | null {
    return this.#ring.ownerOf(key, (id) => this.#isIn(id) || others.has(id));
  }

  ownerAmong(key: RingKey, isIn: IsIn): AgentId | null {
    return this.#ring.ownerOf(key, isIn);
  }

  shares(): ReadonlyMap<AgentId, number> {
    return arcShares(this.#ring, this.#isIn);
  }

  precedes(key: RingKey, one: AgentId, other: AgentId): boolean {
    return this.#ring.precedes(key, one, other);
  }

  placeOf(id: AgentId): Place | null {
    const { life, table } = this.#parts;
    return id === life.id ? life.place : (table.get(id)?.place ?? null);
  }

  isAlive(place: Place): boolean {
    const { life, table, detector, clock } = this.#parts;
    if (place.id === life.id) return samePlace(place, life.place);
    const entry = table.at(place);
    return entry !== undefined && detector.standingOf(entry, clock.nowMs()) === "alive";
  }

  isGivenUp(place: Place): boolean {
    const { life, table } = this.#parts;
    if (place.id === life.id) return place.generation < life.generation;
    const entry = table.get(place.id);
    if (entry === undefined) return false;
    return place.generation < entry.generation || (table.at(place)?.isGivenUp ?? false);
  }

  isKnown(place: Place): boolean {
    const { life, table } = this.#parts;
    return samePlace(place, life.place) || table.at(place) !== undefined;
  }

  hasEnded(place: Place): boolean {
    const { table, detector, clock } = this.#parts;
    const entry = table.at(place);
    return entry !== undefined && detector.hasEnded(entry, clock.nowMs());
  }

  readonly #isIn = (id: AgentId): boolean => {
    const { life, table } = this.#parts;
    return id === life.id ? life.isInRing : (table.get(id)?.isInRing ?? false);
  };

  #digest(seedsHash: string): string {
    const { life, table } = this.#parts;
    const members = [life, ...table.entries()].filter(({ isInRing }) => isInRing);
    const lines = members.map(({ place, incarnation }) => `${placeText(place)}/${incarnation}\n`);
    return digest(`${lines.sort().join("")}${seedsHash}`);
  }

  #member(entry: MemberEntry): Member {
    const { place, incarnation, capacity, state, isInRing, isFull } = entry;
    const nowMs = this.#parts.clock.nowMs();
    const standing = this.#parts.detector.standingOf(entry, nowMs);
    const hasEnded = this.#parts.detector.hasEnded(entry, nowMs);
    const silentMs = nowMs - entry.silentSinceMs;
    return { place, incarnation, capacity, state, standing, silentMs, isInRing, isFull, hasEnded };
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
