/**
 * Claim: a site of 300 pages without delays is crawled within 3 s of its first request, all files
 * closed, on a machine with nothing else to do. Printed beside is how long a bare loop takes that
 * fetches the same pages one after the other and keeps nothing: one visit at a time is what politeness
 * allows for a host. In a chain each page is known only when the one before it has been read, so it
 * shows what a page waits for on its way from a link to a fetch.
 * `node bench/small-crawl.ts [--rounds 3] [--pages 300] [--flags "…"] [--checkout DIR]`
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { shareOf } from "./support/crawl-cost.ts";
import { SHAPES, type SiteSeen, SMALL_SITE, type SmallSite } from "./support/small-site.ts";

const PROMISED_SECONDS = 3;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    pages: { type: "string", default: "300" },
    flags: { type: "string", default: "" },
    checkout: { type: "string", default: resolve(import.meta.dirname, "..") },
  },
});
const pages = Number(values.pages);

async function ask(site: ChildProcess): Promise<SiteSeen> {
  site.send(0);
  const [seen] = (await once(site, "message")) as [SiteSeen];
  return seen;
}

/** In seconds: until the first request, from there to the last one, and to the end of the process. */
async function crawl(site: ChildProcess, port: number): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), "small-crawl-"));
  const flags = values.flags.split(" ").filter((flag) => flag !== "");
  const args = [
    ...[join(values.checkout, "bin", "trobar.js"), "crawl", `http://127.0.0.1:${port}/0`],
    ...["--delay", "0", "--ip-delay", "0", "--allow-private", "--no-dashboard", "--quiet"],
    ...["-o", join(folder, "crawl"), ...flags],
  ];
  try {
    const beganAtMs = Date.now();
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const [code] = await once(child, "exit");
    const endedAtMs = Date.now();
    const seen = await ask(site);
    if (code !== 0 || seen.pages !== pages) throw new Error(`${code}: ${seen.pages} pages`);
    const { firstAtMs, lastAtMs } = seen;
    return [firstAtMs - beganAtMs, lastAtMs - firstAtMs, endedAtMs - firstAtMs].map(
      (spanMs) => spanMs / 1000,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bareLoop(site: ChildProcess, port: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const beganAtMs = performance.now();
  for (let page = 0; page < pages; page += 1) {
    await new Promise<void>((done, failed) => {
      get({ port, path: `/${page}`, agent }, (response) => {
        response.on("end", done).resume();
      }).on("error", failed);
    });
  }
  const seconds = (performance.now() - beganAtMs) / 1000;
  agent.destroy();
  await ask(site);
  return seconds;
}

for (const shape of SHAPES) {
  const site = fork(SMALL_SITE, [JSON.stringify({ shape, pages } satisfies SmallSite)]);
  const [port] = (await once(site, "message")) as [number];
  const rounds: (readonly number[])[] = [];
  const bare: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    bare.push(await bareLoop(site, port));
    rounds.push(await crawl(site, port));
  }
  site.disconnect();
  const median = (part: number): number =>
    shareOf(
      rounds.map((round) => round[part] ?? 0),
      0.5,
    );
  const loop = shareOf(bare, 0.5);
  const isKept = median(2) <= PROMISED_SECONDS;
  console.log(
    `${shape}: ${pages} pages in ${median(1).toFixed(2)} s, ended after ${median(2).toFixed(2)} s ` +
      `(promised ${PROMISED_SECONDS}: ${isKept ? "kept" : "BROKEN"}), ${median(0).toFixed(2)} s to the ` +
      `first request; a bare loop ${loop.toFixed(2)} s, ratio ${(median(2) / loop).toFixed(1)}`,
  );
}
