/**
 * Counts the calls of functions in a process that is told when to begin and when to say what it
 * counted; loaded into it with `--import`. V8 counts every call while this runs, so times mean
 * nothing meanwhile. Calls in other threads of the process are not seen.
 */

import type { Profiler } from "node:inspector";
import { Session } from "node:inspector";

/** What the process is told over its channel; it answers each with a `Counted`. */
export type CounterOrder = "begin" | "end";

/** The functions called since `begin`, at least once each; none in the answer to `begin`. */
export interface Counted {
  readonly calls: readonly CalledFunction[];
}

export interface CalledFunction {
  /** The URL of the file. */
  readonly file: string;
  /** Empty for a function without a name. */
  readonly name: string;
  /** Where it begins in its file. */
  readonly offset: number;
  readonly count: number;
}

const session = new Session();
session.connect();
session.post("Profiler.enable");

process.on("message", (order: CounterOrder) => {
  if (order === "begin") {
    session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false }, () =>
      session.post("Profiler.takePreciseCoverage", () => answer([])),
    );
  } else {
    session.post("Profiler.takePreciseCoverage", (error, taken) => {
      if (error !== null) throw error;
      answer(taken.result.flatMap(calledIn));
    });
  }
});
// Counting does not keep the process from ending.
process.channel?.unref();

function answer(calls: readonly CalledFunction[]): void {
  const counted: Counted = { calls };
  process.send?.(counted);
}

function calledIn({ url, functions }: Profiler.ScriptCoverage): CalledFunction[] {
  return functions.flatMap(({ functionName: name, ranges: [range] }) =>
    range === undefined || range.count === 0
      ? []
      : [{ file: url, name, offset: range.startOffset, count: range.count }],
  );
}
