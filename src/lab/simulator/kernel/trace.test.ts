import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "./kernel.ts";
import { legendOf, TRACE_LEGEND, Trace } from "./trace.ts";

test("a trace keeps the last lines, oldest first", () => {
  let nowMs = 0;
  const trace = new Trace(3, () => nowMs);
  for (; nowMs < 5; nowMs += 1) trace.add("*", "n1", `note ${nowMs}`);
  assert.deepEqual(
    trace.lines().map((line) => line.trimStart()),
    ["2.000 n1 * note 2", "3.000 n1 * note 3", "4.000 n1 * note 4"],
  );
  assert.equal(trace.written, 5);
});

test("a trace that is off keeps nothing", () => {
  const trace = new Trace(0, () => 0);
  trace.add("*", "n1", "note");
  assert.equal(trace.isOn, false);
  assert.deepEqual(trace.lines(), []);
});

test("a named event of the world leaves a line, one without a name does not", () => {
  const kernel = new Kernel({ seed: "trace", traceLines: 10 });
  kernel.schedule(1.5, () => {}, "the sun rises");
  kernel.schedule(2, () => {});
  while (kernel.step());
  assert.deepEqual(kernel.trace.lines(), ["       1.500 - e the sun rises"]);
});

test("the legend explains the signs that occur, and no sign has two meanings", () => {
  const trace = new Trace(10, () => 0);
  trace.add("t", "n1", "");
  trace.add("F", "-", "crash n1");
  assert.deepEqual(legendOf(trace.lines()), [`  t  ${TRACE_LEGEND.t}`, `  F  ${TRACE_LEGEND.F}`]);
  assert.deepEqual(legendOf([]), []);
});
