/**
 * Claim: how long a killed crawl takes to go on depends on what it did since its last checkpoint, not on
 * how much it has done in all. A crawl of a web that costs next to nothing (`support/light-web.ts`) is
 * killed when it has fetched a number of pages, and started again; measured is the time from its start to
 * its first request, and the processor time until then. Each number of pages is tried with checkpoints
 * every second, so that little has to be replayed, and with none, so that all has to be. The reference is
 * the processor time that it took to fetch those pages.
 * `node bench/recovery-time.ts [--pages 1000,10000,100000] [--hosts 1000]`
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  hostAt,
  LIGHT_WEB,
  type LightWebOpened,
  type LightWebQuestion,
  type LightWebSeen,
} from "./support/light-web.ts";

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "1000,10000,100000" },
    hosts: { type: "string", default: "1000" },
  },
});
const HOSTS = Number(values.hosts);
const LOOKED_MS = 50;
/** Linux counts the processor time of processes in hundredths of a second. */
const TICK_SECONDS = 0.01;
const program = resolve(import.meta.dirname, "..", "bin", "trobar.js");

/** Processor time of a process so far, all threads, in seconds. */
function usedBy({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const [user = "0", system = "0"] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11);
  return (Number(user) + Number(system)) * TICK_SECONDS;
}

async function asked(web: ChildProcess, question: LightWebQuestion): Promise<LightWebSeen> {
  web.send(question);
  const [seen] = (await once(web, "message")) as [LightWebSeen];
  return seen;
}

/** Kills the crawl when it has made so many requests since its start; seconds it took and used by then. */
async function killAfter(
  web: ChildProcess,
  args: readonly string[],
  requests: number,
): Promise<{ readonly seconds: number; readonly used: number }> {
  const fromMs = Date.now();
  const stdio = ["ignore", "ignore", "inherit"] as const;
  const crawl = spawn(process.execPath, [program, ...args], { stdio: [...stdio] });
  const exited = once(crawl, "exit");
  for (;;) {
    const seen = await asked(web, { fromMs, toMs: Number.MAX_SAFE_INTEGER });
    if (seen.visits >= requests) break;
    if (crawl.exitCode !== null) throw new Error(`the crawl ended with ${crawl.exitCode}`);
    await new Promise((done) => setTimeout(done, LOOKED_MS));
  }
  const outcome = { seconds: (Date.now() - fromMs) / 1000, used: usedBy(crawl) };
  crawl.kill("SIGKILL");
  await exited;
  return outcome;
}

async function measure(pages: number, checkpoint: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bench-recovery-"));
  const web = fork(LIGHT_WEB, [JSON.stringify({ hosts: HOSTS, addresses: 1 })]);
  try {
    const [{ port, dnsPort }] = (await once(web, "message")) as [LightWebOpened];
    const seeds = Array.from({ length: HOSTS }, (_none, at) => `http://${hostAt(at)}:${port}/`);
    writeFileSync(join(folder, "seeds"), seeds.join("\n"));
    const args = [
      ...["crawl", "-i", join(folder, "seeds"), "-o", join(folder, "crawl"), "--lanes", "1"],
      ...["--ignore-robots", "--allow-private", "--no-dashboard", "--quiet", "-c", "64"],
      ...["--delay", "0", "--ip-delay", "0", "--set", `dns.servers=[127.0.0.1:${dnsPort}]`],
      ...["--set", `store.checkpoint=${checkpoint}`],
    ];
    const before = await killAfter(web, args, pages);
    const after = await killAfter(web, args, 1);
    console.log(
      `${String(pages).padStart(7)} pages, checkpoint ${checkpoint.padEnd(3)}: goes on after ` +
        `${after.seconds.toFixed(1)} s (${after.used.toFixed(1)} s of processor time, ` +
        `${((after.used / pages) * 1e6).toFixed(0)} µs a page; fetching took ` +
        `${before.used.toFixed(1)} s, ratio ${(after.used / before.used).toFixed(3)})`,
    );
  } finally {
    web.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const pages of values.pages.split(",").map(Number)) {
  for (const checkpoint of ["1s", "1h"]) await measure(pages, checkpoint);
}
