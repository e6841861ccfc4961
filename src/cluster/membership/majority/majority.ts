/**
 * With `partition: fence` only one side of a partition goes on: an agent fetches only while more than half
 * of the electors support it, and a place is given up only when more than half have condemned it (P2).
 *
 * - A heartbeat of an elector says which beat of every agent it has heard last. It supports whoever has
 *   sent that beat a short time ago, and has the same ring. That a message has come proves nothing, since
 *   it may be late; that a beat was heard proves that its sender will not be missed for some time yet.
 * - An elector that misses an agent until it is overdue *condemns* this life of it, durably and for good:
 *   it never supports it again. Since more than half of the electors are needed for either, a life that is
 *   given up by anybody is supported enough by nobody, now and later. It must join again.
 * - Who joins is in the rings of more than half of the electors before it is active, and every other
 *   member has answered it, or is dead to more than half of them. So whoever does not know of it has
 *   another ring than they have, and is not supported until it does.
 *
 * Rings that differ only by places that were given up never give a host to two agents that are supported;
 * docs/protocol.md has the argument.
 */
import type { AgentId } from "../../../base/transport/index.ts";
import { placeText, samePlace } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import { elapsedMs, type Moment, momentOf } from "../life/moment.ts";
import type { HeardBeat, LifeNamed, SyncReply, Vote } from "../membership-messages.ts";
import type { MemberEntry } from "../view/member-table.ts";
import type { Electorate } from "./electorate.ts";

const NO_VOTE: Vote = { isVoter: false, ringHash: "", heard: [], condemned: [] };

export class Majority {
  readonly #core: Core;
  readonly #electorate: Electorate;
  /** When the beats of this life were sent, as long as that matters, by number. */
  readonly #sentAt = new Map<number, Moment>();
  #beats = 0;
  /** What this agent has condemned, as far as that is durable. */
  #condemned: readonly LifeNamed[] = [];
  #isSaving = false;
  /** Since when more than half of the electors are heard without a break. */
  #togetherSinceMs = Number.POSITIVE_INFINITY;

  constructor(core: Core, electorate: Electorate) {
    this.#core = core;
    this.#electorate = electorate;
  }

  /** The number of the beat that is about to be sent. */
  nextBeat(): number {
    const { clock, times } = this.#core;
    for (const [number, sentAt] of this.#sentAt) {
      if (elapsedMs(clock, sentAt) > times.majorityMs) this.#sentAt.delete(number);
    }
    this.#beats += 1;
    this.#sentAt.set(this.#beats, momentOf(clock));
    return this.#beats;
  }

