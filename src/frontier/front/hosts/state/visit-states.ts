/**
 * The register of visit states: which hosts have one, how many are in which phase, how much memory
 * they take.
 *
 * A visit state with nothing to do is kept for its robots rules until its memory is needed or the
 * rules are too old. How long a host wants to be left alone is noted when its visit state is dropped.
 */
import assert from "node:assert/strict";
import type { Clock } from "../../../../base/seams/index.ts";
import { ChangedPieces, type PieceSink } from "../../../queues/index.ts";
import type { IdleReason } from "../../frontier.ts";
import type { FrontierSettings } from "../../frontier-settings.ts";
import type { CheckpointClock, SavedInstant } from "../../saving/checkpoint-clock.ts";
import { queueRecords } from "../../saving/ticket-texts.ts";
import type { HostRules } from "../host-rules.ts";
import type { HostWaits } from "./host-waits.ts";
import type { KnownHost, VisitHome } from "./visit-home.ts";
import type { VisitPhase } from "./visit-place.ts";
import { VisitState } from "./visit-state.ts";

/** At this many noted rests those that are over are removed. */
const RESTS_MAX = 10_000;

/** Why hosts in a phase are not fetched from. */
const REASONS: readonly (readonly [phase: VisitPhase, reason: IdleReason])[] = [
  ["polite", "politeness"],
  ["resolving", "resolving"],
  ["robots", "robots"],
  ["retry", "retry"],
  ["filling", "reading"],
  ["blocked", "blocked"],
];

export type SavedRest = readonly [number: number, until: SavedInstant];

export interface VisitStatesOptions {
  readonly clock: Clock;
  readonly settings: FrontierSettings;
  readonly rules: HostRules;
  readonly crawlClock: CheckpointClock;
  /**
   * If the process before this one was killed, the instant at which this one began: nobody knows what
   * was visited until then. Else null.
   */
  readonly killedAtMs: number | null;
}

