/**
 * The kernel: virtual time, and the events that are to happen in it, ordered by (instant, order of
 * scheduling). Nothing else moves time. One seed decides everything that is drawn, so the same
 * seed and the same code give the same run, event for event.
 *
 * Instants lie on a grid of 1/1024 ms. Sums and differences of such numbers are exact in floating
 * point, so "at least 10 ms later" never fails by a rounding error, on any machine.
 */
import assert from "node:assert/strict";
import { SeededRandom } from "../../../base/random/index.ts";
import type { Clock, Random, Timer } from "../../../base/seams/index.ts";
import { type Due, DueHeap, NO_PLACE } from "../../../base/time/index.ts";
import { Trace } from "./trace.ts";

const TICKS_PER_MS = 1024;

/** More events than any span of time should hold: beyond this, something loops. */
const STEPS_MAX = 10_000_000;

/** What a simulated wall clock shows when virtual time begins: the start of the year 2030. */
export const EPOCH_MS: number = Date.UTC(2030, 0, 1);

export interface KernelOptions {
  readonly seed: string;
  /** How many lines of trace are kept; 0, the default, turns the trace off. */
  readonly traceLines?: number;
}

export interface RunLimits {
  readonly stepsMax: number;
  /** Virtual time that this run may take. */
  readonly virtualMsMax: number;
}

/** `silent`: the condition does not hold and nothing is left that could change it. */
export type RunEnd = "done" | "silent" | "out-of-steps" | "out-of-time";

export class Kernel {
  readonly seed: string;
  /** The root of all random numbers; fork it by your own label rather than drawing from it. */
  readonly random: Random;
  readonly trace: Trace;
  /** True time, without drift, pauses or crashes: for the world around the nodes. */
  readonly clock: Clock;
  readonly #events = new DueHeap<KernelEvent>();
  #nowMs = 0;
  #steps = 0;

  constructor(options: KernelOptions) {
    this.seed = options.seed;
    this.random = new SeededRandom(options.seed);
    this.trace = new Trace(options.traceLines ?? 0, () => this.#nowMs);
    this.clock = {
      nowMs: () => this.#nowMs,
      wallMs: () => EPOCH_MS + Math.floor(this.#nowMs),
      after: (delayMs, callback) => this.schedule(delayMs, callback),
    };
  }

  /** Virtual time since the beginning. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** How many events have happened. */
  get steps(): number {
    return this.#steps;
  }

  /** How many events are still to happen. */
  get waiting(): number {
    return this.#events.size;
  }

  /** `label` names the event in the trace; without one it leaves no line there. */
  schedule(delayMs: number, run: () => void, label = ""): Timer {
    assert(delayMs >= 0, "an event is not scheduled in the past");
    return this.scheduleAt(onGrid(this.#nowMs + delayMs), run, label);
  }

  /** As `schedule`, for an instant on the grid. */
  scheduleAt(atMs: number, run: () => void, label = ""): Timer {
    assert(atMs >= this.#nowMs && Number.isFinite(atMs), "an event happens now or later");
    const event = new KernelEvent(this.#events, atMs, run, label);
    this.#events.add(event);
    return event;
  }

  /** Lets the next event happen; false when there is none. */
  step(): boolean {
    const event = this.#events.take();
    if (event === undefined) return false;
    this.#nowMs = event.dueAtMs;
    this.#steps += 1;
    if (event.label !== "") this.trace.add("e", "-", event.label);
    event.run();
    return true;
  }

  /**
   * Lets events happen until the condition holds; it is asked at first and after every event.
   * Always returns: when a limit is reached, time stands at that limit at the latest.
   */
  runUntil(condition: () => boolean, limits: RunLimits): RunEnd {
    const lastMs = onGrid(this.#nowMs + limits.virtualMsMax);
    const lastStep = this.#steps + limits.stepsMax;
    while (!condition()) {
      const next = this.#events.first;
      if (next === undefined) return "silent";
      if (this.#steps >= lastStep) return "out-of-steps";
      if (next.dueAtMs > lastMs) {
        this.#nowMs = lastMs;
        return "out-of-time";
      }
      this.step();
    }
    return "done";
  }

  /** Lets this much virtual time pass, with everything that happens in it. */
  pass(virtualMs: number): void {
    const lastMs = onGrid(this.#nowMs + virtualMs);
    const end = this.runUntil(() => false, { stepsMax: STEPS_MAX, virtualMsMax: virtualMs });
    assert(end !== "out-of-steps", `more than ${STEPS_MAX} events happened in ${virtualMs} ms`);
    this.#nowMs = lastMs;
  }
}

/** The first instant of the grid that is not before this one. */
export function onGrid(instantMs: number): number {
  return Math.ceil(instantMs * TICKS_PER_MS) / TICKS_PER_MS;
}

/** The last instant of the grid that is not after this one. */
export function onGridBefore(instantMs: number): number {
  return Math.floor(instantMs * TICKS_PER_MS) / TICKS_PER_MS;
}

class KernelEvent implements Timer, Due {
  readonly dueAtMs: number;
  readonly run: () => void;
  readonly label: string;
  sequence = 0;
  place: number = NO_PLACE;
  readonly #events: DueHeap<KernelEvent>;

  constructor(events: DueHeap<KernelEvent>, dueAtMs: number, run: () => void, label: string) {
    this.#events = events;
    this.dueAtMs = dueAtMs;
    this.run = run;
    this.label = label;
  }

  cancel(): void {
    this.#events.remove(this);
  }
}