  /** Another life has begun: what others have heard of the one before does not count. */
  beginLife(): void {
    this.#beats = 0;
    this.#sentAt.clear();
    for (const entry of this.#core.table.entries()) entry.supportsSince = null;
  }

  /** For heartbeats. */
  get vote(): Vote {
    const { isFenced, isVoter } = this.#electorate;
    if (!isFenced || !isVoter) return NO_VOTE;
    const { view, table } = this.#core;
    const heard: HeardBeat[] = [];
    for (const { place, incarnation, beat, isInRing, isCondemned } of table.entries()) {
      if (beat > 0 && isInRing && !isCondemned) heard.push({ place, incarnation, number: beat });
    }
    return { isVoter, ringHash: view.ringHash, heard, condemned: this.condemned };
  }

  /** The lives that this agent has condemned: only what is durable. */
  get condemned(): readonly LifeNamed[] {
    // On a full disk this may take long: it is waited for once, however often it is asked for.
    if (!this.#isSaving) this.#save();
    return this.#condemned;
  }

  /** A beat has come that is not older than those before it. */
  heard(entry: MemberEntry, { isVoter, ringHash, heard, condemned }: Vote): void {
    const { life, view } = this.#core;
    entry.isVoter = isVoter;
    entry.condemned = incarnationsOf(condemned);
    if (!isVoter || ringHash !== view.ringHash) return;
    const own = heard.find(({ place }) => samePlace(place, life.place));
    if (own?.incarnation !== life.incarnation) return;
    entry.supportsSince = this.#sentAt.get(own.number) ?? entry.supportsSince;
  }

  /** Whether this agent may fetch. */
  get isWithUs(): boolean {
    if (!this.#electorate.isFenced) return true;
    const { life, table } = this.#core;
    return this.#electorate.isMajority((id) =>
      id === life.id ? this.#electorate.isVoter : this.#supports(table.get(id)),
    );
  }

  /** Condemns who is overdue, unless this agent is the one that is cut off, or was until a moment ago. */
  condemn(): void {
    const { detector, clock, file, times } = this.#core;
    if (!this.#electorate.isFenced || !this.#electorate.isVoter) return;
    const nowMs = clock.nowMs();
    const sinceMs = this.#hearsMajority
      ? Math.min(this.#togetherSinceMs, nowMs)
      : Number.POSITIVE_INFINITY;
    this.#togetherSinceMs = sinceMs;
    if (nowMs - sinceMs < times.listenMs) return;
    const overdue = detector.overdue(nowMs).filter(({ isCondemned }) => !isCondemned);
    for (const entry of overdue) entry.isCondemned = true;
    if (overdue.length > 0) file.changed();
  }

  /** Others have condemned these lives: so does this agent, which may have done it with another disk. */
  adopt(lives: readonly LifeNamed[]): void {
    const { table, file } = this.#core;
    for (const { place, incarnation } of lives) {
      const entry = table.at(place);
      if (entry === undefined || entry.isCondemned || entry.incarnation > incarnation) continue;
      entry.incarnation = incarnation;
      entry.isCondemned = true;
      file.changed();
    }
  }

  /**
   * Somebody misses this life. If it is not known here, or only an earlier one is, more than half of the
   * electors might never condemn it.
   */
  missed({ place, incarnation }: LifeNamed, mention: () => void): void {
    const { table, detector, clock } = this.#core;
    const { isFenced, isVoter } = this.#electorate;
    if (!isFenced || !isVoter) return;
    if (table.get(place.id) === undefined) mention();
    const entry = table.at(place);
    if (entry === undefined || entry.incarnation >= incarnation) return;
    if (detector.hears(entry, clock.nowMs())) return;
    entry.incarnation = incarnation;
    entry.beat = 0;
    entry.isCondemned = entry.isGivenUp;
  }

  /** Places that are to be given up now. */
  lost(): MemberEntry[] {
    const { detector, clock, table } = this.#core;
    if (!this.#electorate.isFenced) return detector.overdue(clock.nowMs());
    const own = incarnationsOf(this.condemned);
    return table.entries().filter((entry) => !entry.isGivenUp && this.isCondemned(entry, own));
  }

  /** Whether more than half of the electors have condemned the life of this place that is known. */
  isCondemned(
    { place, incarnation }: MemberEntry,
    own: ReadonlyMap<string, number> = incarnationsOf(this.condemned),
  ): boolean {
    const { isFenced, isVoter } = this.#electorate;
    if (!isFenced) return false;
    const { life, table } = this.#core;
    const text = placeText(place);
    return this.#electorate.isMajority((id) => {
      if (id === life.id && !isVoter) return false;
      const condemned = id === life.id ? own : table.get(id)?.condemned;
      return (condemned?.get(text) ?? -1) >= incarnation;
    });
  }

  /** Whether these answers, by the agents that gave them, are enough to become active. */
  allowsToJoin(replies: ReadonlyMap<AgentId, SyncReply>): boolean {
    if (!this.#electorate.isFenced) return true;
    const { life, table } = this.#core;
    const { isVoter } = this.#electorate;
    const votes = (id: AgentId): boolean =>
      id === life.id ? isVoter : replies.get(id)?.isVoter === true;
    if (!this.#electorate.isMajority(votes)) return false;
    const silent = table.entries().filter(({ id, isInRing }) => isInRing && !replies.has(id));
    return silent.every((entry) =>
      this.#electorate.isMajority((id) => votes(id) && this.#isOff(entry, replies.get(id))),
    );
  }

  #save(): void {
    const { table, file } = this.#core;
    const condemned = table.entries().filter(({ isCondemned }) => isCondemned);
    const lives = condemned.map(({ place, incarnation }) => ({ place, incarnation }));
    this.#isSaving = true;
    file.whenSaved(() => {
      this.#isSaving = false;
      this.#condemned = lives;
    });
  }

  /** Whether this member is dead, or no member, by a reply; by the own view if there is none. */
  #isOff(entry: MemberEntry, reply: SyncReply | undefined): boolean {
    const { detector, clock } = this.#core;
    if (reply === undefined) return detector.standingOf(entry, clock.nowMs()) === "dead";
    const row = reply.ring.find(({ place }) => samePlace(place, entry.place));
    return row?.isDead ?? true;
  }

  get #hearsMajority(): boolean {
    const { life, table, clock, times } = this.#core;
    const sinceMs = clock.nowMs() - times.majorityMs;
    return this.#electorate.isMajority(
      (id) => id === life.id || (table.get(id)?.heardAtMs ?? 0) >= sinceMs,
    );
  }

  #supports(entry: MemberEntry | undefined): boolean {
    const { clock, times } = this.#core;
    if (entry === undefined || !entry.isVoter || entry.supportsSince === null) return false;
    return elapsedMs(clock, entry.supportsSince) <= times.majorityMs;
  }
}

function incarnationsOf(lives: readonly LifeNamed[]): Map<string, number> {
  return new Map(lives.map(({ place, incarnation }) => [placeText(place), incarnation]));
}
