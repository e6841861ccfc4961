/**
 * Start, restart and rejoin are one thing (B1): an agent listens, then asks everybody who is there to
 * hand over what it owns, and is active only when all of them have. So nobody else visits its hosts any
 * more when it begins to.
 *
 * Nobody waits for the dead: they own their hosts until they are given up. A disk that has never taken
 * part in the crawl waits for somebody whose disk has, however long that takes, or it would begin the
 * crawl anew and find it finished.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import { type Place, placeText, type Sender } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import type { Majority } from "../majority.ts";
import type { RingRow, SeedCount, SyncReply } from "../membership-messages.ts";
import type { RingChanges } from "../ring-changes.ts";
import { SyncRound } from "./sync-round.ts";

export interface JoinBarrierParts {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly majority: Majority;
  readonly nextNumber: () => number;
  /** Whether these seeds are held here; if not, that they are asked for. */
  readonly hasSeeds: (seeds: readonly SeedCount[], from: Place) => boolean;
  /** Everybody has answered. */
  readonly joined: () => void;
}

export class JoinBarrier {
  readonly #parts: JoinBarrierParts;
  readonly #core: Core;
  #round: SyncRound | null = null;
  #replies = new Map<string, { readonly from: Place; readonly reply: SyncReply }>();
  #beganAtMs = 0;
  #roundAtMs = 0;
  #hasToldWaiting = false;

  constructor(parts: JoinBarrierParts) {
    this.#parts = parts;
    this.#core = parts.core;
  }

  /** Begins anew, for a new incarnation. */
  begin(): void {
    this.#beganAtMs = this.#core.clock.nowMs();
    this.#replies.clear();
    this.#ask();
  }

  #ask(): void {
    this.#round?.close();
    this.#roundAtMs = this.#core.clock.nowMs();
    const question = { number: this.#parts.nextNumber(), isJoin: true, givenUp: [] };
    this.#round = new SyncRound(this.#core, question, (from, reply) => this.#answered(from, reply));
  }

  tick(): void {
    const { clock, times, detector } = this.#core;
    const nowMs = clock.nowMs();
    const round = this.#round;
    if (round === null || nowMs - this.#beganAtMs < times.listenMs) return;
    const others = detector.present(nowMs).map(({ place }) => place);
    round.ask(others);
    if (!others.every((place) => round.has(place))) this.#tellWaiting(nowMs);
    else if (this.#isReady()) {
      round.close();
      this.#round = null;
      this.#parts.joined();
    } else {
      this.#tellWaiting(nowMs);
      // Those who have answered may be established, or active, by now.
      if (nowMs - this.#roundAtMs > times.listenMs) this.#ask();
    }
  }

  #isReady(): boolean {
    const replies = [...this.#replies.values()];
    this.#establish();
    // All are asked for seeds that are missing, not only the first.
    const lacking = replies.filter(({ from, reply }) => !this.#parts.hasSeeds(reply.seeds, from));
    if (lacking.length > 0 || !this.#core.life.isEstablished) return false;
    const byId = new Map(replies.map(({ from, reply }) => [from.id, reply]));
    return this.#parts.majority.allowsToJoin(byId);
  }

  #answered({ place }: Sender, reply: SyncReply): void {
    const entry = this.#core.table.at(place);
    if (entry !== undefined && reply.isSeated) entry.seat = "taken";
    this.#replies.set(placeText(place), { from: place, reply });
    for (const row of reply.ring) this.#adopt(row);
    this.#establish();
  }

  /** Once it holds the seeds of somebody who is established, this disk is. */
  #establish(): void {
    const { life, file } = this.#core;
    if (life.isEstablished) return;
    for (const { from, reply } of this.#replies.values()) {
      if (!reply.isEstablished || !this.#parts.hasSeeds(reply.seeds, from)) continue;
      life.isEstablished = true;
      file.changed();
    }
  }

  /** Members that were not heard are ring members too: they may be dead, and not given up. */
  #adopt({ place, incarnation, capacity, isSeated }: RingRow): void {
    const { life, table, clock, file } = this.#core;
    this.#parts.changes.named(place);
    if (place.id === life.id) return;
    const entry = table.get(place.id) ?? table.add(place, clock.nowMs());
    const isLater = place.generation === entry.generation && incarnation >= entry.incarnation;
    if (!isLater || (entry.hasLeft && incarnation === entry.incarnation)) return;
    if (incarnation > entry.incarnation) entry.state = "active";
    entry.incarnation = incarnation;
    if (entry.capacity === 0) entry.capacity = capacity;
    entry.isOnProbation = false;
    if (entry.state === "leaving") return;
    if (isSeated) entry.seat = "taken";
    if (entry.isInRing) file.changed();
    else this.#parts.changes.admit(entry);
  }

  #tellWaiting(nowMs: number): void {
    const { life, listener, settings } = this.#core;
    if (life.isEstablished) this.#hasToldWaiting = false;
    else if (!this.#hasToldWaiting && nowMs - this.#beganAtMs > settings.deadAfterMs) {
      this.#hasToldWaiting = true;
      listener.trouble(waiting());
    }
  }
}

function waiting(): CrawlError {
  return new CrawlError(
    "CLUSTER_WAITING",
    "This agent has an empty disk, and finds nobody who has taken part in the crawl. It waits. " +
      "Start an agent that has its crawl directory.",
  );
}
