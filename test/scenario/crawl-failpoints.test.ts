/**
 * Real crawls that are killed at named moments, and again while they recover, and then go on to their
 * end: nothing is lost, nothing is there twice, and every moment really came.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { CrawledWeb, crawlInto, linking } from "../support/agent/crawl-rig.ts";
import { assertNothingLost, pagesOf } from "../support/agent/killed-crawl.ts";
import { RepeatedRequests } from "../support/agent/repeated-requests.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { slowed, type TableHost, type TablePage } from "../support/lab/table-web.ts";
import {
  type Chain,
  chainsOf,
  endedAt,
  FAILPOINTS,
  type Failpoint,
  MORE_FAILPOINTS,
  RECOVERY_POINTS,
} from "./failpoints.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const ROUNDS = isFull ? 10 : 1;
const POINTS = isFull ? [...FAILPOINTS, ...MORE_FAILPOINTS] : FAILPOINTS;
/** So many times a crawl is killed once more while it recovers, besides where a moment asks for it. */
const RECOVERIES = isFull ? Number.POSITIVE_INFINITY : 8;
/** So many crawls go on at once. */
const AT_ONCE = 2;
/** A moment that does not come again and again is one that never comes. */
const ATTEMPTS_MAX = 4;
/** So slow that what may be asked for again after a kill is a small part of the web. */
const ANSWER_MS = 60;
const DELAY_MS = 15;
const HOSTS = 2;
const PAGES_PER_HOST = 12;
const LONG_LINKS = 145;
const HEAVY_BYTES = 1_000_000;

/** Trees of pages. With a heavy one, whose many long links are disallowed. */
function tree(isHeavy: boolean): Record<string, TableHost> {
  const hosts: Record<string, TableHost> = {};
  for (let host = 0; host < HOSTS; host += 1) {
    const pages: Record<string, TablePage> = {
      "/robots.txt": {
        headers: [["Content-Type", "text/plain"]],
        body: "User-agent: *\nDisallow: /no/\n",
      },
      "/moved": { status: 301, headers: [["Location", "/hidden"]], body: "" },
      "/hidden": { body: `<p>only a redirect leads here, on ${host}` },
      "/private": { body: '<meta name="robots" content="noarchive"><a href="/secret">secret</a>' },
      "/secret": { body: `<p>only a page that is not archived leads here, on ${host}` },
    };
    for (let page = 0; page < PAGES_PER_HOST; page += 1) {
      const next = [2 * page + 1, 2 * page + 2].filter((child) => child < PAGES_PER_HOST);
      const links = next.map((child) => `/${child}`);
      if (page === 1) links.push("/moved", "/private");
      if (page === 2 && host === 0 && isHeavy) links.push(...longLinks());
      const { body } = linking(...links);
      pages[`/${page || ""}`] = { body: `${body}<p>${words(host * PAGES_PER_HOST + page)}` };
    }
    hosts[`h${host}.test`] = { pages };
  }
  return slowed(hosts, ANSWER_MS);
}

/** Text unlike that of other pages. */
function words(number: number): string {
  const random = new SeededRandom(`words ${number}`);
  return Array.from({ length: 40 }, () => random.u32().toString(36)).join(" ");
}

function longLinks(): string[] {
  return Array.from({ length: LONG_LINKS }, (_, number) => `/no/${number}${"x".repeat(60_000)}`);
}

const FLAGS = [
  ...["--delay", `${DELAY_MS}ms`, "--depth", "20", "--set", "store.checkpoint=80ms"],
  ...["--set", "store.text=true", "--set", "limits.urlLength=65k"],
  // What takes longest when a process starts to parse.
  ...["--set", "parse.language=false"],
];
const HEAVY_FLAGS = ["--set", "frontier.memory=1Mi", "--set", "fetch.bodyMemory=1Mi"];

/** A crawl that is killed at moments, one after the other. */
class KilledCrawl {
  readonly web: CrawledWeb;
  readonly #random: Random;
  readonly #hosts: Record<string, TableHost>;
  readonly #isHeavy: boolean;
  readonly #killedAt: string[] = [];
  readonly repeats: RepeatedRequests;

