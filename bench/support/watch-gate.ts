/**
 * Loaded into a crawl and its threads before they start: writes a line to a file for each time that answers
 * were held back for a checkpoint.
 */
import { appendFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { AnswerGate } from "../../src/agent/visit/answer-gate.ts";

/** How long answers were held back, once. */
export interface Hold {
  /** From the moment when none was let in any more until they were again. */
  readonly heldMs: number;
  /** Until none was worked on; null if it was given up before. */
  readonly quietMs: number | null;
  /** How much of the time the thread had nothing to do. */
  readonly idleMs: number;
  /** How much of the processor the thread used meanwhile. */
  readonly cpuMs: number;
  /** Answers that were worked on at the beginning. */
  readonly worked: number;
}

const file = process.env["GATE_WATCH_FILE"];
const { close, open } = AnswerGate.prototype;

interface Begun {
  readonly atMs: number;
  readonly cpu: NodeJS.CpuUsage;
  readonly idleMs: number;
  readonly worked: number;
  quietAtMs: number | null;
}

const holds = new WeakMap<AnswerGate, Begun>();

AnswerGate.prototype.close = function (quiet) {
  const begun: Begun = {
    ...{ atMs: performance.now(), cpu: process.threadCpuUsage(), worked: this.worked },
    ...{ idleMs: performance.eventLoopUtilization().idle, quietAtMs: null },
  };
  holds.set(this, begun);
  close.call(this, () => {
    begun.quietAtMs = performance.now();
    quiet();
  });
};

AnswerGate.prototype.open = function () {
  const begun = holds.get(this);
  holds.delete(this);
  if (begun !== undefined && file !== undefined) {
    const { atMs, cpu, quietAtMs, worked } = begun;
    const { user, system } = process.threadCpuUsage(cpu);
    const hold: Hold = {
      ...{ heldMs: performance.now() - atMs, worked },
      quietMs: quietAtMs === null ? null : quietAtMs - atMs,
      idleMs: performance.eventLoopUtilization().idle - begun.idleMs,
      cpuMs: (user + system) / 1000,
    };
    appendFileSync(file, `${JSON.stringify(hold)}\n`);
  }
  open.call(this);
};
