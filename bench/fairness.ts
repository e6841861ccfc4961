/**
 * Claim: under hostile load 50 honest hosts keep at least half of their throughput, whatever the
 * attack. Measured with the default limits and 500 connections, real sockets and real name servers
 * on loopback. For each attack there are two crawls of the same length, without and with the
 * hostile hosts (their URLs first), and what is printed is the ratio of the pages of honest hosts.
 *
 *     node bench/fairness.ts [SECONDS] [ATTACK]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { run } from "../src/cli/shell/run.ts";
import { RecordedTerminal } from "../test/support/cli/recorded-terminal.ts";
import { ATTACKS, type Attack, honestHosts, hostileHosts } from "./support/fairness-attacks.ts";

const SECONDS = Number(process.argv[2] ?? 20);
const ONLY = process.argv[3] ?? "";

interface Counts {
  readonly honest: number;
  readonly hostile: number;
}

function told<Message>(worker: Worker): Promise<Message> {
  return new Promise((resolve) => worker.once("message", resolve));
}

async function crawl(attack: Attack, isAttacked: boolean): Promise<Counts & { stopMs: number }> {
  const worker = new Worker(new URL("./support/fairness-world.ts", import.meta.url), {
    workerData: { attack },
  });
  const { port, dnsPort } = await told<{ port: number; dnsPort: number }>(worker);
  const folder = mkdtempSync(join(tmpdir(), "trobar-fairness-"));
  const hosts = [...(isAttacked ? hostileHosts(attack) : []), ...honestHosts()];
  writeFileSync(join(folder, "seeds"), hosts.map((host) => `http://${host}:${port}/1`).join("\n"));
  const startedAtMs = performance.now();
  await run(
    [
      ...["crawl", "--allow-private", "--scope", "any", "--json", "--quiet"],
      ...["--max-time", `${SECONDS}s`, "--set", `dns.servers=['127.0.0.1:${dnsPort}']`],
      ...["-i", join(folder, "seeds"), "-o", join(folder, "crawl"), "--min-free-disk", "0"],
    ],
    new RecordedTerminal(),
  );
  const stopMs = performance.now() - startedAtMs - SECONDS * 1000;
  worker.postMessage("counts");
  const counts = await told<Counts>(worker);
  await worker.terminate();
  rmSync(folder, { recursive: true, force: true });
  return { ...counts, stopMs };
}

console.log(`${SECONDS} s each     honest alone   beside   ratio   hostile   start and stop`);
for (const attack of ATTACKS) {
  if (!attack.includes(ONLY)) continue;
  const alone = await crawl(attack, false);
  const beside = await crawl(attack, true);
  const ratio = (beside.honest / alone.honest).toFixed(2);
  const cells = [alone.honest, beside.honest, ratio, beside.hostile];
  const stop = `${(beside.stopMs / 1000).toFixed(1)} s`;
  console.log(attack.padEnd(26), cells.map((cell) => String(cell).padStart(8)).join(" "), stop);
}
