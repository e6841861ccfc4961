/**
 * Claim: questions asked while a crawl runs cost it at most 5 % of processor time per page. Another
 * process has the crawl open (`openCrawl`): it looks up 20 known pages a second, and a third one
 * follows all pages (`store stream --follow`). Crawls with them are compared with crawls without
 * (`support/crawl-cost.ts`); printed are the ratios of the crawling process's user time per page.
 * `node bench/query-cost.ts [--pairs 10] [--urls 4000]`
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openCrawl } from "../src/library/index.ts";
import { crawlPairs, shareOf, spreadOf } from "./support/crawl-cost.ts";

const PROMISED = 1.05;
const ASK_MS = 50;
const PAGES_LEARNT = 100;
const checkout = resolve(import.meta.dirname, "..");
const program = fileURLToPath(import.meta.url);

interface Asked {
  readonly asked: number;
  readonly found: number;
}

/** Asks until it is told to end; then it says how many pages it asked for and found. */
async function ask(directory: string): Promise<void> {
  await using crawl = await openCrawl(directory);
  const known: string[] = [];
  let after: string | undefined;
  let asked = 0;
  let found = 0;
  let isEnding = false;
  process.once("SIGTERM", () => {
    isEnding = true;
  });
  while (!isEnding) {
    // Now and then some more are learnt, so that old and new pages are asked for.
    if (asked % PAGES_LEARNT === 0 || known.length === 0) {
      let learnt = 0;
      for await (const { url, cursor } of crawl.pages({ after })) {
        known.push(url);
        after = cursor;
        learnt += 1;
        if (learnt === PAGES_LEARNT) break;
      }
    }
    const url = known[(asked * 7919) % Math.max(known.length, 1)];
    asked += 1;
    if (url !== undefined && (await crawl.get(url)) !== null) found += 1;
    await sleep(ASK_MS);
  }
  process.stdout.write(JSON.stringify({ asked, found } satisfies Asked));
}

/** The two other processes, from the crawl's first line of its log to its end. */
async function askMeanwhile(directory: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(join(directory, "crawl.json"))) {
    if (signal.aborted) return;
    await sleep(ASK_MS);
  }
  const trobar = join(checkout, "bin", "trobar.js");
  const follow = [trobar, "store", "stream", "-o", directory, "--follow", "--json"];
  const follower = startProcess(follow, { signal, stdout: "ignore" });
  const asker = startProcess([program, "--ask", directory], { signal, stdout: "pipe" });
  const parts: string[] = [];
  asker.child.stdout?.on("data", (part) => parts.push(String(part)));
  await Promise.all([follower.ended, asker.ended]);
  const { asked, found } = JSON.parse(parts.join("")) as Asked;
  console.log(`  asked for ${asked} pages, found ${found}`);
  if (found === 0) throw new Error("Nothing was found meanwhile, so nothing was measured.");
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

function startProcess(
  args: readonly string[],
  { signal, stdout }: { readonly signal: AbortSignal; readonly stdout: "ignore" | "pipe" },
): Started {
  const child = spawn(process.execPath, args, { stdio: ["ignore", stdout, "inherit"] });
  const ended = once(child, "close");
  signal.addEventListener("abort", () => child.kill("SIGTERM"));
  return { child, ended };
}

async function measure(counts: { readonly pairs: number; readonly urls: number }): Promise<void> {
  const ratios: { user: number[]; all: number[] } = { user: [], all: [] };
  const asked = { checkout, settings: [], meanwhile: askMeanwhile };
  const alone = { checkout, settings: [] };
  await crawlPairs([asked, alone], counts, (pair, one, other) => {
    ratios.user.push(one.user / other.user);
    ratios.all.push(one.all / other.all);
    console.log(
      `pair ${pair}: ${one.pages} and ${other.pages} pages, user ${one.user.toFixed(0)} and ` +
        `${other.user.toFixed(0)} µs a page, ratio ${(one.user / other.user).toFixed(3)}`,
    );
  });
  const verdict = shareOf(ratios.user, 0.5) <= PROMISED ? "kept" : "BROKEN";
  console.log(
    `user time, asked by alone: ${spreadOf(ratios.user, 3)}; promised ${PROMISED} (${verdict})`,
  );
  console.log(`user and system:           ${spreadOf(ratios.all, 3)}`);
}

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "10" },
    urls: { type: "string", default: "4000" },
    ask: { type: "string" },
  },
});
if (values.ask !== undefined) await ask(values.ask);
else await measure({ pairs: Number(values.pairs), urls: Number(values.urls) });
