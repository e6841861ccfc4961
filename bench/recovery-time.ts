/**
 * Claim: how long a crawl takes to go on, killed or stopped, depends on what it did since its last
 * checkpoint and on how many hosts it visits, not on how many pages it has. Crawls of growing size are
 * made without fetching (`support/grown-crawl.ts`) and gone on with three times: after a rebuild; after
 * they were killed some hundred pages later; and after they were stopped in order. Measured are the time
 * from the start of the process to its first request, the processor time until then, and the most memory.
 * With `--verify`, `trobar store verify` is measured too.
 * `node bench/recovery-time.ts [--pages 1000,10000,100000] [--hosts 1000] [--more 500] [--verify]`
 *
 * `--folder DIR` keeps the crawls there and uses those that are there; `--program FILE` runs another
 * build of the same crawler.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { growArchive } from "./support/grown-crawl.ts";
import { TREE_WEB, type TreeWebQuestion, type TreeWebSeen } from "./support/tree-web.ts";

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "1000,10000,100000" },
    hosts: { type: "string", default: "1000" },
    more: { type: "string", default: "500" },
    port: { type: "string", default: "18090" },
    folder: { type: "string" },
    program: { type: "string", default: resolve(import.meta.dirname, "..", "bin", "trobar.js") },
    verify: { type: "boolean", default: false },
  },
});
const WEB = { hosts: Number(values.hosts), port: Number(values.port) };
const LOOKED_MS = 20;
/** Linux counts the processor time of processes in hundredths of a second. */
const TICK_SECONDS = 0.01;

interface Usage {
  readonly seconds: number;
  /** Of the processor, all threads. */
  readonly used: number;
  readonly peakMib: number;
}

/** Null if the process has ended. */
function usageOf({ pid }: ChildProcess, sinceMs: number): Usage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [user = "0", system = "0"] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11);
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    if (peak === undefined) return null;
    return {
      seconds: (Date.now() - sinceMs) / 1000,
      used: (Number(user) + Number(system)) * TICK_SECONDS,
      peakMib: Number(peak) / 1024,
    };
  } catch {
    return null;
  }
}

function tell(pages: number, what: string, { seconds, used, peakMib }: Usage, more = ""): void {
  console.log(
    `${String(pages).padStart(8)} pages, ${what.padEnd(26)} ${seconds.toFixed(1).padStart(7)} s, ` +
      `${used.toFixed(1).padStart(6)} s of processor time, at most ${peakMib.toFixed(0)} MiB` +
      `${more}; load ${loadavg()[0]?.toFixed(0)}`,
  );
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, LOOKED_MS));

async function asked(web: ChildProcess, question: TreeWebQuestion): Promise<TreeWebSeen> {
  web.send(question);
  const [seen] = (await once(web, "message")) as [TreeWebSeen];
  return seen;
}

/** A command that ends by itself. */
async function ran(args: readonly string[]): Promise<Usage> {
  const fromMs = Date.now();
  const child = spawn(process.execPath, [values.program, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let latest: Usage = { seconds: 0, used: 0, peakMib: 0 };
  while (child.exitCode === null) {
    latest = usageOf(child, fromMs) ?? latest;
    await pause();
  }
  if (child.exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${child.exitCode}`);
  return { ...latest, seconds: (Date.now() - fromMs) / 1000 };
}

interface GoneOn {
  /** Until its first request. */
  readonly first: Usage;
  /** From the signal to its end. */
  readonly end: Usage;
  readonly replayed: number;
}

/** Goes on with a crawl, and sends the signal after some requests. */
async function goOn(
  web: ChildProcess,
  directory: string,
  signal: "SIGKILL" | "SIGTERM",
): Promise<GoneOn> {
  const fromMs = Date.now();
  const args = [
    ...["crawl", "-o", directory, "--no-dashboard", "--json"],
    ...["--set", "store.checkpoint=1s"],
  ];
  const child = spawn(process.execPath, [values.program, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (bytes) => {
    said += String(bytes);
  });
  const exited = once(child, "exit");
  let first: Usage | null = null;
  for (;;) {
    const { visits } = await asked(web, { fromMs });
    if (visits > 0) first ??= usageOf(child, fromMs);
    if (visits >= Number(values.more)) break;
    if (child.exitCode !== null) throw new Error(`the crawl ended with ${child.exitCode}: ${said}`);
    await pause();
  }
  const signalledMs = Date.now();
  const before = usageOf(child, fromMs);
  child.kill(signal);
  let last = before;
  while (child.exitCode === null && child.signalCode === null) {
    last = usageOf(child, signalledMs) ?? last;
    await pause();
  }
  await exited;
  if (first === null || before === null || last === null) throw new Error("it was not seen");
  const seconds = (Date.now() - signalledMs) / 1000;
  const end = { seconds, used: last.used - before.used, peakMib: last.peakMib };
  return { first, end, replayed: Number(/"pagesReplayed":(\d+)/.exec(said)?.[1] ?? 0) };
}

async function measure(pages: number, root: string): Promise<void> {
  const directory = join(root, `crawl-${pages}`);
  const complete = join(root, `complete-${pages}`);
  if (!existsSync(complete)) {
    rmSync(directory, { recursive: true, force: true });
    await growArchive({ ...WEB, path: directory, pages });
    const rebuilt = await ran(["store", "verify", "--rebuild", "-q", "-o", directory]);
    tell(pages, "rebuilt", rebuilt);
    writeFileSync(complete, "");
  }
  if (values.verify) tell(pages, "verified", await ran(["store", "verify", "-q", "-o", directory]));
  const web = fork(TREE_WEB, [JSON.stringify(WEB)]);
  try {
    await once(web, "message");
    const afterRebuild = await goOn(web, directory, "SIGKILL");
    tell(pages, "goes on after a rebuild", afterRebuild.first);
    const { first, end, replayed } = await goOn(web, directory, "SIGTERM");
    tell(pages, "goes on after a kill", first, `, ${replayed} pages replayed`);
    tell(pages, "is stopped", end);
    tell(pages, "goes on after a stop", (await goOn(web, directory, "SIGTERM")).first);
  } finally {
    web.kill();
  }
}

const root = values.folder ?? mkdtempSync(join(tmpdir(), "bench-recovery-"));
mkdirSync(root, { recursive: true });
try {
  for (const pages of values.pages.split(",").map(Number)) await measure(pages, root);
} finally {
  if (values.folder === undefined) rmSync(root, { recursive: true, force: true });
}
