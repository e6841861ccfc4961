/**
 * Hosts that leave (U2): one that is not ours any more goes when no visit of it is under way, with
 * everything that is known of it. Which hosts those are is found by the holdings; some of them move at a
 * time.
 *
 * Invariant: what a lane gives is in an outbox from that moment on, since the lane has forgotten it. If the
 * host is ours again by then, it goes to the place that it was leaving for, and comes back from there as
 * from any relay. Other entries of such a host wait in memory until it has left: no checkpoint is begun
 * meanwhile (`held`).
 *
 * A host that has left and whose pages are not told yet is named in checkpoints, so that they are told
 * after a crash.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import {
  type HostsEntry,
  isOfHost,
  keptEntry,
  type Outboxes,
  type UrlEntry,
} from "../delivery/index.ts";
import { type Place, samePlace } from "../messages/index.ts";
import type { Claims } from "./claims.ts";
import type { Holdings } from "./holdings.ts";

export interface HostMovesParts {
  readonly self: () => Place;
  readonly holdings: Holdings;
  readonly outboxes: Outboxes;
  readonly claims: Claims;
  /** The place of the owner in the present view; null if nobody is in the ring. */
  readonly ownerOf: (host: string) => Place | null;
  /** To the owner, who is another agent, or nobody. `isRepeat`: that may know it. */
  readonly pass: (entry: HostsEntry, isRepeat: boolean) => void;
  /** Into our custody. */
  readonly take: (entry: HostsEntry) => void;
  /** A host has moved. */
  readonly moved: () => void;
  readonly failed: (error: CrawlError) => void;
}

interface Move {
  /** Whose it was when it began to leave. */
  readonly to: Place;
  /** Entries that came when it was ours again. */
  readonly waiting: HostsEntry[];
}

/** So many hosts leave at a time. */
const MOVES_MAX = 64;

export class HostMoves {
  readonly #parts: HostMovesParts;
  readonly #moves = new Map<string, Move>();
  #isLooking = false;
  /** The view has changed since the holdings were asked. */
  #isStale = false;
  /** What looks for the next host, of each lane, when there is room. */
  #next: (() => void)[] = [];
  #waiters: { readonly isMet: () => boolean; readonly done: () => void }[] = [];
  #held = 0;

  constructor(parts: HostMovesParts) {
    this.#parts = parts;
  }

  /** Whether no host moves, or should. */
  get isSettled(): boolean {
    return this.#moves.size === 0 && !this.#isLooking;
  }

  /** Entries that are in memory only. */
  get held(): number {
    return this.#held;
  }

  has(host: string): boolean {
    return this.#moves.has(host);
  }

  /** Hosts that are leaving: for the next checkpoint. */
  hosts(): readonly string[] {
    return [...this.#moves.keys()];
  }

  /** The hosts that were leaving when an earlier life ended. */
  resume(hosts: readonly string[]): void {
    for (const host of hosts) {
      const to = this.#otherOwnerOf(host);
      if (to !== null && !this.#moves.has(host)) this.#leave(host, to);
    }
  }

  /** The view has changed: what is not ours any more leaves, claims first. */
  viewChanged(): void {
    this.#isStale = this.#isLooking;
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { claims, pass, failed } = this.#parts;
    claims.take(
      (host) => this.#otherOwnerOf(host) !== null,
      (entry) => pass(entry, false),
      (error) => {
        if (error !== null) failed(error);
        this.#redirect(() => this.#lookForHosts());
      },
    );
  }

  /**
   * What others were told of hosts that are not theirs any more, and have not acknowledged: the owner must
   * not wait until they do and pass it on.
   */
  #redirect(done: () => void): void {
    const { outboxes, ownerOf, failed } = this.#parts;
    inTurn(
      outboxes.places().filter((place) => outboxes.pendingAt(place) > 0),
      (place, next) =>
        outboxes.eachPending(
          place,
          (entries, more) => {
            for (const entry of entries) {
              const owner = isOfHost(entry) ? ownerOf(entry.host) : null;
              if (!isOfHost(entry) || owner === null || samePlace(owner, place)) continue;
              this.dispatch(entry, true);
            }
            more();
          },
          next,
        ),
      (error) => {
        if (error !== null) failed(error);
        done();
      },
    );
  }

  #lookForHosts(): void {
    this.#parts.holdings.lost(
      (host) => this.#otherOwnerOf(host) === null,
      (host, next) => {
        const to = this.#otherOwnerOf(host);
        if (to !== null && !this.#moves.has(host)) this.#leave(host, to);
        if (this.#moves.size < MOVES_MAX) next();
        else this.#next.push(next);
      },
      () => {
        this.#isLooking = false;
        if (this.#isStale) this.viewChanged();
        this.#parts.moved();
      },
    );
  }

  /** An entry that was found, received, or is to be dispatched anew. */
  dispatch(entry: HostsEntry, isRepeat: boolean): void {
    const { self, ownerOf, pass, take } = this.#parts;
    const move = this.#moves.get(entry.host);
    const owner = ownerOf(entry.host);
    if (owner === null || owner.id !== self().id) pass(entry, isRepeat);
    else if (move === undefined) take(entry);
    else {
      this.#held += 1;
      move.waiting.push(keptEntry(entry));
    }
  }

  /** Calls back when no host is leaving for this place: its outbox gets nothing more of them. */
  whenNoneTo(place: Place, done: () => void): void {
    const isMet = (): boolean => ![...this.#moves.values()].some(({ to }) => samePlace(to, place));
    if (isMet()) done();
    else this.#waiters.push({ isMet, done });
  }

  /** Null if the host is ours, or nobody's. */
  #otherOwnerOf(host: string): Place | null {
    const owner = this.#parts.ownerOf(host);
    return owner === null || owner.id === this.#parts.self().id ? null : owner;
  }

  #leave(host: string, to: Place): void {
    const { self, holdings, outboxes, failed } = this.#parts;
    const move: Move = { to, waiting: [] };
    this.#moves.set(host, move);
    const give = (entry: HostsEntry): void =>
      outboxes.append(this.#otherOwnerOf(host) ?? to, keptEntry(entry), false);
    holdings.giveAway(host, give, (record) => {
      give({ kind: "host", host, record });
      // These are not lost if the host is ours again: its pages are in the store.
      const page = (entry: UrlEntry): void => {
        const owner = this.#otherOwnerOf(host);
        if (owner !== null)
          outboxes.append(owner, { ...keptEntry(entry), holders: [self()] }, false);
      };
      holdings.pagesOf(
        (one) => one === host,
        page,
        (error) => {
          if (error !== null) failed(error);
          this.#end(host, move);
        },
      );
    });
  }

  #end(host: string, { waiting }: Move): void {
    this.#moves.delete(host);
    this.#held -= waiting.length;
    for (const entry of waiting) this.dispatch(entry, true);
    const met = this.#waiters.filter(({ isMet }) => isMet());
    this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
    for (const { done } of met) done();
    this.#next.shift()?.();
    this.#parts.moved();
  }
}
