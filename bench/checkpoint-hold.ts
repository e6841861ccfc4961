/**
 * Claim: a checkpoint of a running frontier holds its thread for some milliseconds at most, with 100,000
 * hosts in the front as with a thousand. Measured with 1,000, 10,000 and 100,000 hosts (or as many as the
 * arguments say) of three pages each, all of them visited, while checkpoints are taken one after the other:
 * the longest call, the longest turn that follows it, and what all turns of one checkpoint took together,
 * which is how long one turn would hold the thread. Times are of the processor, so that a busy machine
 * does not count.
 */
import type { Clock } from "../src/base/seams/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { FrontierLoad } from "../test/support/frontier/frontier-load.ts";

const SIZES = process.argv.slice(2).map(Number);
const HOSTS = SIZES.length > 0 ? SIZES : [1000, 10_000, 100_000];
const PAGES = 3;
const MIB = 2 ** 20;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Measures turns that come of a checkpoint, and of such turns. */
class MeasuringClock implements Clock {
  readonly #clock = new SystemClock();
  readonly turnsMs: number[] = [];
  isMeasuring = false;

  nowMs(): number {
    return this.#clock.nowMs();
  }

  wallMs(): number {
    return this.#clock.wallMs();
  }

  after(delayMs: number, callback: () => void): ReturnType<Clock["after"]> {
    if (!this.isMeasuring) return this.#clock.after(delayMs, callback);
    return this.#clock.after(delayMs, () => {
      const beginMs = cpuMs();
      this.isMeasuring = true;
      callback();
      this.isMeasuring = false;
      this.turnsMs.push(cpuMs() - beginMs);
    });
  }
}

interface Hold {
  checkpoints: number;
  callMs: number;
  turnMs: number;
  togetherMs: number;
  rows: number;
}

async function measure(hosts: number, traversal: "breadth-first" | "priority"): Promise<Hold> {
  const clock = new MeasuringClock();
  const memoryBytes = 64 * MIB + hosts * 4000;
  const settings = { hostDelayMs: 500, addressDelayMs: 0 };
  const load = new FrontierLoad({
    ...{ hosts, pagesPerHost: PAGES, memoryBytes, settings, traversal, clock },
  });
  await load.open();
  const hold: Hold = { checkpoints: 0, callMs: 0, turnMs: 0, togetherMs: 0, rows: 0 };
  let isSaving = false;
  const save = (): void => {
    if (isSaving) return;
    isSaving = true;
    clock.turnsMs.length = 0;
    const beginMs = cpuMs();
    clock.isMeasuring = true;
    load.frontier.checkpoint((error, changes) => {
      if (error !== null) throw error;
      isSaving = false;
      hold.checkpoints += 1;
      hold.turnMs = Math.max(hold.turnMs, ...clock.turnsMs);
      const togetherMs = clock.turnsMs.reduce((sum, turnMs) => sum + turnMs, 0);
      hold.togetherMs = Math.max(hold.togetherMs, togetherMs);
      hold.rows = Math.max(hold.rows, changes.rows.size);
      load.frontier.committed();
    });
    clock.isMeasuring = false;
    hold.callMs = Math.max(hold.callMs, cpuMs() - beginMs);
  };
  await load.run(save);
  await load.close();
  return hold;
}

console.log("hosts | order | checkpoints | rows, most | call, ms | turn, ms | turns together, ms");
for (const hosts of HOSTS) {
  for (const traversal of ["breadth-first", "priority"] as const) {
    const { checkpoints, rows, callMs, turnMs, togetherMs } = await measure(hosts, traversal);
    const times = [callMs, turnMs, togetherMs].map((ms) => ms.toFixed(1));
    console.log([hosts, traversal, checkpoints, rows, ...times].join(" | "));
  }
}
