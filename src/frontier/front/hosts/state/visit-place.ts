/**
 * Where a visit state is, and how it moves: on the workbench, in one of the lines, out on an
 * errand, or aside. The phase says which; a visit state is in one place at a time. Only
 * `VisitState` moves it.
 */
import assert from "node:assert/strict";
import type { VisitLines } from "./visit-lines.ts";
import type { VisitState } from "./visit-state.ts";
import type { VisitStates } from "./visit-states.ts";

/**
 * `idle`: nothing to do. `filling`: its URLs are being read from the queue. `resolving`: its
 * addresses are being found. `polite`: it waits for its turn on the workbench. `retry`: it waits
 * before another try. `robots`: another host has its robots.txt. `visited`: its turn has come, or an
 * errand is there. `ending`: its URLs are ended one by one without a fetch. `blocked`: nothing is asked
 * of it until somebody says so.
 */
export type VisitPhase =
  | "idle"
  | "filling"
  | "resolving"
  | "polite"
  | "retry"
  | "robots"
  | "visited"
  | "ending"
  | "blocked";

export class VisitPlace {
  readonly #state: VisitState;
  readonly #states: VisitStates;
  readonly #lines: VisitLines;
  #phase: VisitPhase = "idle";
  /** Whether its resolve errand is out. */
  #isAsked = false;
  /** Whether it holds its canonical name, for which it had to wait first. */
  #isAdmitted = false;
  /** The key of the share for which it waits behind others; null when it does not. */
  #behindFor: string | null = null;

  constructor(state: VisitState, states: VisitStates, lines: VisitLines) {
    this.#state = state;
    this.#states = states;
    this.#lines = lines;
  }

  get phase(): VisitPhase {
    return this.#phase;
  }

  /** Whether it stays where it is until that has ended. */
  get isFixed(): boolean {
    return this.#phase === "visited" || this.#phase === "resolving" || this.#phase === "ending";
  }

  /** Leaves where it waits. */
  leave(): void {
    if (this.#phase !== "polite" && this.#phase !== "retry") return;
    const { seat } = this.#state;
    if (this.#behindFor !== null) {
      this.#lines.behind.remove(this.#behindFor, this.#state);
      this.#behindFor = null;
    } else if (this.#lines.workbench.tryWithdraw(seat)) this.#dismiss(null);
    else if (this.#lines.aliases?.tryWithdraw(seat) !== true) this.#lines.waitingRoom.remove(seat);
  }

  stepAside(phase: "idle" | "filling" | "robots" | "blocked"): void {
    this.#become(phase);
  }

  /** Waits on the workbench; not to be visited before this instant. */
  enterWorkbench(atMs: number, rank: number, phase: "polite" | "retry"): void {
    const { seat, address, server } = this.#state;
    const { canonical } = server;
    if (canonical === null) this.#lines.workbench.put(seat, address, atMs, rank);
    else this.#lines.aliases?.put(seat, canonical, atMs, rank);
    this.#become(phase);
  }

  /** It holds its canonical name from now on, and waits for its address. */
  admit(nowMs: number, rank: number): void {
    const { seat, address } = this.#state;
    this.#isAdmitted = true;
    this.#lines.workbench.put(seat, address, nowMs, rank);
  }

  /** Waits for an instant at which its addresses may be asked for. */
  enterWaitingRoom(untilMs: number): void {
    this.#lines.waitingRoom.put(this.#state.seat, untilMs);
    this.#become("retry");
  }

  /** Waits for its addresses. */
  enterUnresolved(): void {
    this.#lines.enterUnresolved(this.#state);
    this.#become("resolving");
  }

  enterEnding(): void {
    this.#lines.ending.add(this.#state);
    this.#become("ending");
  }

  /** Nothing is left to be ended. */
  leaveEnding(): void {
    const first = this.#lines.ending.take();
    assert(first === this.#state, "hosts end in their order");
    this.#become("filling");
  }

  /** The workbench has acquired its seat. */
  beginTurn(): void {
    const isWaiting = this.#phase === "polite" || this.#phase === "retry";
    assert(isWaiting, "a turn begins for a host that waits for it");
    const { workbench } = this.#lines;
    const address = workbench.addressOf(this.#state.seat);
    assert(address === this.#state.address, "a host is visited where it waits");
    this.#become("visited");
  }

  /** After a visit the address rests from now on, and its server at least until then; else null. */
  endTurn(restsUntilMs: number | null): void {
    assert(this.#phase === "visited", "only a turn that has begun ends");
    const { workbench, clock } = this.#lines;
    workbench.release(this.#state.seat, clock.nowMs(), restsUntilMs !== null);
    this.#dismiss(restsUntilMs);
    this.#become("filling");
  }

  /** After its turn: waits while others go first. */
  stepBehind(key: string): void {
    assert(this.#phase === "filling", "a host steps behind after its turn");
    this.#behindFor = key;
    this.#lines.behind.offer(key, this.#state);
    this.#become("polite");
  }

  /** Was taken from the line behind: waits on the workbench like any other. */
  comeForward(atMs: number, rank: number): void {
    assert(this.#behindFor !== null, "only a host that has stepped behind comes forward");
    this.#behindFor = null;
    this.enterWorkbench(atMs, rank, "polite");
  }

  beginResolve(): void {
    assert(this.#phase === "resolving" && !this.#isAsked, "addresses are asked for once");
    this.#isAsked = true;
  }

  endResolve(wasSlow: boolean): void {
    assert(this.#isAsked, "a resolve errand is ended once");
    this.#isAsked = false;
    this.#lines.endResolve(this.#state, wasSlow);
    this.#become("filling");
  }

  /** Gives its seat back. */
  close(): void {
    assert(this.#phase === "idle", "only idle visit states are dropped");
    this.#lines.workbench.detach(this.#state.seat);
    this.#lines.aliases?.detach(this.#state.seat);
  }

  /** Gives its canonical name back, if it holds it. */
  #dismiss(restsUntilMs: number | null): void {
    if (!this.#isAdmitted) return;
    this.#isAdmitted = false;
    const { aliases, clock } = this.#lines;
    const visit = restsUntilMs === null ? null : { endAtMs: clock.nowMs(), restsUntilMs };
    aliases?.dismiss(this.#state.seat, visit);
  }

  #become(phase: VisitPhase): void {
    const before = this.#phase;
    if (phase === before) return;
    this.#phase = phase;
    this.#states.moved(this.#state, before);
  }
}
