/**
 * Claim: to find a page of ten million and read its record takes at most four times the processor
 * time of the bare minimum: a look-up in a SQLite table that has an index on the keys, and one read
 * and one decompression of the same bytes. Both are measured in one process, in turn: sixteen pages
 * at a time, as for a list of URLs, and one at a time. Printed are microseconds a page in user and
 * system time, the ratio, and how long it takes until the first page is found.
 *
 * Then whole processes: `trobar store get URL` beside one that only starts Node and finds the page in
 * the table.
 *
 * `node bench/store-get.ts [pages] [folder]`; what is made in a folder stays there and is used again,
 * otherwise it is removed. Ten million pages take five gigabytes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { SeededRandom } from "../src/base/random/index.ts";
import { type CrawlView, openCrawlView } from "../src/store/query/index.ts";
import { shareOf, spreadOf } from "./support/crawl-cost.ts";
import { type CrawlOfPages, crawlOfPages, urlOf } from "./support/crawl-of-pages.ts";
import type { UsedTime } from "./support/used-time.ts";

const PAGES = Number(process.argv[2] ?? 10_000_000);
const PROMISED = 4;
const ROUNDS = 20;
const ROUND_PAGES = 160;
const PROCESS_ROUNDS = 7;
const usage = new URL("./support/used-time.ts", import.meta.url).href;
const trobar = resolve(import.meta.dirname, "..", "bin", "trobar.js");

interface BareTable {
  get(url: string): number;
  close(): void;
}

function openBare({ crawl, bare }: CrawlOfPages): BareTable {
  const folder = join(crawl, "warc");
  const descriptor = openSync(join(folder, readdirSync(folder)[0] ?? ""), "r");
  const database = new DatabaseSync(bare, { readOnly: true });
  const select = database.prepare("SELECT place, length FROM pages WHERE key = ?");
  return {
    get: (url) => {
      const { place, length } = select.get(url) as { place: number; length: number };
      const bytes = Buffer.allocUnsafe(length);
      readSync(descriptor, bytes, 0, length, place);
      return gunzipSync(bytes).length;
    },
    close: () => {
      closeSync(descriptor);
      database.close();
    },
  };
}

async function getOne(view: CrawlView, url: string): Promise<number> {
  const page = await view.find(url);
  const outcome = page === null ? null : await view.record(page);
  if (outcome?.kind !== "record") throw new Error(`${url} is not found`);
  return outcome.record.payload.length;
}

async function microsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ROUND_PAGES;
}

async function measureView(made: CrawlOfPages): Promise<void> {
  const bare = openBare(made);
  const openedAt = performance.now();
  const view = await openCrawlView(made.crawl);
  await getOne(view, urlOf(PAGES - 1));
  const firstMs = performance.now() - openedAt;
  const random = new SeededRandom(3);
  for (const atOnce of [16, 1]) {
    const times: { bare: number[]; ours: number[] } = { bare: [], ours: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const urls = Array.from({ length: ROUND_PAGES }, () => urlOf(random.u32() % PAGES));
      const bareMicros = await microsOf(() => urls.map((url) => bare.get(url)));
      const micros = await microsOf(async () => {
        for (let at = 0; at < urls.length; at += atOnce) {
          await Promise.all(urls.slice(at, at + atOnce).map((url) => getOne(view, url)));
        }
      });
      // The first round is for the compiler.
      if (round === 0) continue;
      times.bare.push(bareMicros);
      times.ours.push(micros);
    }
    const ratio = shareOf(times.ours, 0.5) / shareOf(times.bare, 0.5);
    console.log(`${PAGES} pages, ${atOnce} at a time, µs a page`);
    console.log(`  bare   ${spreadOf(times.bare, 0)}`);
    console.log(`  store  ${spreadOf(times.ours, 0)}`);
    const verdict = ratio <= PROMISED ? "kept" : "BROKEN";
    console.log(`  ratio  ${ratio.toFixed(2)}; promised ${PROMISED} (${verdict})`);
  }
  await view.close();
  bare.close();
  console.log(`the first page is found ${firstMs.toFixed(0)} ms after opening`);
}

async function processMs(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ["--import", usage, ...args], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [[{ user, system }], [code]] = (await Promise.all([
    once(child, "message"),
    once(child, "exit"),
  ])) as [[UsedTime], [number]];
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
  return (user + system) / 1000;
}

async function measureProcesses(made: CrawlOfPages): Promise<void> {
  const times: { bare: number[]; ours: number[] } = { bare: [], ours: [] };
  const random = new SeededRandom(4);
  for (let round = 0; round <= PROCESS_ROUNDS; round += 1) {
    const url = urlOf(random.u32() % PAGES);
    const source = `
      const database = new (require("node:sqlite").DatabaseSync)(${JSON.stringify(made.bare)});
      console.log(database.prepare("SELECT * FROM pages WHERE key = ?").get(${JSON.stringify(url)}));`;
    const bareMs = await processMs(["--input-type=commonjs", "-e", source]);
    const ms = await processMs([trobar, "store", "get", url, "-o", made.crawl]);
    if (round === 0) continue;
    times.bare.push(bareMs);
    times.ours.push(ms);
  }
  console.log("as processes, ms");
  console.log(`  bare   ${spreadOf(times.bare, 0)}`);
  console.log(`  store  ${spreadOf(times.ours, 0)}`);
}

const kept = process.argv[3];
const root = kept === undefined ? mkdtempSync(join(tmpdir(), "store-get-")) : resolve(kept);
try {
  const made = await crawlOfPages(root, PAGES);
  await measureView(made);
  await measureProcesses(made);
} finally {
  if (kept === undefined) rmSync(root, { recursive: true, force: true });
}
