/**
 * Start, restart and rejoin are one thing (B1): an agent listens, then asks everybody who is there to
 * hand over what it owns, and is active only when all of them have. So nobody else visits its hosts any
 * more when it begins to.
 *
 * If others were joining themselves when they answered, all are asked a second time. Those may have been
 * handed hosts since, by somebody who did not know yet of this agent, that are this agent's; by the time
 * when everybody has answered once everybody knows it, and what was sent elsewhere is passed on to it.
 *
 * A member that speaks another version of the messages may be visiting hosts, and cannot be asked: it is
 * waited for until it is silent, or of this version too.
 *
 * Nobody waits for the dead: they own their hosts until they are given up, and those that were theirs
 * without this agent stay withheld (`absentees.ts`). A disk that has never taken
 * part in the crawl waits for somebody whose disk has, however long that takes, or it would begin the
 * crawl anew and find it finished.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import { type Place, placeText, type Sender, samePlace } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import { endedBefore, unbegun, unestablished, unfounded } from "../life/waiting.ts";
import type { Electorate } from "../majority/electorate.ts";
import type { Majority } from "../majority/majority.ts";
import type { Absence } from "../membership-listener.ts";
import type { RingRow, SeedCount, SyncReply } from "../membership-messages.ts";
import type { OtherVersions } from "../view/other-versions.ts";
import type { RingChanges } from "../view/ring-changes.ts";
import { SyncRound } from "./sync-round.ts";

export interface JoinBarrierParts {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly majority: Majority;
  readonly electorate: Electorate;
  readonly otherVersions: OtherVersions;
  /** How many agents are to be there before a crawl is founded. */
  readonly expect: number;
  /** The crawl begins with these agents. */
  readonly found: (electors: readonly Place[]) => void;
  readonly nextNumber: () => number;
  /** Whether these seeds are held here; if not, that they are asked for. */
  readonly hasSeeds: (seeds: readonly SeedCount[], from: Place) => boolean;
  /** Everybody who is there has answered, in this life, and has told whom it waits for. */
  readonly joined: (hasAnswered: (place: Place) => boolean, told: readonly Absence[]) => void;
}

interface Replied {
  readonly from: Place;
  readonly reply: SyncReply;
  /** Whether it was active when it replied. */
  readonly isActive: boolean;
}

export class JoinBarrier {
  readonly #parts: JoinBarrierParts;
  readonly #core: Core;
  #round: SyncRound | null = null;
  /** Rings are not kept unless votes need them: each has all members, and there is one of each member. */
  #replies = new Map<string, Replied>();
  #beganAtMs = 0;
  #roundAtMs = 0;
  #hasToldWaiting = false;
  #hasToldTooLate = false;
  /** Whether all are asked who have answered before. */
  #isSecond = false;

  constructor(parts: JoinBarrierParts) {
    this.#parts = parts;
    this.#core = parts.core;
  }

