/**
 * With `partition: fence` only one side of a partition goes on: an agent fetches, and gives others up,
 * only while more than half of the cluster is with it (P2).
 *
 * - What is halved are *seats*: members of the ring that may have been active. An agent is granted one
 *   by each that answers its request to join. It takes it when it is active, which it becomes only when
 *   a majority of those that have taken theirs has answered. Seats that were only granted never help to
 *   make a majority: so newcomers that joined one side of a partition do not. All seats are counted that
 *   somebody who is heard knows of.
 * - A heartbeat says which beat of every seat its sender has heard last. Only who has heard a beat that
 *   was sent a short time ago supports its sender: it will not give that up before it is dead. That a
 *   message has come proves nothing, since it may be late.
 * - A place is given up only if a majority has missed it until it was dead. Such a majority and one that
 *   supports the place have an agent in common.
 */
import type { AgentId } from "../../base/transport/index.ts";
import { type Place, placeText } from "../messages/index.ts";
import type { Core } from "./core.ts";
import type { MemberEntry } from "./member-table.ts";
import type { Beat, Seat, SyncReply } from "./membership-messages.ts";

export class Majority {
  readonly #core: Core;
  /** When the beats of this life were sent, as long as that matters, by number. */
  readonly #sentAtMs = new Map<number, number>();
  #beats = 0;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The number of the beat that is about to be sent. */
  nextBeat(): number {
    const nowMs = this.#core.clock.nowMs();
    for (const [number, sentAtMs] of this.#sentAtMs) {
      if (sentAtMs < nowMs - this.#core.times.majorityMs) this.#sentAtMs.delete(number);
    }
    this.#beats += 1;
    this.#sentAtMs.set(this.#beats, nowMs);
    return this.#beats;
  }

  /** Another life has begun: what others have heard of the one before does not count. */
  beginLife(): void {
    this.#beats = 0;
    this.#sentAtMs.clear();
  }

  /** For heartbeats: who has a seat by the own view. */
  get seats(): readonly Seat[] {
    if (!this.#isFenced) return [];
    return [...this.#ownSeats()].map((id) => ({ id, heard: this.#core.table.get(id)?.beat ?? 0 }));
  }

  /** A beat has come that is not older than those before it. */
  heard(entry: MemberEntry, beat: Beat): void {
    const { deadAfterMs } = this.#core.settings;
    const dead = beat.missing.filter(({ silentMs }) => silentMs > deadAfterMs);
    entry.beat = beat.number;
    entry.seats = new Map(beat.seats.map(({ id, heard }) => [id, heard]));
    entry.dead = new Set(dead.map(({ place }) => placeText(place)));
  }

  /** Whether this agent may fetch. */
  get isWithUs(): boolean {
    if (!this.#isFenced) return true;
    const { life } = this.#core;
    return this.#isMajority((id, entry) => id === life.id || this.#supports(entry));
  }

  /** Whether this place, which is overdue, may be given up. */
  maySacrifice(place: Place): boolean {
    if (!this.#isFenced) return true;
    if (!this.isWithUs) return false;
    const { life } = this.#core;
    const text = placeText(place);
    // Some may have given it up already.
    const agrees = ({ seat, dead, seats }: MemberEntry): boolean =>
      seat === "taken" && (dead.has(text) || !seats.has(place.id));
    return this.#isMajority((id, entry) => {
      return id === life.id || (entry !== undefined && agrees(entry));
    });
  }

  /** Whether these answers, by the agents that gave them, are enough to become active. */
  allowsToJoin(replies: ReadonlyMap<AgentId, SyncReply>): boolean {
    if (!this.#isFenced) return true;
    const { life, table } = this.#core;
    const taken = new Set(life.isSeated ? [life.id] : []);
    for (const { id, isInRing, seat } of table.entries()) {
      if (isInRing && seat === "taken") taken.add(id);
    }
    for (const [id, { isSeated, ring }] of replies) {
      if (isSeated) taken.add(id);
      for (const row of ring) if (row.isSeated && row.place.id !== life.id) taken.add(row.place.id);
    }
    const agreed = [...taken].filter((id) => id === life.id || replies.has(id));
    // If none is left, all who ever had one have lost their disks.
    return taken.size === 0 || 2 * agreed.length > taken.size;
  }

  get #isFenced(): boolean {
    return this.#core.settings.partition === "fence";
  }

  /** Whether more than half of all seats that are known of count. */
  #isMajority(counts: (id: AgentId, entry: MemberEntry | undefined) => boolean): boolean {
    const { table, clock, times } = this.#core;
    const sinceMs = clock.nowMs() - times.majorityMs;
    const seats = this.#ownSeats();
    for (const entry of table.entries()) {
      if (!entry.isInRing || entry.heardAtMs < sinceMs) continue;
      for (const id of entry.seats.keys()) seats.add(id);
    }
    const some = [...seats].filter((id) => counts(id, table.get(id)));
    return 2 * some.length > seats.size;
  }

  /** Whether it has heard this agent a short time ago, and has it in its ring. */
  #supports(entry: MemberEntry | undefined): boolean {
    const { life, clock, times } = this.#core;
    const sentAtMs = this.#sentAtMs.get(entry?.seats.get(life.id) ?? 0);
    if (entry?.seat !== "taken" || !entry.isInRing || sentAtMs === undefined) return false;
    return sentAtMs >= clock.nowMs() - times.majorityMs;
  }

  #ownSeats(): Set<AgentId> {
    const { life, table } = this.#core;
    const seated = table.entries().filter(({ isInRing, seat }) => isInRing && seat !== "none");
    const ids = new Set(seated.map(({ id }) => id));
    return life.isInRing && life.isSeated ? ids.add(life.id) : ids;
  }
}
