/**
 * The schedule puts every visit state where it belongs: on the workbench while it waits for its turn,
 * to be resolved when its addresses are not known, to the queue when its URLs are there, into the
 * waiting room when it must only wait, among those that end, or aside when nothing is left to do.
 *
 * Invariant: whoever changes a visit state calls `place` afterwards; a visit state is in one of these
 * places, and its standing says in which.
 */
import assert from "node:assert/strict";
import type { Clock } from "../../../base/seams/index.ts";
import { ShareLedger, ShareLine } from "../../../base/shares/index.ts";
import { registrableDomain } from "../../../formats/url/index.ts";
import { InstantHeap } from "../bench/instant-heap.ts";
import { NONE } from "../bench/seat-heaps.ts";
import type { VisitErrand, VisitShares } from "../bench/visit-shares.ts";
import type { Workbench } from "../bench/workbench.ts";
import { Fifo } from "./fifo.ts";
import type { VisitState } from "./visit-state.ts";
import type { VisitStates } from "./visit-states.ts";

/** How many hosts that are due are looked at for one that need not wait behind others. */
const LOOKS_MAX = 64;

export interface ScheduleParts {
  readonly clock: Clock;
  readonly states: VisitStates;
  readonly workbench: Workbench;
  readonly resolvesMax: number;
  readonly shares: VisitShares;
  /** Whether hosts are compared by the priority of what comes next. */
  readonly ranksHosts: boolean;
}

/** Where records come from when a visit state has few left in memory. */
export interface Refill {
  /** Whether few records are left in memory and the host's queue has more. */
  isDue(state: VisitState): boolean;
  /** Begins to fetch some; `place` is called when they are there. */
  begin(state: VisitState): void;
}

export class Schedule {
  readonly #clock: Clock;
  readonly #states: VisitStates;
  readonly #workbench: Workbench;
  readonly #resolvesMax: number;
  readonly #ranksHosts: boolean;
  /** By registrable domain: its name servers can keep as many names waiting as they like. */
  readonly #resolveShares: ShareLedger;
  readonly #toResolve: ShareLine<VisitState>;
  readonly #ending = new Fifo<VisitState>();
  /** Seats that wait for an instant and not for their turn on the workbench. */
  readonly #waitingRoom = new InstantHeap();
  readonly #shares: VisitShares;
  /** Hosts whose turn has come but that let others go first, and for which of their keys. */
  readonly #behind: ShareLine<VisitState>;
  readonly #behindFor = new Map<VisitState, string>();
  #refill: Refill | null = null;
  #resolves = 0;

  constructor({ clock, states, workbench, resolvesMax, shares, ranksHosts }: ScheduleParts) {
    this.#clock = clock;
    this.#states = states;
    this.#workbench = workbench;
    this.#resolvesMax = resolvesMax;
    this.#ranksHosts = ranksHosts;
    this.#resolveShares = new ShareLedger(resolvesMax);
    this.#toResolve = new ShareLine(this.#resolveShares);
    this.#shares = shares;
    this.#behind = new ShareLine(shares.ledger);
  }

  set refill(refill: Refill) {
    this.#refill = refill;
  }

  /** Hosts that wait for a resolve errand. */
  get unresolved(): number {
    return this.#toResolve.size;
  }

  /** Hosts whose resolve errand is out. */
  get resolving(): number {
    return this.#resolves;
  }

