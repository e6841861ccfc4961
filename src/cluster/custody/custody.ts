/**
 * The custody of an agent: it decides about every entry, found here or told by others, and does what the
 * view asks for when that changes.
 *
 * - U2, U4: an entry of a host of ours is taken into custody, afresh; any other is passed on to the owner,
 *   and retained, by whoever it came from.
 * - D1: what is told to others is durable first: entries in the outbox, pages by their lines. What custody
 *   does to the holdings is durable with the next checkpoint; until then nothing is dropped that could
 *   bring it back.
 *
 * `work` counts every change that can make work for anybody: waves of termination compare it.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Acknowledge, type Clock, type Done, withValue } from "../../base/seams/index.ts";
import {
  type Entry,
  type HostsEntry,
  isOfHost,
  keptEntry,
  type Outboxes,
  type UrlEntry,
} from "../delivery/index.ts";
import { type Messenger, type Place, placeText, samePlace } from "../messages/index.ts";
import { Announcements } from "./announcements.ts";
import type { Claims, ClaimsMarks } from "./claims.ts";
import { Copies } from "./copies.ts";
import type { CustodyView } from "./custody-view.ts";
import { GivingUp } from "./giving-up.ts";
import type { Holdings } from "./holdings.ts";
import { HostMoves } from "./host-moves.ts";

/** What custody knows at one moment; plain values, to be kept in the agent's checkpoint. */
export interface CustodyMarks {
  readonly claims: ClaimsMarks;
  /** Hosts that were leaving. */
  readonly moves: readonly string[];
}

export interface CustodyParts {
  readonly self: () => Place;
  readonly clock: Clock;
  readonly view: () => CustodyView;
  readonly outboxes: Outboxes;
  readonly holdings: Holdings;
  readonly claims: Claims;
  readonly messenger: Messenger;
  /** A claim names this place: if it is not known, or was given up, it is on probation (G3). */
  readonly named: (place: Place) => void;
  /** A place that was given up has told all owners again what it holds (G5). */
  readonly announced: (place: Place) => void;
  /** How long an answer is waited for before a question is repeated. */
  readonly timeoutMs: number;
  readonly failed: (error: CrawlError) => void;
  /** Something has changed that others may wait for. */
  readonly changed: () => void;
}

export class Custody {
  readonly #parts: CustodyParts;
  readonly #moves: HostMoves;
  readonly #givingUp: GivingUp;
  readonly #copies: Copies;
  readonly #announcements: Announcements;
  /** Entries of hosts that nobody in the ring can take. */
  #strays: HostsEntry[] = [];
  /** Who waits until no host moves and nothing is dispatched anew. */
  #waiting: (() => void)[] = [];
  /** Of the own place, when the view last changed. */
  #generation = 0;
  #work = 0;
  /** When it was last looked at; null before that. */
  #ring: string | null = null;

