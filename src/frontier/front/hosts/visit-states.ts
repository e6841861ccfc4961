/**
 * The register of visit states: which hosts have one, where each stands, how much memory they take.
 *
 * A visit state with nothing to do is kept, since its robots rules are worth having, until its memory
 * is needed or its rules are too old. What a host asked for survives its visit state: how long it
 * wants to be left alone is written down when the state is dropped.
 */
import assert from "node:assert/strict";
import type { HostName } from "../../../formats/url/index.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import { type Standing, VisitState } from "./visit-state.ts";

/** When so many rests are written down, those that are over are struck out. */
const RESTS_MAX = 10_000;

export class VisitStates {
  readonly #settings: FrontierSettings;
  readonly #bySeat: (VisitState | undefined)[] = [];
  readonly #byNumber = new Map<number, VisitState>();
  readonly #vacantSeats: number[] = [];
  /** The longest idle first. */
  readonly #idle = new Set<VisitState>();
  readonly #rests = new Map<number, number>();
  readonly #counts = new Map<Standing, number>();
  #heldBytes = 0;
  #robotsBytes = 0;
  #restsMax = RESTS_MAX;

  constructor(settings: FrontierSettings) {
    this.#settings = settings;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** What of it their robots rules take. */
  get robotsBytes(): number {
    return this.#robotsBytes;
  }

  /** Visit states that have something to do. */
  get front(): number {
    return this.#byNumber.size - this.#idle.size;
  }

  count(standing: Standing): number {
    return this.#counts.get(standing) ?? 0;
  }

  at(seat: number): VisitState {
    const state = this.#bySeat[seat];
    assert(state !== undefined, "the seat is taken");
    return state;
  }

  find(number: number): VisitState | undefined {
    return this.#byNumber.get(number);
  }

  /** Makes the visit state of a host that has none. */
  open(number: number, host: HostName, nowMs: number): VisitState {
    assert(!this.#byNumber.has(number), "a host has one visit state");
    const seat = this.#vacantSeats.pop() ?? this.#bySeat.length;
    // Files of this machine need no politeness, and no address.
    const pace = host === "" ? { ...this.#settings, hostDelayMs: 0 } : this.#settings;
    const state = new VisitState(seat, number, host, pace);
    this.#bySeat[seat] = state;
    this.#byNumber.set(number, state);
    state.nextVisitAtMs = this.#rests.get(number) ?? Number.NEGATIVE_INFINITY;
    this.#rests.delete(number);
    this.#become(state, "idle", nowMs);
    this.weigh(state);
    return state;
  }

  stand(state: VisitState, standing: Standing, nowMs: number): void {
    if (state.standing === standing) return;
    this.#counts.set(state.standing, this.count(state.standing) - 1);
    if (state.standing === "idle") this.#idle.delete(state);
    this.#become(state, standing, nowMs);
  }

  /** Counts the memory of a visit state anew. */
  weigh(state: VisitState): void {
    const { robotsBytes } = state;
    const bytes = state.ownBytes + robotsBytes;
    this.#heldBytes += bytes - state.countedBytes;
    this.#robotsBytes += robotsBytes - state.countedRobotsBytes;
    state.countedBytes = bytes;
    state.countedRobotsBytes = robotsBytes;
  }

  /**
   * The visit state that has been idle for longest, if it may be dropped: because its rules are too
   * old, or because memory is needed.
   */
  idlest(nowMs: number, needsMemory: boolean): VisitState | null {
    for (const state of this.#idle) {
      const isOld = nowMs - state.idleSinceMs > this.#settings.robotsMaxAgeMs;
      return isOld || needsMemory ? state : null;
    }
    return null;
  }

  /** Drops a visit state that is idle. */
  close(state: VisitState, nowMs: number): void {
    assert(
      state.standing === "idle" && state.flight === null,
      "only idle visit states are dropped",
    );
    this.#idle.delete(state);
    this.#counts.set("idle", this.count("idle") - 1);
    this.#byNumber.delete(state.number);
    this.#bySeat[state.seat] = undefined;
    this.#vacantSeats.push(state.seat);
    this.#heldBytes -= state.countedBytes;
    this.#robotsBytes -= state.countedRobotsBytes;
    if (state.nextVisitAtMs > nowMs) this.#noteRest(state, nowMs);
  }

  #become(state: VisitState, standing: Standing, nowMs: number): void {
    state.standing = standing;
    this.#counts.set(standing, this.count(standing) + 1);
    if (standing !== "idle") return;
    state.idleSinceMs = nowMs;
    this.#idle.add(state);
  }

  #noteRest(state: VisitState, nowMs: number): void {
    this.#rests.set(state.number, state.nextVisitAtMs);
    if (this.#rests.size < this.#restsMax) return;
    for (const [number, untilMs] of this.#rests) if (untilMs <= nowMs) this.#rests.delete(number);
    this.#restsMax = Math.max(RESTS_MAX, 2 * this.#rests.size);
  }
}
