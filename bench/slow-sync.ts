/**
 * Claim: on a disk that takes half a second for each sync a crawl is slower, and its memory is that of any
 * crawl: what waits for the disk is bounded. A crawl of an endless web (`support/tree-web.ts`) runs for
 * some time with `support/slow-sync.ts`, and one without it; printed are pages and resident memory as it
 * goes on.
 * `node bench/slow-sync.ts [--seconds 180] [--hosts 1000] [--lanes 1]`
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { TREE_WEB, type TreeWebSeen, treeUrl } from "./support/tree-web.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "180" },
    hosts: { type: "string", default: "1000" },
    lanes: { type: "string", default: "1" },
    port: { type: "string", default: "18091" },
  },
});
const WEB = { hosts: Number(values.hosts), port: Number(values.port) };
const SAMPLES = 12;
const slowSync = fileURLToPath(new URL("./support/slow-sync.ts", import.meta.url));
const program = resolve(import.meta.dirname, "..", "bin", "trobar.js");

function residentMib({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

async function crawl(environment: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "bench-slow-sync-"));
  const web = fork(TREE_WEB, [JSON.stringify(WEB)]);
  await once(web, "message");
  const fromMs = Date.now();
  const args = [
    ...["crawl", treeUrl(0, WEB), "-o", join(folder, "crawl"), "--scope", "any", "--quiet"],
    ...["--ignore-robots", "--allow-private", "--no-dashboard", "--lanes", values.lanes],
    ...["--delay", "0", "--ip-delay", "0", "-c", "64", "--set", "store.checkpoint=10s"],
  ];
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...environment },
  });
  const exited = once(child, "exit");
  const samples: string[] = [];
  try {
    for (let sample = 0; sample < SAMPLES && child.exitCode === null; sample += 1) {
      await new Promise((done) => setTimeout(done, (Number(values.seconds) * 1000) / SAMPLES));
      web.send({ fromMs });
      const [{ visits }] = (await once(web, "message")) as [TreeWebSeen];
      samples.push(`${visits}: ${residentMib(child).toFixed(0)}`);
    }
  } finally {
    child.kill("SIGKILL");
    await exited;
    web.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  return samples.join(", ");
}

console.log(`${values.lanes} lanes, requests: resident MiB; load ${loadavg()[0]?.toFixed(0)}`);
console.log(
  `syncs take half a second more: ${await crawl({ NODE_OPTIONS: `--import=${slowSync}` })}`,
);
console.log(`syncs as they are: ${await crawl({})}`);
