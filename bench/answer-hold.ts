/**
 * Claim: for a checkpoint answers are held back for 50 ms at most. Crawls a web that costs its server next
 * to nothing, without delays, with one lane and with two, and a checkpoint every second; then the same
 * with processes beside it that use the processor wholly. Printed are, over all checkpoints and lanes,
 * how long answers were held back, how much of that the lane had nothing to do, and how often in vain.
 * `node bench/answer-hold.ts [--urls 8000] [--checkpoint 1s] [--lanes 1,2] [--burners 0,4]`
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { crawlCost, shareOf } from "./support/crawl-cost.ts";
import type { Hold } from "./support/watch-gate.ts";

const watch = fileURLToPath(new URL("./support/watch-gate.ts", import.meta.url));
const checkout = resolve(import.meta.dirname, "..");

const { values } = parseArgs({
  options: {
    urls: { type: "string", default: "8000" },
    checkpoint: { type: "string", default: "1s" },
    lanes: { type: "string", default: "1,2" },
    burners: { type: "string", default: "0,4" },
  },
});

async function holdsOf(lanes: number): Promise<{ holds: Hold[]; pages: number; user: number }> {
  const folder = mkdtempSync(join(tmpdir(), "answer-hold-"));
  const file = join(folder, "holds");
  try {
    const settings = [`store.checkpoint=${values.checkpoint}`, `lanes=${lanes}`];
    const environment = { NODE_OPTIONS: `--import=${watch}`, GATE_WATCH_FILE: file };
    const cost = await crawlCost({ checkout, settings, environment }, Number(values.urls));
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    return { holds: lines.map((line) => JSON.parse(line) as Hold), ...cost };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function burn(): ChildProcess {
  return spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
}

function spread(numbers: readonly number[]): string {
  return [0.5, 0.9, 0.99, 1].map((share) => shareOf(numbers, share).toFixed(1)).join(" / ");
}

for (const burners of values.burners.split(",").map(Number)) {
  const others = Array.from({ length: burners }, burn);
  try {
    for (const lanes of values.lanes.split(",").map(Number)) {
      const { holds, pages, user } = await holdsOf(lanes);
      const inVain = holds.filter(({ quietMs }) => quietMs === null).length;
      console.log(
        `${lanes} lanes, ${burners} other processes, load ${loadavg()[0]?.toFixed(0)}: ` +
          `${pages} pages, user ${user.toFixed(0)} µs a page; ${holds.length} holds, ${inVain} in vain`,
      );
      const columns: Readonly<Record<string, (hold: Hold) => number>> = {
        "held, ms": ({ heldMs }) => heldMs,
        "  idle, ms": ({ idleMs }) => idleMs,
        "  processor, ms": ({ cpuMs }) => cpuMs,
        "worked on at first": ({ worked }) => worked,
      };
      for (const [name, of] of Object.entries(columns)) {
        console.log(`  ${name.padEnd(20)} ${spread(holds.map(of))}  (median, 90 %, 99 %, most)`);
      }
    }
  } finally {
    for (const other of others) other.kill();
  }
}