  /** When `acquire…` may have something; now when it has. */
  get nextAtMs(): number {
    const hasErrand =
      this.#ending.size > 0 || (this.#toResolve.size > 0 && this.#resolves < this.#resolvesMax);
    if (hasErrand || this.#behind.has(this.#shares.maySlow)) return this.#clock.nowMs();
    const behindAtMs =
      this.#behind.size === 0 ? Number.POSITIVE_INFINITY : this.#shares.confinedUntilMs;
    return Math.min(this.#workbench.nextAtMs, this.#waitingRoom.firstAtMs, behindAtMs);
  }

  /** Puts a visit state where it belongs now. One that is visited or resolved stays there. */
  place(state: VisitState): void {
    const nowMs = this.#clock.nowMs();
    this.#states.weigh(state);
    if (state.standing === "visited" || state.standing === "resolving") return;
    this.#workbench.withdraw(state.seat);
    this.#waitingRoom.remove(state.seat);
    if (this.#behind.size > 0) this.#comeForward(state);
    if (state.end !== null) this.#placeEnding(state, nowMs);
    else this.#placeLiving(state, nowMs);
  }

  /** A host whose addresses are to be found; the caller sends the errand. */
  acquireUnresolved(): VisitState | null {
    if (this.#resolves >= this.#resolvesMax) return null;
    const state = this.#toResolve.take(true);
    if (state === undefined) return null;
    this.#resolves += 1;
    this.#resolveShares.hold(domainOf(state));
    return state;
  }

  /** The errand for this host's addresses has ended; `wasSlow` when nobody answered in time. */
  releaseResolved(state: VisitState, wasSlow: boolean): void {
    assert(state.standing === "resolving", "only a host that is being resolved gets addresses");
    const domain = domainOf(state);
    this.#resolves -= 1;
    this.#resolveShares.release(domain);
    this.#resolveShares.note(domain, wasSlow);
    this.#toResolve.settle(domain);
    this.#states.stand(state, "filling", this.#clock.nowMs());
  }

  /** Gives a visit state the address that it has now. */
  settle(state: VisitState): void {
    if (this.#workbench.isAttached(state.seat)) this.#workbench.detach(state.seat);
    this.#workbench.attach(state.seat, state.address);
  }

  /** A host that may be visited now; the caller visits it, or releases it at once. */
  acquire(): VisitState | null {
    const nowMs = this.#clock.nowMs();
    this.#emptyWaitingRoom(nowMs);
    if (!this.#shares.isShort && this.#behind.size === 0) return this.#acquireFirst(nowMs);
    return this.#acquireQuick(nowMs) ?? this.#acquireBehind(nowMs);
  }

  /** Whether a host could be visited now, if there were a slot, that need not wait behind others. */
  hasQuick(): boolean {
    const nowMs = this.#clock.nowMs();
    this.#emptyWaitingRoom(nowMs);
    const state = this.#acquireQuick(nowMs);
    if (state === null) return this.#behind.hasQuick;
    this.release(state, false);
    this.place(state);
    return true;
  }

  /** The first due of those that need not wait behind; the others step back. */
  #acquireQuick(nowMs: number): VisitState | null {
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      const state = this.#acquireFirst(nowMs);
      if (state === null) return null;
      const key = this.#shares.isShort ? this.#shares.keyBehind(state.host, state.address) : null;
      if (key === null) return state;
      this.release(state, false);
      this.#states.stand(state, "polite", nowMs);
      this.#behind.offer(key, state);
      this.#behindFor.set(state, key);
    }
    return null;
  }

  /** The next of those that wait behind. */
  #acquireBehind(nowMs: number): VisitState | null {
    for (;;) {
      const state = this.#behind.take(this.#shares.maySlow);
      if (state === undefined) return null;
      this.#behindFor.delete(state);
      // Its address may have been taken meanwhile: then it waits for that as any other.
      this.#workbench.put(state.seat, nowMs, this.#rankOf(state));
      const first = this.#acquireFirst(nowMs);
      if (first !== null) return first;
    }
  }

  #comeForward(state: VisitState): void {
    const key = this.#behindFor.get(state);
    if (key === undefined) return;
    this.#behindFor.delete(state);
    this.#behind.remove(key, state);
  }

  #rankOf(state: VisitState): number {
    return this.#ranksHosts ? -state.nextPriority : 0;
  }

  #acquireFirst(nowMs: number): VisitState | null {
    for (;;) {
      const seat = this.#workbench.acquire(nowMs);
      if (seat === NONE) return null;
      const state = this.#states.at(seat);
      assert(this.#workbench.addressOf(seat) === state.address, "a host is visited where it waits");
      if (state.hasAddresses(nowMs)) {
        this.#states.stand(state, "visited", nowMs);
        return state;
      }
      this.#workbench.release(seat, nowMs, false);
      this.#states.stand(state, "filling", nowMs);
      this.place(state);
    }
  }

  /** Reads records for a host that is being visited, so that they are there when it is not. */
  readAhead(state: VisitState): void {
    this.#beginRefill(state);
  }

  /** A visit of a host that was acquired begins. */
  begin(errand: VisitErrand): void {
    this.#shares.begin(errand);
  }

  /** It has ended; `bodyBytes` came, null when it was cancelled. The host is released apart. */
  end(errand: VisitErrand, bodyBytes: number | null): void {
    const keys = this.#shares.end(errand, bodyBytes);
    if (keys === null || this.#behind.size === 0) return;
    for (const key of keys) this.#behind.settle(key);
  }

  /** Ends an acquisition; `hasVisited` is false when nothing was asked of the host after all. */
  release(state: VisitState, hasVisited: boolean): void {
    assert(state.standing === "visited", "only a visit state that is visited is released");
    const nowMs = this.#clock.nowMs();
    this.#workbench.release(state.seat, nowMs, hasVisited);
    state.flight = null;
    this.#states.stand(state, "filling", nowMs);
  }

  /** A host whose URLs end without a fetch, left in its place. */
  get firstEnding(): VisitState | undefined {
    return this.#ending.first;
  }

  /** The first ending host has no URLs left in memory. */
  passEnding(): void {
    const state = this.#ending.take();
    assert(state !== undefined, "there is an ending host");
    this.#states.stand(state, "filling", this.#clock.nowMs());
    this.place(state);
  }

  /** Frees what an idle visit state holds here. */
  forget(state: VisitState): void {
    if (this.#workbench.isAttached(state.seat)) this.#workbench.detach(state.seat);
  }

  #placeLiving(state: VisitState, nowMs: number): void {
    const workAtMs = state.workAtMs;
    this.#beginRefill(state);
    if (workAtMs === Number.POSITIVE_INFINITY) {
      this.#states.stand(state, state.isFilling ? "filling" : "idle", nowMs);
    } else if (state.blockedBy !== null && state.tasks.length === 0) {
      this.#states.stand(state, "robots", nowMs);
    } else if (!state.hasAddresses(nowMs)) {
      this.#placeUnresolved(state, nowMs);
    } else {
      if (!this.#workbench.isAttached(state.seat)) this.settle(state);
      const atMs = Math.max(workAtMs, state.nextVisitAtMs);
      this.#workbench.put(state.seat, atMs, this.#rankOf(state));
      const isRetry = workAtMs > nowMs || state.heldUntilMs > nowMs;
      this.#states.stand(state, isRetry ? "retry" : "polite", nowMs);
    }
  }

  #placeUnresolved(state: VisitState, nowMs: number): void {
    if (state.heldUntilMs > nowMs) {
      this.#waitingRoom.put(state.seat, state.heldUntilMs);
      this.#states.stand(state, "retry", nowMs);
    } else {
      this.#toResolve.offer(domainOf(state), state);
      this.#states.stand(state, "resolving", nowMs);
    }
  }

  #placeEnding(state: VisitState, nowMs: number): void {
    if (state.standing === "ending") return;
    this.#beginRefill(state);
    if (state.tickets > 0) {
      this.#ending.add(state);
      this.#states.stand(state, "ending", nowMs);
    } else this.#states.stand(state, state.isFilling ? "filling" : "idle", nowMs);
  }

  #beginRefill(state: VisitState): void {
    if (!state.isFilling && this.#refill?.isDue(state) === true) this.#refill.begin(state);
  }

  #emptyWaitingRoom(nowMs: number): void {
    while (this.#waitingRoom.firstAtMs <= nowMs) {
      const state = this.#states.at(this.#waitingRoom.first);
      this.#waitingRoom.remove(state.seat);
      this.place(state);
    }
  }
}

function domainOf({ host }: VisitState): string {
  return registrableDomain(host) ?? host;
}
