/**
 * Real crawls on a small real disk that is filled again and again at random moments. Each time the crawl
 * stops taking work and says so; then there is room again, or it is stopped, or killed, and started once
 * more on the full disk before there is room. The web's own log and the archive judge.
 */
import assert from "node:assert/strict";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import { isFinal } from "../../src/store/archive/index.ts";
import {
  type CrawledWeb,
  crawlInto,
  crawlLines,
  type Hosts,
  linking,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { makeSmallDisk, needsSmallDisks, removeSmallDisk } from "../support/base/small-disk.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import type { TableHost, TablePage } from "../support/lab/table-web.ts";

const HOSTS = 5;
const PAGES = 40;
const CONCURRENCY = 8;
const DISK_MIB = 48;
const isFullTest = process.env["TROBAR_FULL"] === "1";
const CRAWLS = isFullTest ? 10 : 1;
/** What happens each time when the disk is full. */
const ENDS = isFullTest ? (["room", "stop", "kill", "room"] as const) : (["kill", "room"] as const);

/** Hosts that link to each other, with pages that hardly compress; some bodies go to disk at once. */
const WEB: Hosts = (port) => {
  const random = new SeededRandom("noise");
  const noise = (words: number): string =>
    Array.from({ length: words }, () => random.u32().toString(36)).join(" ");
  const hosts: Record<string, TableHost> = {};
  for (let host = 0; host < HOSTS; host += 1) {
    const pages: Record<string, TablePage> = {};
    for (let page = 0; page < PAGES; page += 1) {
      const below = [2 * page + 1, 2 * page + 2].filter((child) => child < PAGES);
      const next = `http://h${(host + 1) % HOSTS}.test:${port}/${page || ""}`;
      const links = [...below.map((child) => `/${child}`), ...(page % 4 === 0 ? [next] : [])];
      const body = `${linking(...links).body}${noise(page % 9 === 5 ? 20_000 : 800)}`;
      pages[`/${page || ""}`] = { body };
    }
    hosts[`h${host}.test`] = { pages };
  }
  return hosts;
};

/** A file that takes all the room there is. */
class Ballast {
  readonly #path: string;

  constructor(disk: string) {
    this.#path = join(disk, "ballast");
  }

  fill(): void {
    const file = openSync(this.#path, "a");
    for (let bytes = 1024 * 1024; bytes > 0; ) {
      try {
        writeSync(file, Buffer.alloc(bytes));
      } catch {
        bytes >>= 1;
      }
    }
    closeSync(file);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

function args(web: CrawledWeb, out: string, lanes: number): string[] {
  const settings = ["store.checkpoint=150ms", "fetch.bodyMemory=1Mi", "frontier.memory=1Mi"];
  return [
    ...["crawl", ...web.flags, "--delay", "10ms", "-c", String(CONCURRENCY), "--scope", "any"],
    ...settings.flatMap((setting) => ["--set", setting]),
    ...["--lanes", String(lanes), "-o", out, web.url("h0.test/")],
  ];
}

async function crawlOnSmallDisk(
  web: CrawledWeb,
  disk: string,
  random: SeededRandom,
): Promise<void> {
  const out = join(disk, "out");
  const ballast = new Ballast(disk);
  const start = (): TrobarProcess =>
    new TrobarProcess([...args(web, out, 1 + random.below(3)), "--json"]);
  let crawl = start();
  let kills = 0;
  for (const then of ENDS) {
    await Promise.race([web.requests(web.entries.length + 5 + random.below(30)), crawl.end()]);
    ballast.fill();
    // The room of files that are removed meanwhile is taken too.
    const filling = setInterval(() => ballast.fill(), 20);
    const told = crawl.stderr.length;
    await crawl.said("_FULL", told);
    clearInterval(filling);
    if (then !== "room") {
      kills += 1;
      crawl.kill(then === "stop" ? "SIGTERM" : "SIGKILL");
      assert.equal(await crawl.end(), then === "stop" ? 4 : null, crawl.stderr);
      ballast.fill();
      const early = start();
      assert.equal(await early.end(), 4, early.stderr);
      assert.match(early.stderr, /disk is full|no room|No space|no space/);
    }
    ballast.remove();
    if (then !== "room") crawl = start();
  }
  assert.equal(await crawl.end(), 0, crawl.stderr);
  const last = await crawlInto(out, [...args(web, out, 1), "--json", "-q"]);
  const urls = (await crawlLines(out)).filter(isFinal).map(({ url }) => url);
  assert.equal(last.code, 0, last.terminal.said);
  assert.equal(urls.length, HOSTS * PAGES, "every page has a line");
  assert.equal(new Set(urls).size, urls.length, "no page has two lines");
  const stored = last.records.filter(({ type }) => /^(?:response|revisit)$/.test(type));
  assert.equal(stored.length, urls.length, "every page is stored once");
  const twice = web.asked.length - new Set(web.asked).size;
  assert.ok(twice <= kills * 4 * CONCURRENCY, `${twice} pages were fetched twice`);
}

test("a crawl on a disk that is full again and again loses no page, however it is ended", {
  skip: needsSmallDisks(),
}, async () => {
  for (let at = 0; at < CRAWLS; at += 1) {
    const seed = freshSeed();
    const disk = makeSmallDisk(DISK_MIB);
    try {
      await withWeb(WEB, (web) => crawlOnSmallDisk(web, disk, new SeededRandom(seed)));
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    } finally {
      removeSmallDisk(disk);
    }
  }
});
