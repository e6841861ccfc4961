/**
 * The schedule puts every visit state where it belongs: on the workbench while it waits for its turn,
 * to be resolved when its addresses are not known, to the queue when its URLs are there, into the
 * waiting room when it must only wait, among those that end, or aside when nothing is left to do.
 *
 * Invariant: whoever changes a visit state calls `place` afterwards; a visit state is in one of these
 * places, and its standing says in which.
 */
import assert from "node:assert/strict";
import type { Clock } from "../seams/index.ts";
import { ShareLedger, ShareLine } from "../shares/index.ts";
import { registrableDomain } from "../url/index.ts";
import { Fifo } from "./fifo.ts";
import { InstantHeap } from "./instant-heap.ts";
import { NONE } from "./seat-heaps.ts";
import type { VisitState } from "./visit-state.ts";
import type { VisitStates } from "./visit-states.ts";
import type { Workbench } from "./workbench.ts";

export interface ScheduleParts {
  readonly clock: Clock;
  readonly states: VisitStates;
  readonly workbench: Workbench;
  readonly resolvesMax: number;
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
  #refill: Refill | null = null;
  #resolves = 0;

  constructor({ clock, states, workbench, resolvesMax, ranksHosts }: ScheduleParts) {
    this.#clock = clock;
    this.#states = states;
    this.#workbench = workbench;
    this.#resolvesMax = resolvesMax;
    this.#ranksHosts = ranksHosts;
    this.#resolveShares = new ShareLedger(resolvesMax);
    this.#toResolve = new ShareLine(this.#resolveShares);
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
    if (hasErrand) return this.#clock.nowMs();
    return Math.min(this.#workbench.nextAtMs, this.#waitingRoom.firstAtMs);
  }

  /** Puts a visit state where it belongs now. One that is visited or resolved stays there. */
  place(state: VisitState): void {
    const nowMs = this.#clock.nowMs();
    this.#states.weigh(state);
    if (state.standing === "visited" || state.standing === "resolving") return;
    this.#workbench.withdraw(state.seat);
    this.#waitingRoom.remove(state.seat);
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
      const rank = this.#ranksHosts ? -state.nextPriority : 0;
      this.#workbench.put(state.seat, Math.max(workAtMs, state.nextVisitAtMs), rank);
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