  constructor(parts: CustodyParts) {
    this.#parts = parts;
    const { self, holdings, outboxes, claims, failed } = parts;
    const dispatch = (entry: HostsEntry, isRepeat: boolean): void =>
      this.#dispatch(entry, isRepeat);
    const changed = (): void => this.#changed();
    this.#moves = new HostMoves({
      ...{ self, holdings, outboxes, claims, failed },
      ownerOf: (host) => this.#ownerOf(host),
      pass: (entry, isRepeat) => this.#pass(entry, isRepeat),
      take: (entry) => this.#take(entry),
      moved: changed,
    });
    const isOwn = (host: string): boolean => this.isOwn(host);
    this.#copies = new Copies({ ...parts, isOwn, changed });
    this.#givingUp = new GivingUp({
      ...{ self, holdings, outboxes, claims, dispatch, isOwn, failed, changed },
      isMoving: (host) => this.#moves.has(host),
      whenNoneTo: (place, done) => this.#moves.whenNoneTo(place, done),
      isGivenUp: (place) => this.#view.isGivenUp(place),
      shown: (entry) => this.#decideAgain(entry),
    });
    this.#announcements = new Announcements({
      ...{ ...parts, dispatch, isOwn, changed },
    });
  }

  get #view(): CustodyView {
    return this.#parts.view();
  }

  /** Counts changes that can make work. */
  get work(): number {
    return this.#work;
  }

  /**
   * Whether nothing moves, is dispatched anew, or is asked of others. What is sent to somebody who has ended is
   * what that had before: after a restart it is not known here that it was acknowledged.
   */
  get isIdle(): boolean {
    const { outboxes } = this.#parts;
    const isMoving = !this.#moves.isSettled || this.#givingUp.isBusy;
    const isTold =
      outboxes.pending === 0 ||
      outboxes.places().every((one) => outboxes.pendingAt(one) === 0 || this.#view.hasEnded(one));
    return !this.#announcements.isOpen && !isMoving && this.held === 0 && isTold;
  }

  /** URLs of which another place says that it has the page. */
  get claims(): number {
    return this.#parts.claims.count;
  }

  /** Ends its use of the disk. */
  close(done: Acknowledge): void {
    this.#parts.claims.close(done);
  }

  /** Who says to have the page of a URL of our own; perhaps inside the call. */
  holdersOf(page: Fingerprint, done: (holders: readonly Place[]) => void): void {
    this.#parts.claims.question(page, done);
  }

  /** Entries that are in memory only. While there are any, no checkpoint is begun. */
  get held(): number {
    const { claims } = this.#parts;
    return this.#strays.length + this.#moves.held + claims.waiting + this.#copies.deciding;
  }

  isOwn(host: string): boolean {
    return this.#view.ownerOf(host) === this.#parts.self().id;
  }

  /** The place of the owner, if that is another agent; null if the host is ours, or nobody's. */
  otherOwnerOf(host: string): Place | null {
    return this.isOwn(host) ? null : this.#ownerOf(host);
  }

  /** Whether the host is ours, and is not leaving: then its URLs go to the holdings. */
  isHere(host: string): boolean {
    return this.isOwn(host) && !this.#moves.has(host);
  }

  /** Whether entries of this host go to an outbox at once, and nothing of them stays in memory. */
  isForeign(host: string): boolean {
    const owner = this.#ownerOf(host);
    return owner !== null && owner.id !== this.#parts.self().id && !this.#moves.has(host);
  }

  /** A link or seed that nobody was told of before, or a URL that came back from a lane; of any host. */
  found(entry: UrlEntry): void {
    this.#dispatch(entry, false);
  }

  /** Entries of others, durable in the inbox. */
  arrived(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (isOfHost(entry)) this.#dispatch(entry, true);
      else {
        this.#work += 1;
        if (entry.kind === "hide") this.#copies.hide(entry);
        else this.#nearer(entry, entry.depth);
      }
    }
  }

  /** A page of another place came here, and is durable, as if it had been fetched; `from` has it too. */
  stored(entry: UrlEntry, from: Place | null): void {
    if (from !== null && this.isOwn(entry.host)) {
      this.#dispatch({ ...entry, holders: [from] }, true);
    } else this.replayed(entry);
  }

  /**
   * U5: a page of a host that was here when its fetch began is durable: others may have come to claim it
   * meanwhile.
   */
  fetched(entry: UrlEntry): void {
    const isClaimed = this.#parts.claims.count > 0 && this.isHere(entry.host);
    if (!isClaimed) return;
    // Nothing may have come of the fetch, and others count from a greater depth.
    this.#parts.claims.lower(entry, entry.depth, (farther) =>
      this.#tellNearer(farther, entry, entry.depth),
    );
    this.#decideAgain(entry);
  }

  /**
   * U5: a page was had by an earlier life, and no checkpoint knows of it: nobody may have been told. If
   * its host is ours, it is here from now on, so that its pages are told of when it leaves.
   */
  replayed(entry: UrlEntry): void {
    const { self, holdings } = this.#parts;
    if (!this.isOwn(entry.host)) this.#dispatch({ ...entry, holders: [self()] }, true);
    else {
      holdings.take(entry);
      this.#decideAgain(entry);
    }
  }

  viewChanged(): void {
    const { self, outboxes } = this.#parts;
    const { generation } = self();
    // Under another name nobody knows what is held here.
    if (this.#generation !== 0 && this.#generation !== generation) this.#announcements.announce();
    this.#generation = generation;
    outboxes.reachabilityChanged();
    const ring = ringOf(this.#view);
    // Suspicions change nothing else here.
    if (ring === this.#ring) return;
    this.#ring = ring;
    this.#moves.viewChanged();
    for (const entry of this.#strays.splice(0)) this.#moves.dispatch(entry, true);
    this.#changed();
  }

  /** G1; may be told again, as after a restart. */
  gaveUp(place: Place): void {
    this.#announcements.gaveUp(place);
    this.#givingUp.begin(place);
    this.#changed();
  }

  /** G5: a place that was given up is back. */
  returned(place: Place): void {
    this.#announcements.ask(place);
  }

  /** B2: calls back when everything of hosts that are `to`'s by now is with it. */
  handOver(to: Place, done: () => void): void {
    this.#whenSettled(() => this.#parts.outboxes.whenAcknowledged(to, done));
  }

  /** L1: calls back when everything is with others, who have acknowledged it. */
  handOverAll(done: () => void): void {
    const { outboxes } = this.#parts;
    const wait = (places: readonly Place[]): void => {
      const [place, ...rest] = places;
      if (place === undefined) done();
      else outboxes.whenAcknowledged(place, () => wait(rest));
    };
    this.#whenSettled(() =>
      wait(outboxes.places().filter((place) => !this.#view.isGivenUp(place))),
    );
  }

  /** Answers when what custody knows at this moment is durable. Nothing may be held. */
  checkpoint(done: Done<CustodyMarks>): void {
    assert(this.held === 0, "no checkpoint is begun while custody holds entries in memory");
    const moves = this.#moves.hosts();
    this.#parts.claims.checkpoint(withValue(done, (claims) => done(null, { claims, moves })));
  }

  /** A checkpoint with these marks is recorded. */
  recorded(marks: CustodyMarks): void {
    this.#parts.claims.recorded(marks.claims);
  }

  /**
   * After a restart, when membership knows its table: places that are named here are given up some time if
   * nobody hears of them (G2), and what an earlier life has begun is done again.
   */
  resume(marks: CustodyMarks | null): void {
    const { outboxes, claims, named } = this.#parts;
    this.#moves.resume(marks?.moves ?? []);
    const places = [...outboxes.places(), ...claims.places()];
    for (const place of places) {
      if (this.#view.isGivenUp(place)) this.gaveUp(place);
      else named(place);
    }
  }

  /** A copy is here that others do not know of; whether it is shown depends on who has one too. */
  #decideAgain(entry: UrlEntry): void {
    this.#parts.claims.holdersOf(entry, (holders) => this.#copies.decide(entry, holders));
  }

  #dispatch(entry: HostsEntry, isRepeat: boolean): void {
    this.#work += 1;
    this.#moves.dispatch(entry, isRepeat);
  }

  #ownerOf(host: string): Place | null {
    const owner = this.#view.ownerOf(host);
    if (owner === null) return null;
    return owner === this.#parts.self().id ? this.#parts.self() : this.#view.placeOf(owner);
  }

  #pass(entry: HostsEntry, isRepeat: boolean): void {
    const { outboxes } = this.#parts;
    const place = this.#ownerOf(entry.host);
    if (place === null) this.#strays.push(entry);
    else outboxes.append(place, entry, isRepeat);
  }

  /** The host is ours, and not leaving. */
  #take(entry: HostsEntry): void {
    const { self, holdings, claims, named } = this.#parts;
    if (entry.kind === "host") {
      holdings.adopt(entry.host, entry.record);
      return;
    }
    const others = entry.holders.filter((place) => !samePlace(place, self()));
    for (const place of others) named(place);
    // Those that are not on probation by now never come back as they were.
    const holders = others.filter((place) => !this.#view.isGivenUp(place));
    if (holders.length === 0) {
      holdings.take(entry);
      return;
    }
    // Also if all of them were known: a copy that was hidden may be visible again.
    const kept = keptEntry(entry);
    claims.add(kept, holders, ({ before, now, depth, farther }) => {
      this.#tellNearer(farther, kept, depth);
      // If it is in the store here, too.
      if (claims.keepsDepths) holdings.nearer(kept, depth);
      this.#copies.decide({ ...kept, depth }, now, before.length === 0);
    });
  }

  /**
   * U6: there is a way of this depth to a page. Others who claim it are told; it may be here, too, or wait
   * again, if nobody claims it any more.
   */
  #nearer(page: Fingerprint, depth: number): void {
    this.#parts.claims.lower(page, depth, (farther) => {
      this.#tellNearer(farther, page, depth);
      this.#parts.holdings.nearer(page, depth);
    });
  }

  #tellNearer(places: readonly Place[], { high, low }: Fingerprint, depth: number): void {
    const { outboxes } = this.#parts;
    for (const place of places) outboxes.append(place, { kind: "nearer", high, low, depth });
  }

  #whenSettled(done: () => void): void {
    this.#waiting.push(done);
    this.#changed();
  }

  #changed(): void {
    this.#work += 1;
    const isSettled = this.#moves.isSettled && !this.#givingUp.isDispatching;
    if (isSettled) for (const done of this.#waiting.splice(0)) this.#parts.clock.after(0, done);
    this.#parts.changed();
  }
}

/** Who is in it, in words. */
function ringOf(view: CustodyView): string {
  const inRing = [...view.members()].filter(({ isInRing }) => isInRing);
  return inRing
    .map(({ place }) => placeText(place))
    .sort()
    .join(" ");
}
