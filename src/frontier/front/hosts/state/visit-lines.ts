/**
 * The lines in which visit states wait: on the workbench for their turn, before that for the other
 * names of their server where these count (`alias-bench.ts`), in the waiting room for an
 * instant, to be resolved, behind others while slots are short, to be ended. Visit states enter and
 * leave the lines by themselves (`visit-place.ts`); this class says whose turn it is.
 */
import type { Clock } from "../../../../base/seams/index.ts";
import { ShareLedger, ShareLine } from "../../../../base/shares/index.ts";
import { registrableDomain } from "../../../../formats/url/index.ts";
import { Fifo } from "../../../queues/index.ts";
import type { AliasBench } from "../../bench/alias-bench.ts";
import { InstantHeap } from "../../bench/instant-heap.ts";
import { NONE } from "../../bench/seat-heaps.ts";
import type { VisitErrand, VisitShares } from "../../bench/visit-shares.ts";
import type { Workbench } from "../../bench/workbench.ts";

import type { VisitState } from "./visit-state.ts";
import type { VisitStates } from "./visit-states.ts";

/** How many hosts that are due are looked at for one that need not wait behind others. */
const LOOKS_MAX = 64;

export interface VisitLinesParts {
  readonly clock: Clock;
  readonly states: VisitStates;
  readonly workbench: Workbench;
  /** Null unless names of one server are visited as one host. */
  readonly aliases?: AliasBench | null;
  readonly resolvesMax: number;
  readonly shares: VisitShares;
  /** Whether hosts are compared by the priority of what comes next. */
  readonly ranksHosts: boolean;
}

export class VisitLines {
  readonly clock: Clock;
  readonly ranksHosts: boolean;
  readonly workbench: Workbench;
  readonly aliases: AliasBench | null;
  /** Seats that wait for an instant and not for their turn on the workbench. */
  readonly waitingRoom: InstantHeap = new InstantHeap();
  /** Hosts whose turn has come but that let others go first. */
  readonly behind: ShareLine<VisitState>;
  /** Hosts whose URLs end without a fetch. */
  readonly ending: Fifo<VisitState> = new Fifo<VisitState>();
  readonly #states: VisitStates;
  readonly #shares: VisitShares;
  readonly #resolvesMax: number;
  /** By registrable domain, whose name servers can delay any number of names. */
  readonly #resolveShares: ShareLedger;
  readonly #unresolved: ShareLine<VisitState>;
  #resolves = 0;

  constructor(parts: VisitLinesParts) {
    const { clock, states, workbench, aliases = null, resolvesMax, shares, ranksHosts } = parts;
    this.clock = clock;
    this.ranksHosts = ranksHosts;
    this.workbench = workbench;
    this.aliases = aliases;
    this.behind = new ShareLine(shares.ledger);
    this.#states = states;
    this.#shares = shares;
    this.#resolvesMax = resolvesMax;
    this.#resolveShares = new ShareLedger(resolvesMax);
    this.#unresolved = new ShareLine(this.#resolveShares);
  }

  /** Hosts that wait for a resolve errand. */
  get unresolved(): number {
    return this.#unresolved.size;
  }

  /** Hosts whose resolve errand is out. */
  get resolving(): number {
    return this.#resolves;
  }

