/** What went wrong in a run, and the report that lets others reproduce it. */

import { legendOf } from "../kernel/trace.ts";
import { describeFault, type Schedule } from "./fault.ts";
import type { Shrunk } from "./shrink.ts";

export interface Failure {
  /** The name of the check; `ends` and `throws` are the explorer's own. */
  readonly check: string;
  readonly message: string;
  /** Virtual time, and the number of events before it. */
  readonly atMs: number;
  readonly steps: number;
  /** The world's description of its state. */
  readonly state: string;
}

/** A run that once failed, kept for ever, with its schedule, since planners change. */
export interface Regression {
  readonly suite: string;
  readonly seed: string;
  readonly schedule: Schedule;
  /** What it found, in a few words. */
  readonly found: string;
}

export function sameFailure(one: Failure, other: Failure | null): boolean {
  return (
    other !== null &&
    one.check === other.check &&
    one.atMs === other.atMs &&
    one.steps === other.steps &&
    one.state === other.state
  );
}

export interface FailureStory {
  readonly regression: Regression;
  readonly planned: Schedule;
  readonly shrunk: Shrunk;
  readonly failure: Failure;
  readonly trace: readonly string[];
  /** Whether the run, made again with the trace on, failed in exactly the same way. */
  readonly isRepeatable: boolean;
  readonly replay: string;
}

export function describeFailure(story: FailureStory): string {
  const { failure, shrunk, planned, regression, trace } = story;
  const certain = shrunk.isMinimal ? "none can be spared" : "there may be smaller ones";
  return [
    `${regression.suite}: check "${failure.check}" failed at ${failure.atMs.toFixed(3)} ms`,
    `of virtual time, after ${failure.steps} events, with seed ${regression.seed}:`,
    `  ${failure.message}`,
    ...(failure.state === "" ? [] : ["state:", indent(failure.state)]),
    `schedule: ${shrunk.schedule.length} of ${planned.length} planned faults; ${certain}:`,
    ...scheduleLines(shrunk.schedule),
    ...(story.isRepeatable ? [] : [NOT_REPEATABLE]),
    `the last ${trace.length} events:`,
    ...trace,
    "what the signs mean:",
    ...legendOf(trace),
    `again, as planned: ${story.replay}`,
    "to keep it for ever, add this to the file of regressions:",
    JSON.stringify(regression),
  ].join("\n");
}

const NOT_REPEATABLE =
  "THE RUN IS NOT REPEATABLE: with the same seed and schedule it went another way. Something in " +
  "it depends on chance, time or state that does not come from the kernel; find that first.";

function scheduleLines(schedule: Schedule): string[] {
  if (schedule.length === 0) return ["  (none: it fails without faults)"];
  return schedule.map((fault) => `  ${String(fault.atMs).padStart(8)} ms  ${describeFault(fault)}`);
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}
