/**
 * When the segments of one direction of a connection arrive. Drawn from a seed: the same segments at the
 * same instants arrive at the same instants.
 *
 * Invariant: no segment arrives before one that was sent earlier.
 */
import assert from "node:assert/strict";
import type { Random } from "../../base/seams/index.ts";

export interface Slowness {
  /** From one end to the other; half of a round trip. */
  readonly oneWayMs: number;
  /** How many of all segments stall, from 0 to 1. */
  readonly stallShare: number;
  /** The shortest stall and the longest. */
  readonly stallMs: readonly [number, number];
}

const SEGMENT_BYTES = 1460;

/** Bytes that arrive together. */
export interface Arrival {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

export class Transit {
  readonly #slowness: Slowness;
  readonly #random: Random;
  #lastAtMs = Number.NEGATIVE_INFINITY;
  #stalls = 0;

  constructor(slowness: Slowness, random: Random) {
    const [shortestMs, longestMs] = slowness.stallMs;
    assert(slowness.oneWayMs >= 0 && shortestMs >= 0, "nothing arrives before it is sent");
    assert(shortestMs <= longestMs, "the longest stall is not shorter than the shortest");
    this.#slowness = slowness;
    this.#random = random;
  }

  /** How many segments have stalled. */
  get stalls(): number {
    return this.#stalls;
  }

  /** What is sent now, in order; segments that arrive at one instant are one. */
  arrivals(sent: Uint8Array, nowMs: number): Arrival[] {
    const arrivals: Arrival[] = [];
    let from = 0;
    let atMs = this.next(nowMs);
    for (let to = SEGMENT_BYTES; to < sent.length; to += SEGMENT_BYTES) {
      const nextMs = this.next(nowMs);
      if (nextMs === atMs) continue;
      arrivals.push({ atMs, bytes: sent.subarray(from, to) });
      from = to;
      atMs = nextMs;
    }
    arrivals.push({ atMs, bytes: sent.subarray(from) });
    return arrivals;
  }

  /** When a segment arrives that is sent now. */
  next(nowMs: number): number {
    const { oneWayMs, stallShare, stallMs } = this.#slowness;
    let atMs = nowMs + oneWayMs;
    if (this.#random.unit() < stallShare) {
      this.#stalls += 1;
      atMs += stallMs[0] + this.#random.unit() * (stallMs[1] - stallMs[0]);
    }
    this.#lastAtMs = Math.max(this.#lastAtMs, atMs);
    return this.#lastAtMs;
  }
}