  /** When `acquire…` may have something; now when it has. */
  get nextAtMs(): number {
    const hasErrand =
      this.ending.size > 0 || (this.#unresolved.size > 0 && this.#resolves < this.#resolvesMax);
    if (hasErrand || this.behind.has(this.#shares.maySlow)) return this.clock.nowMs();
    const behindAtMs =
      this.behind.size === 0 ? Number.POSITIVE_INFINITY : this.#shares.confinedUntilMs;
    const admitAtMs = this.aliases?.nextAtMs ?? Number.POSITIVE_INFINITY;
    return Math.min(this.workbench.nextAtMs, admitAtMs, this.waitingRoom.firstAtMs, behindAtMs);
  }

  /** A host whose addresses are to be found; the caller sends the errand. */
  acquireUnresolved(): VisitState | null {
    if (this.#resolves >= this.#resolvesMax) return null;
    const state = this.#unresolved.take(true) ?? null;
    if (state === null) return null;
    this.#resolves += 1;
    this.#resolveShares.hold(domainOf(state));
    state.beginResolve();
    return state;
  }

  /** A host that may be visited now; the caller sends an errand there, or lets its turn pass. */
  acquire(): VisitState | null {
    const nowMs = this.clock.nowMs();
    this.#emptyWaitingRoom(nowMs);
    if (!this.#shares.isShort && this.behind.size === 0) return this.#acquireFirst(nowMs);
    return this.#acquireQuick(nowMs) ?? this.#acquireBehind(nowMs);
  }

  /** Whether, if there were a slot, a host could be visited now that need not wait behind others. */
  hasQuick(): boolean {
    const nowMs = this.clock.nowMs();
    this.#emptyWaitingRoom(nowMs);
    const state = this.#acquireQuick(nowMs);
    state?.passTurn();
    return state !== null || this.behind.hasQuick;
  }

  /** A visit has ended; `bodyBytes` came, null when it was cancelled. */
  endVisit(errand: VisitErrand, bodyBytes: number | null): void {
    const keys = this.#shares.end(errand, bodyBytes);
    if (keys === null || this.behind.size === 0) return;
    for (const key of keys) this.behind.settle(key);
  }

  /** For visit states: one of them waits to be resolved. */
  enterUnresolved(state: VisitState): void {
    this.#unresolved.offer(domainOf(state), state);
  }

  /** For visit states: a resolve errand has ended; `wasSlow` when nobody answered in time. */
  endResolve(state: VisitState, wasSlow: boolean): void {
    const domain = domainOf(state);
    this.#resolves -= 1;
    this.#resolveShares.release(domain);
    this.#resolveShares.note(domain, wasSlow);
    this.#unresolved.settle(domain);
  }

  /** The rules have changed, perhaps to shorter delays: the servers of all hosts are told anew. */
  retellDelays(): void {
    if (this.aliases === null) return;
    this.aliases.table.forgetDelays();
    for (const state of this.#states.all()) state.server.tellDelay();
  }

  #acquireFirst(nowMs: number): VisitState | null {
    for (;;) {
      if (this.aliases !== null) this.#admit(this.aliases, nowMs);
      const seat = this.workbench.acquire(nowMs);
      if (seat === NONE) return null;
      const state = this.#states.at(seat);
      if (state.tryTakeTurn(nowMs)) return state;
    }
  }

  #admit(aliases: AliasBench, nowMs: number): void {
    for (let seat = aliases.admit(nowMs); seat !== NONE; seat = aliases.admit(nowMs)) {
      this.#states.at(seat).admit(nowMs);
    }
  }

  /** The first due host that need not wait behind others; those that must, step behind. */
  #acquireQuick(nowMs: number): VisitState | null {
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      const state = this.#acquireFirst(nowMs);
      if (state === null) return null;
      const key = this.#shares.isShort ? this.#shares.keyBehind(state.host, state.address) : null;
      if (key === null) return state;
      state.stepBehind(key);
    }
    return null;
  }

  /** The next of those that wait behind. */
  #acquireBehind(nowMs: number): VisitState | null {
    for (;;) {
      const state = this.behind.take(this.#shares.maySlow) ?? null;
      if (state === null) return null;
      // Its address may be taken by now: then it waits for that like any other.
      state.comeForward(nowMs);
      const first = this.#acquireFirst(nowMs);
      if (first !== null) return first;
    }
  }

  #emptyWaitingRoom(nowMs: number): void {
    while (this.waitingRoom.firstAtMs <= nowMs) this.#states.at(this.waitingRoom.first).goOn();
  }
}

function domainOf({ host }: VisitState): string {
  return registrableDomain(host) ?? host;
}
