/**
 * Loaded into a crawl before it starts: writes down, again and again, what the process holds. The delay
 * of the event loop is that part of it which is the crawl's own: the processor time of the main thread
 * by which a timer was late, since on a busy machine the clock also counts the time of others.
 */
import { appendFileSync, readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/** The environment variable that names the file of samples, a line of JSON each. */
export const SOAK_FILE = "SOAK_SAMPLES_FOR_TEST";

export interface SoakSample {
  readonly atMs: number;
  /** After a full collection: the heap and what is beside it. */
  readonly heldBytes: number;
  /** Files, sockets and pipes that are open. */
  readonly handles: number;
  /** Since the last sample: by how much the timer was late, of a hundred in this order. */
  readonly delaysMs: readonly number[];
}

const TICK_MS = 20;
const SAMPLE_TICKS = 100;

const file = process.env[SOAK_FILE];
if (isMainThread && file !== undefined) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let delaysMs: number[] = [];
  let lastMs = spentMs();
  const sample = (): SoakSample => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const handles = readdirSync("/proc/self/fd").length;
    return { atMs: performance.now(), heldBytes: heapUsed + external, handles, delaysMs };
  };
  const tick = (): void => {
    const nowMs = spentMs();
    delaysMs.push(Math.max(0, nowMs - lastMs - TICK_MS));
    if (delaysMs.length >= SAMPLE_TICKS) {
      appendFileSync(file, `${JSON.stringify(sample())}\n`);
      delaysMs = [];
    }
    // What the sample itself took is not the crawl's.
    lastMs = spentMs();
  };
  setInterval(tick, TICK_MS).unref();
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
