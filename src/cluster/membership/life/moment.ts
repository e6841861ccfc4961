/**
 * Moments by two clocks. A machine that sleeps may stop its monotonic clock, but not the time of day; the
 * time of day may be set, but not the monotonic clock. What has passed between two moments is therefore
 * taken to be the longer of both: an agent that is not sure believes that it was away.
 */
import type { Clock } from "../../../base/seams/index.ts";

export interface Moment {
  readonly nowMs: number;
  readonly wallMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { nowMs: clock.nowMs(), wallMs: clock.wallMs() };
}

/** How long ago that was, by the clock that says more. */
export function elapsedMs(clock: Clock, since: Moment): number {
  return Math.max(clock.nowMs() - since.nowMs, clock.wallMs() - since.wallMs);
}
