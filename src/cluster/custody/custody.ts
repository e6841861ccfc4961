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
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Entry, Outboxes, UrlEntry } from "../delivery/index.ts";
import { type Messenger, type Place, samePlace } from "../messages/index.ts";
import { Announcements } from "./announcements.ts";
import { Claims } from "./claims.ts";
import { Copies } from "./copies.ts";
import type { CustodyView } from "./custody-view.ts";
import { GivingUp } from "./giving-up.ts";
import type { Holdings } from "./holdings.ts";
import { HostMoves } from "./host-moves.ts";

export interface CustodyParts {
  readonly self: () => Place;
  readonly clock: Clock;
  readonly view: () => CustodyView;
  readonly outboxes: Outboxes;
  readonly holdings: Holdings;
  readonly messenger: Messenger;
  /** A claim names this place: if it is not known, or was given up, it is on probation (G3). */
  readonly named: (place: Place) => void;
  /** How long an answer is waited for before a question is repeated. */
  readonly timeoutMs: number;
  readonly failed: (error: CrawlError) => void;
  /** Something has changed that others may wait for. */
  readonly changed: () => void;
}

export class Custody {
  readonly claims: Claims = new Claims();
  readonly #parts: CustodyParts;
  readonly #moves: HostMoves;
  readonly #givingUp: GivingUp;
  readonly #copies: Copies;
  readonly #announcements: Announcements;
  /** Entries of hosts that nobody in the ring can take. */
  #strays: Entry[] = [];
  /** Who waits until no host moves and nothing is dispatched anew. */
  #waiting: (() => void)[] = [];
  /** Of the own place, when the view last changed. */
  #generation = 0;
  #work = 0;

  constructor(parts: CustodyParts) {
    this.#parts = parts;
    const { self, holdings, outboxes, failed } = parts;
    const { claims } = this;
    const dispatch = (entry: Entry, isRepeat: boolean): void => this.#dispatch(entry, isRepeat);
    const changed = (): void => this.#changed();
    const fail = (error: Error): void => failed(error as CrawlError);
    this.#moves = new HostMoves({
      ...{ self, holdings, claims, failed: fail },
      isOwn: (host) => this.isOwn(host),
      pass: (entry, isRepeat) => this.#pass(entry, isRepeat),
      take: (entry) => this.#take(entry),
      moved: changed,
    });
    this.#copies = new Copies({ ...parts, claims, changed });
    this.#givingUp = new GivingUp({
      ...{ self, holdings, outboxes, claims, dispatch, failed, changed },
      isOwn: (host) => this.isOwn(host),
      isGivenUp: (place) => this.#view.isGivenUp(place),
      struck: (entry) => this.#copies.decide(entry),
    });
    this.#announcements = new Announcements({
      ...{ ...parts, dispatch, changed },
      isOwn: (host) => this.isOwn(host),
    });
  }

  get #view(): CustodyView {
    return this.#parts.view();
  }

  /** Counts changes that can make work. */
  get work(): number {
    return this.#work;
  }

  /** Whether nothing moves, is dispatched anew, or is asked of others. */
  get isIdle(): boolean {
    const { outboxes } = this.#parts;
    const isAsking = this.#announcements.isOpen || this.#copies.isOpen;
    const isMoving = this.#moves.count > 0 || this.#givingUp.isBusy;
    return !isAsking && !isMoving && this.#strays.length === 0 && outboxes.pending === 0;
  }

  isOwn(host: string): boolean {
    return this.#view.ownerOf(host) === this.#parts.self().id;
  }

  /** Whether the host is ours, and neither away nor on the move: then its URLs go to the frontier. */
  isHere(host: string): boolean {
    return this.isOwn(host) && !this.#moves.has(host) && !this.#parts.holdings.isAway(host);
  }

  /** A link or seed that nobody was told of before; of a host of ours or not. */
  found(entry: UrlEntry): void {
    this.#dispatch(entry, false);
  }

  /** Entries of others, durable in the inbox. */
  arrived(entries: readonly Entry[]): void {
    for (const entry of entries) this.#dispatch(entry, true);
  }

  /** A URL of a host that has gone came out of the frontier. */
  passedOn(entry: UrlEntry): void {
    this.#dispatch(entry, false);
  }

  viewChanged(): void {
    const { self, outboxes } = this.#parts;
    const { generation } = self();
    // Under another name nobody knows what is held here.
    if (this.#generation !== 0 && this.#generation !== generation) this.#announcements.announce();
    this.#generation = generation;
    outboxes.reachabilityChanged();
    this.#moves.viewChanged();
    for (const entry of this.#strays.splice(0)) this.#moves.dispatch(entry, true);
    this.#changed();
  }

  /** G1; may be told again, as after a restart. */
  gaveUp(place: Place): void {
    this.#copies.forget(place);
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

  /**
   * After a restart, when membership knows its table: places that are named here are given up some time if
   * nobody hears of them (G2), and what an earlier life has begun is done again.
   */
  resume(): void {
    const { outboxes, named } = this.#parts;
    const places = [...outboxes.places(), ...this.claims.places().values()];
    for (const place of places) {
      if (this.#view.isGivenUp(place)) this.gaveUp(place);
      else named(place);
    }
    for (const entry of this.claims.all()) this.#copies.decide(entry);
  }

  #dispatch(entry: Entry, isRepeat: boolean): void {
    this.#work += 1;
    this.#moves.dispatch(entry, isRepeat);
  }

  #pass(entry: Entry, isRepeat: boolean): void {
    const { outboxes } = this.#parts;
    const view = this.#view;
    const owner = view.ownerOf(entry.host);
    const place = owner === null ? null : view.placeOf(owner);
    if (place === null) this.#strays.push(entry);
    else outboxes.append(place, entry, isRepeat);
  }

  /** The host is ours, and here. */
  #take(entry: Entry): void {
    const { self, holdings, named } = this.#parts;
    if (entry.kind === "host") {
      holdings.adopt(entry.host, entry.record);
      return;
    }
    const holders = entry.holders.filter((place) => !samePlace(place, self()));
    for (const place of holders) named(place);
    if (holders.length === 0) {
      holdings.take(entry);
      return;
    }
    const isFirst = this.claims.holdersOf(entry).length === 0;
    this.claims.add(entry, holders);
    if (isFirst && !holdings.has(entry)) holdings.end(entry);
    // A copy that was hidden may be visible again.
    this.#copies.decide(entry);
  }

  #whenSettled(done: () => void): void {
    this.#waiting.push(done);
    this.#changed();
  }

  #changed(): void {
    this.#work += 1;
    const isSettled = this.#moves.count === 0 && !this.#givingUp.isDispatching;
    if (isSettled) for (const done of this.#waiting.splice(0)) this.#parts.clock.after(0, done);
    this.#parts.changed();
  }
}