export class VisitStates {
  /** As in the options. */
  readonly killedAtMs: number | null;
  /** Told, while `watch` is true, of visit states that have moved. */
  rested: (state: VisitState) => void = () => undefined;
  watch = false;
  /** For checkpoints: visit states by the numbers of their hosts. */
  readonly pieces: ChangedPieces;
  readonly #flying = new Set<number>();
  readonly #clock: Clock;
  readonly #settings: FrontierSettings;
  readonly #rules: HostRules;
  readonly #bySeat: (VisitState | null)[] = [];
  readonly #byNumber = new Map<number, VisitState>();
  readonly #vacantSeats: number[] = [];
  /** Since when they are; the longest idle first. */
  readonly #idle = new Map<VisitState, number>();
  readonly #rests = new Map<number, number>();
  readonly #counts: Record<VisitPhase, number> = {
    idle: 0,
    filling: 0,
    resolving: 0,
    polite: 0,
    retry: 0,
    robots: 0,
    visited: 0,
    ending: 0,
    blocked: 0,
  };
  #unknownUntilMs: number | null;
  #heldBytes = 0;
  #robotsBytes = 0;
  #restsMax = RESTS_MAX;

  constructor({ clock, settings, rules, crawlClock, killedAtMs }: VisitStatesOptions) {
    this.#clock = clock;
    this.#settings = settings;
    this.#rules = rules;
    this.killedAtMs = killedAtMs;
    this.#unknownUntilMs = killedAtMs;
    const record = queueRecords();
    this.pieces = new ChangedPieces((number) => {
      const saved = this.find(number)?.save(crawlClock, record);
      return saved === undefined ? null : Buffer.from(JSON.stringify(saved));
    });
  }

  /** For visit states: that of this host is about to change, as far as a checkpoint has it. */
  changing(number: number): void {
    this.pieces.changing(number);
  }

  /** The moment of a checkpoint. Of a visit it is not known how long it goes on, so its rest is new. */
  beginSaving(sink: PieceSink): void {
    for (const number of this.#flying) this.pieces.changing(number);
    this.pieces.begin(sink);
  }

  /** For visit states: nobody knows what others, or a process that was killed, have asked of the host. */
  restSinceKill(waits: HostWaits): void {
    if (this.#unknownUntilMs !== null) waits.restSince(this.#unknownUntilMs);
  }

  /** Nobody knows what was asked of hosts until now: those that are withheld, and those to come. */
  restSince(atMs: number): void {
    this.#unknownUntilMs = atMs;
    for (const state of this.all()) if (state.phase === "blocked") state.restSince(atMs);
  }

  /** A host is left alone until then. */
  restUntil(number: number, untilMs: number): void {
    const state = this.find(number);
    if (state === null)
      this.#rests.set(number, Math.max(untilMs, this.#rests.get(number) ?? untilMs));
    else state.restUntil(untilMs);
  }

  /** Until when a host is left alone, whether it has a visit state or not. */
  restsUntilMsOf(number: number): number {
    return this.find(number)?.restsUntilMs ?? this.#rests.get(number) ?? Number.NEGATIVE_INFINITY;
  }

  /** For visit states: an errand is sent to the host. */
  takesOff({ number }: VisitState): void {
    this.pieces.changing(number);
    this.#flying.add(number);
  }

  /** For visit states: the visit has ended, which was told by the rest that follows it. */
  landed({ number }: VisitState): void {
    this.#flying.delete(number);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** What of it their robots rules take. */
  get robotsBytes(): number {
    return this.#robotsBytes;
  }

  /** Visit states that have something to do, and may. */
  get front(): number {
    return this.#byNumber.size - this.#idle.size - this.#counts.blocked;
  }

  /** All of them, those without anything to do included. */
  get size(): number {
    return this.#byNumber.size;
  }

  count(phase: VisitPhase): number {
    return this.#counts[phase];
  }

  /** How many hosts wait, by what they wait for. */
  get waiting(): Partial<Record<IdleReason, number>> {
    const waiting: Partial<Record<IdleReason, number>> = {};
    for (const [phase, reason] of REASONS) {
      if (this.#counts[phase] > 0) waiting[reason] = this.#counts[phase];
    }
    return waiting;
  }

  at(seat: number): VisitState {
    const state = this.#bySeat[seat] ?? null;
    assert(state !== null, "the seat is taken");
    return state;
  }

  all(): Iterable<VisitState> {
    return this.#byNumber.values();
  }

  /** The rules of single hosts have changed. */
  applyRules(): void {
    for (const state of this.all()) state.politeness = this.#rules.of(state.host);
  }

  /** How long hosts without a visit state rest, by number. */
  saveRests(clock: CheckpointClock): readonly SavedRest[] {
    const nowMs = this.#clock.nowMs();
    const rests: SavedRest[] = [];
    for (const [number, untilMs] of this.#rests) {
      if (untilMs > nowMs) rests.push([number, clock.save(untilMs)]);
    }
    return rests;
  }

  restoreRests(saved: readonly SavedRest[], clock: CheckpointClock): void {
    for (const [number, until] of saved) {
      this.#rests.set(number, clock.restoreRest(until, Number.POSITIVE_INFINITY));
    }
  }

  /** The visit state of a host; null when it has none. */
  find(number: number): VisitState | null {
    return this.#byNumber.get(number) ?? null;
  }

  /** Makes the visit state of a host that has none; it is idle. */
  open(known: KnownHost, home: VisitHome): VisitState {
    const { number, host } = known;
    assert(!this.#byNumber.has(number), "a host has one visit state");
    this.pieces.changing(number);
    const seat = this.#vacantSeats.pop() ?? this.#bySeat.length;
    const restsUntilMs = this.#rests.get(number) ?? Number.NEGATIVE_INFINITY;
    this.#rests.delete(number);
    const state = new VisitState({ ...known, seat, restsUntilMs }, this.#rules.of(host), home);
    this.#bySeat[seat] = state;
    this.#byNumber.set(number, state);
    this.#counts.idle += 1;
    this.#idle.set(state, this.#clock.nowMs());
    return state;
  }

  /** For visit states: one of them has another phase than before. */
  moved(state: VisitState, before: VisitPhase): void {
    const { phase } = state;
    this.#counts[before] -= 1;
    this.#counts[phase] += 1;
    if (before === "idle") this.#idle.delete(state);
    if (phase === "idle") this.#idle.set(state, this.#clock.nowMs());
  }

  /** For visit states: one of them takes more memory, or less, its robots rules included. */
  weighed(changeBytes: number, robotsChangeBytes: number): void {
    this.#heldBytes += changeBytes;
    this.#robotsBytes += robotsChangeBytes;
  }

  /**
   * The visit state that has been idle for longest, if it may be dropped: because its rules are too
   * old, or because memory is needed.
   */
  idlest(needsMemory: boolean): VisitState | null {
    for (const [state, sinceMs] of this.#idle) {
      const idleMs = this.#clock.nowMs() - sinceMs;
      return idleMs > this.#settings.robotsMaxAgeMs || needsMemory ? state : null;
    }
    return null;
  }

  /** For visit states: one of them, which is idle, is dropped. */
  remove(state: VisitState): void {
    const { number, seat, restsUntilMs } = state;
    this.pieces.changing(number);
    this.#idle.delete(state);
    this.#counts.idle -= 1;
    this.#byNumber.delete(number);
    this.#bySeat[seat] = null;
    this.#vacantSeats.push(seat);
    const nowMs = this.#clock.nowMs();
    if (restsUntilMs > nowMs) this.#noteRest(number, restsUntilMs, nowMs);
  }

  #noteRest(number: number, restsUntilMs: number, nowMs: number): void {
    this.#rests.set(number, restsUntilMs);
    if (this.#rests.size < this.#restsMax) return;
    for (const [host, untilMs] of this.#rests) if (untilMs <= nowMs) this.#rests.delete(host);
    this.#restsMax = Math.max(RESTS_MAX, 2 * this.#rests.size);
  }
}