  /** Begins anew, for a new incarnation. */
  begin(): void {
    this.#beganAtMs = this.#core.clock.nowMs();
    this.#replies.clear();
    this.#isSecond = false;
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
    if (this.#isTooLate) this.#tellTooLate();
    round.ask(others);
    if (!others.every((place) => round.has(place))) this.#tellWaiting(nowMs);
    else if (!this.#isSecond && this.#hasJoiners(others)) {
      this.#isSecond = true;
      this.#ask();
      this.#round?.ask(others);
    } else if (this.#isReady()) {
      round.close();
      this.#round = null;
      const told = [...this.#replies.values()].flatMap(({ reply }) => reply.absences);
      const replied = new Set(this.#replies.keys());
      this.#replies.clear();
      this.#parts.joined((place) => replied.has(placeText(place)), told);
    } else {
      this.#tellWaiting(nowMs);
      // Those who have answered may be established, or active, by now.
      if (nowMs - this.#roundAtMs > times.listenMs) this.#ask();
    }
  }

  /** Whether this disk is empty, and all who could tell it of the crawl have ended with that (T2). */
  get #isTooLate(): boolean {
    const { life, table } = this.#core;
    const known = table.entries().filter(({ isGivenUp, wasHeard }) => wasHeard && !isGivenUp);
    return !life.isEstablished && known.length > 0 && known.every(({ saidEnd }) => saidEnd);
  }

  /**
   * How many more agents this one waits for to found the crawl: until they are there nobody takes part in it,
   * this agent included.
   */
  get awaited(): number {
    const { electorate, expect } = this.#parts;
    if (!this.#core.life.isFounder || electorate.isFounded) return 0;
    return Math.max(0, expect - this.#agents);
  }

  get isShort(): boolean {
    return this.awaited > 0;
  }

  /** How many are there, this one included. */
  get #agents(): number {
    const { detector, clock } = this.#core;
    return detector.present(clock.nowMs()).length + 1;
  }

  /** Whether somebody was joining itself when it answered. */
  #hasJoiners(others: readonly Place[]): boolean {
    return others.some((place) => this.#replies.get(placeText(place))?.isActive !== true);
  }

  #isReady(): boolean {
    const { life, table } = this.#core;
    const { majority, otherVersions, hasSeeds } = this.#parts;
    if (otherVersions.areMembers) return false;
    // What an earlier disk has answered does not count.
    const replies = [...this.#replies.values()].filter(({ from }) => table.at(from) !== undefined);
    this.#establish();
    // All are asked for seeds that are missing, not only the first.
    const lacking = replies.filter(({ from, reply }) => !hasSeeds(reply.seeds, from));
    if (lacking.length > 0 || !life.isEstablished) return false;
    if (!this.#isFounded(replies.map(({ from }) => from))) return false;
    for (const { reply } of replies) majority.adopt(reply.condemned);
    return majority.allowsToJoin(new Map(replies.map(({ from, reply }) => [from.id, reply])));
  }

  /** Whether it is known who has founded the crawl. The founder says so, when enough are there. */
  #isFounded(others: readonly Place[]): boolean {
    const { electorate, expect, found } = this.#parts;
    const { life } = this.#core;
    if (electorate.isFounded) return true;
    if (!life.isFounder) return !electorate.isFenced;
    if (others.length + 1 < expect) return false;
    found([life.place, ...others]);
    return true;
  }

  #answered({ place, incarnation, capacity }: Sender, reply: SyncReply): void {
    const { isFenced } = this.#parts.electorate;
    const ring = isFenced ? reply.ring : [];
    // Who is active puts itself into its ring.
    const isActive = reply.ring.some((row) => samePlace(row.place, place));
    this.#replies.set(placeText(place), { from: place, reply: { ...reply, ring }, isActive });
    for (const row of reply.ring) this.#adopt(row);
    // One that was there before, and starts again, owns its hosts: its own request may come late.
    const isReturning = !isActive && reply.isEstablished && !isFenced;
    if (isReturning) this.#adopt({ place, incarnation, capacity, isDead: false });
    this.#core.listener.ranFor(reply.elapsedMs);
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
  #adopt({ place, incarnation, capacity }: RingRow): void {
    const { life, table, clock, file } = this.#core;
    this.#parts.changes.named(place);
    if (place.id === life.id) return;
    const known = table.get(place.id);
    if (known === undefined && table.isFull) return;
    const entry = known ?? table.add(place, clock.nowMs());
    const isLater = place.generation === entry.generation && incarnation >= entry.incarnation;
    if (!isLater || (entry.hasLeft && incarnation === entry.incarnation)) return;
    if (incarnation > entry.incarnation) {
      entry.state = "active";
      entry.isCondemned = false;
      entry.goesOn();
    }
    entry.incarnation = incarnation;
    if (entry.capacity === 0) entry.capacity = capacity;
    entry.isOnProbation = false;
    if (entry.state === "leaving") return;
    if (entry.isInRing) file.changed();
    else this.#parts.changes.admit(entry);
  }

  #tellTooLate(): void {
    const { listener } = this.#core;
    if (!this.#hasToldTooLate) listener.trouble(endedBefore());
    this.#hasToldTooLate = true;
    listener.cameTooLate();
  }

  #tellWaiting(nowMs: number): void {
    const { life, listener, settings } = this.#core;
    if (life.isEstablished && !this.isShort) this.#hasToldWaiting = false;
    else if (!this.#hasToldWaiting && nowMs - this.#beganAtMs > settings.deadAfterMs) {
      this.#hasToldWaiting = true;
      listener.trouble(this.#waiting());
    }
  }

  #waiting(): CrawlError {
    const { electorate, expect } = this.#parts;
    if (this.isShort) return unfounded(this.#agents, expect);
    return electorate.isFounded ? unestablished() : unbegun();
  }
}