  private constructor(web: CrawledWeb, hosts: Record<string, TableHost>, random: Random) {
    this.web = web;
    this.repeats = new RepeatedRequests(web);
    this.#hosts = hosts;
    this.#random = random;
    this.#isHeavy = Object.values(hosts).some(({ pages = {} }) =>
      Object.values(pages).some(({ body = "" }) => body.length > HEAVY_BYTES),
    );
  }

  static async open(isHeavy: boolean, random: Random): Promise<KilledCrawl> {
    const hosts = tree(isHeavy);
    return new KilledCrawl(await CrawledWeb.open(() => hosts), hosts, random);
  }

  get kills(): number {
    return this.#killedAt.length;
  }

  get #out(): string {
    return join(this.web.folder, "out");
  }

  #argv(): string[] {
    // The last of two flags counts.
    const lanes = isFull ? 1 + this.#random.below(3) : 1;
    const flags = [...this.web.flags, ...FLAGS, ...(this.#isHeavy ? HEAVY_FLAGS : [])];
    const seeds = Object.keys(this.#hosts).map((host) => this.web.url(`${host}/`));
    return ["crawl", ...flags, "--lanes", String(lanes), "-o", this.#out, ...seeds];
  }

  /** Whether the moment came; if not, the crawl has ended. */
  async killAt(name: string, time: number): Promise<boolean> {
    const count = join(this.web.folder, "count");
    rmSync(count, { force: true });
    const moment = { name, time, count, root: this.#out };
    const crawl = new TrobarProcess(this.#argv(), endedAt(moment));
    const code = await crawl.end();
    const what = `${this.#killedAt.join(", ")}, then not at ${name} (${time})`;
    if (crawl.signal !== "SIGKILL") assert.equal(code, 0, `${what}: ${crawl.stderr}`);
    else this.#killedAt.push(`${name} (${time})`);
    if (crawl.signal === "SIGKILL") this.repeats.killed(this.#out);
    else this.repeats.stopped(this.#out);
    return crawl.signal === "SIGKILL";
  }

  async judge(): Promise<void> {
    const last = await crawlInto(this.#out, [...this.#argv(), "--json", "-q"]);
    const what = `killed at ${this.#killedAt.join(", ")}: ${last.terminal.said}`;
    const { web, repeats } = this;
    const pages = pagesOf(this.#hosts);
    // To take in a page of many megabytes takes longer than what is judged.
    const mayRepeat = (place: string): boolean =>
      (pages.get(place)?.body ?? "").length > HEAVY_BYTES;
    const judged = { web, pages, hostDelayMs: DELAY_MS, last, repeats, mayRepeat };
    await assertNothingLost({ ...judged, what });
  }
}

const attempts = new Map<string, number>();

/** Of the crawls of a round: kills, pages, and what was, and might have been, asked for again. */
interface Counts {
  readonly crawls: number;
  readonly kills: number;
  readonly pages: number;
  readonly repeated: number;
  readonly allowed: number;
}

/** Kills crawls at each moment. */
async function killAtEach(random: Random): Promise<Counts> {
  const counts = { crawls: 0, kills: 0, pages: 0, repeated: 0, allowed: 0 };
  let generalPoints = 0;
  /** Those of the chain whose moment did not come. */
  const run = async (chain: Chain): Promise<Failpoint[]> => {
    const missed: Failpoint[] = [];
    const crawl = await KilledCrawl.open(
      chain.some(({ isHeavy }) => isHeavy),
      random,
    );
    try {
      for (const point of chain) {
        const time = isFull ? 1 + random.below(point.times) : Math.ceil(point.times / 2);
        const isHit = missed.length === 0 && (await crawl.killAt(point.name, time));
        const next = isHit ? (point.next ?? generalPoint(point)) : null;
        const isWhole = isHit && (next === null || (await crawl.killAt(next, 1)));
        if (!isWhole) missed.push(point);
      }
      await crawl.judge();
      counts.crawls += 1;
      counts.kills += crawl.kills;
      counts.pages += new Set(crawl.web.asked).size;
      counts.repeated += crawl.repeats.repeated;
      counts.allowed += crawl.repeats.allowed;
    } finally {
      await crawl.web.close();
    }
    return missed;
  };
  const generalPoint = ({ phase }: Failpoint): string | null => {
    if (phase === "beginning") return null;
    if (generalPoints >= RECOVERIES) return null;
    generalPoints += 1;
    return RECOVERY_POINTS[generalPoints % RECOVERY_POINTS.length] ?? null;
  };
  let wanted = POINTS;
  while (wanted.length > 0) {
    const chains = chainsOf(wanted, random);
    const again: Failpoint[] = [];
    const work = async (): Promise<void> => {
      for (let chain = chains.pop(); chain !== undefined; chain = chains.pop()) {
        const found = await run(chain).catch((error: unknown) => {
          chains.length = 0;
          throw error;
        });
        for (const missed of found) {
          const times = (attempts.get(missed.name) ?? 0) + 1;
          attempts.set(missed.name, times);
          assert.ok(times < ATTEMPTS_MAX * ROUNDS, `${missed.name} never comes`);
          again.push(missed);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    wanted = again;
  }
  return counts;
}

// Each round is a test, since all of them take longer than one may.
for (let round = 1; round <= ROUNDS; round += 1) {
  test(`a crawl that is killed at named moments loses nothing (${round} of ${ROUNDS})`, async (context) => {
    const counts = await killAtEach(new SeededRandom(`failpoints ${round}`));
    const { crawls, kills, pages, repeated, allowed } = counts;
    context.diagnostic(
      `${crawls} crawls, ${kills} kills; of ${pages} pages ${repeated} were asked for again, ` +
        `where ${allowed} might have been`,
    );
    assert.ok(allowed < 0.75 * pages, `${allowed} of ${pages} could be asked for again unnoticed`);
  });
}

test("what was asked of a resting crawl is done, whenever it is killed", async () => {
  const failing = { status: 500, body: "later" };
  const pages = {
    "/": linking("/flaky"),
    "/flaky": { body: "here at last", first: [failing] },
    "/more": { body: "only a seed leads here" },
  };
  const web = await CrawledWeb.open(() => ({ "a.test": { pages } }));
  try {
    const root = join(web.folder, "out");
    const crawl = ["crawl", ...web.flags, "-q", "-o", root, web.url("a.test/")];
    assert.equal((await crawlInto(root, crawl)).code, 0);
    const seed = ["seed", web.url("a.test/more"), "-o", root];
    const retry = ["retry", "-o", root];
    const kills: readonly (readonly [argv: readonly string[], name: string])[] = [
      [seed, "orders.append.middle"],
      [seed, "orders.rename.after"],
      [crawl, "checkpoint.commit.after"],
      // It is now a crawl that was killed.
      [retry, "orders.rename.before"],
      [retry, "orders.rename.after"],
      [crawl, "config.rename.after"],
      [crawl, "orders.remove.before"],
      [crawl, "orders.remove.after"],
    ];
    for (const [at, [argv, name]] of kills.entries()) {
      const count = join(web.folder, `count-${at}`);
      const killed = new TrobarProcess(argv, endedAt({ name, time: 1, count, root }));
      await killed.end();
      assert.equal(killed.signal, "SIGKILL", `${name}: ${killed.stderr}`);
    }
    const last = await crawlInto(root, crawl);
    assert.equal(last.code, 0, last.terminal.said);
    const fetched = new Set(
      last.lines.filter(({ result }) => result === 200).map(({ url }) => url),
    );
    const wanted = Object.keys(pages).map((path) => web.url(`a.test${path}`));
    assert.deepEqual([...fetched].sort(), wanted.sort());
    assert.ok(web.asked.filter((place) => place.endsWith("/flaky")).length <= 4);
  } finally {
    await web.close();
  }
});
