/** Real processes that are killed at random moments, again and again; the web's own log judges. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { CrawledWeb, crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { assertNothingLost, filesIn, pagesOf } from "../support/agent/killed-crawl.ts";
import { RepeatedRequests } from "../support/agent/repeated-requests.ts";
import { installLauncher, stayingNodes } from "../support/cli/launcher.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { slowed, type TableHost } from "../support/lab/table-web.ts";
import { hostsOf, KILLED_WEBS, type KilledWeb } from "./killed-webs.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const RUNS = isFull ? 60 : 10;
const KILLS_MAX = 5;
/** Slow enough that what may be asked for again after a kill is a small part of the web. */
const ANSWER_MS = 100;
const DELAY_MS = 150;
/** One of them: what follows a checkpoint is in flight, or lies in logs that are replayed. */
const CHECKPOINTS_MS = [100, 3000];
/** A crawl is killed less than this after what was waited for. */
const LATER_MS = 200;
/** So many kills there are in all. */
const KILLS_MIN = isFull ? 290 : 30;
/** So many crawls go on at once; most of the time they wait. */
const AT_ONCE = 3;

/** Of some runs: kills, pages, and what was, and might have been, asked for again. */
interface Counts {
  kills: number;
  pages: number;
  repeated: number;
  allowed: number;
  oldestMs: number;
}

function webOf(on: KilledWeb, port: number): Record<string, TableHost> {
  return slowed(hostsOf(on, port), ANSWER_MS);
}

class KilledRun {
  readonly #web: CrawledWeb;
  readonly #on: KilledWeb;
  readonly #random: Random;
  readonly #repeats: RepeatedRequests;
  #kills = 0;

  constructor(web: CrawledWeb, on: KilledWeb, random: Random) {
    this.#web = web;
    this.#on = on;
    this.#random = random;
    this.#repeats = new RepeatedRequests(web);
  }

  get #out(): string {
    return join(this.#web.folder, "out");
  }

  get #rows(): string {
    return join(this.#web.folder, "rows.jsonl");
  }

  get #rowFiles(): string[] | undefined {
    const { rows } = this.#on;
    if (rows === undefined) return undefined;
    const folder = join(this.#out, "pages");
    return rows === "pages" ? [this.#rows] : filesIn(folder).map((name) => join(folder, name));
  }

  #argv(): string[] {
    // Each lane is a thread, which takes a while to start.
    const more = Math.max(0, this.#random.below(isFull ? 5 : 4) - 2);
    const { rows } = this.#on;
    // Lines of a store are written by one.
    const lanes = String(rows === "store" ? 1 : 1 + more);
    return [
      ...[
        "crawl",
        ...this.#web.flags,
        "--delay",
        `${DELAY_MS}ms`,
        "--scope",
        "any",
        "--lanes",
        lanes,
      ],
      ...[
        "--set",
        `store.checkpoint=${CHECKPOINTS_MS[this.#random.below(2)]}ms`,
        "--set",
        "parse.language=false",
        ...this.#on.flags,
      ],
      ...(rows === "pages" ? ["--pages", this.#rows] : []),
      ...["-o", this.#out, this.#web.url("h0.test/")],
    ];
  }

  /**
   * Kills it some time after some more requests, or after it says that it goes on. A crawl does most between
   * two requests, so that one that is killed whenever one comes is never killed in most places. Returns
   * whether it was running.
   */
  async kill(): Promise<boolean> {
    const crawl = new TrobarProcess(this.#argv());
    const isEarly = this.#kills > 0 && this.#random.below(4) === 0;
    const asked = this.#web.entries.length + 1 + this.#random.below(12);
    const moment = isEarly ? crawl.said("{").catch(() => undefined) : this.#web.requests(asked);
    const laterMs = this.#random.below(LATER_MS);
    await Promise.race([moment.then(() => setTimeout(laterMs)), crawl.end()]);
    crawl.kill("SIGKILL");
    const code = await crawl.end();
    assert.ok(crawl.signal === "SIGKILL" || code === 0, `${this.#on.name}: ${crawl.stderr}`);
    const isKilled = crawl.signal === "SIGKILL";
    if (isKilled) this.#repeats.killed(this.#out);
    else this.#repeats.stopped(this.#out);
    this.#kills += isKilled ? 1 : 0;
    return isKilled;
  }

  async judge(hosts: Parameters<typeof pagesOf>[0], what: string): Promise<Counts> {
    const last = await crawlInto(this.#out, [...this.#argv(), "--json", "-q"]);
    const repeats = this.#repeats;
    await assertNothingLost({
      ...{ web: this.#web, pages: pagesOf(hosts), last, repeats },
      hostDelayMs: DELAY_MS,
      ...{ isUnstored: this.#on.isUnstored, pagesMax: this.#on.pagesMax },
      rowFiles: this.#rowFiles,
      what: `${what}, ${this.#kills} kills: ${last.terminal.said}`,
    });
    const { repeated, allowed, oldestMs } = repeats;
    return { kills: this.#kills, pages: pagesOf(hosts).size, repeated, allowed, oldestMs };
  }
}

function add(counts: Counts, { kills, pages, repeated, allowed, oldestMs }: Counts): void {
  counts.kills += kills;
  counts.pages += pages;
  counts.repeated += repeated;
  counts.allowed += allowed;
  counts.oldestMs = Math.max(counts.oldestMs, oldestMs);
}

test("a crawl that is killed at random moments ends with every page in the archive once", async (context) => {
  const runs = Array.from({ length: RUNS }, (_, run) => run);
  const counts: Counts = { kills: 0, pages: 0, repeated: 0, allowed: 0, oldestMs: 0 };
  const work = async (): Promise<void> => {
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      const on = KILLED_WEBS[run % KILLED_WEBS.length] as KilledWeb;
      const random = new SeededRandom(`kills ${run}`);
      const web = await CrawledWeb.open((port) => webOf(on, port));
      try {
        const killed = new KilledRun(web, on, random);
        let left = isFull ? KILLS_MAX : 2 + random.below(KILLS_MAX - 1);
        while (left > 0 && (await killed.kill())) left -= 1;
        const port = Number(new URL(web.url("h0.test/")).port);
        const one = await killed.judge(webOf(on, port), `run ${run}, ${on.name}`);
        add(counts, one);
      } catch (error) {
        runs.length = 0;
        throw error;
      } finally {
        await web.close();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { kills, pages, repeated, allowed, oldestMs } = counts;
  assert.ok(kills >= KILLS_MIN, `${kills} kills are too few`);
  assert.ok(2 * allowed < pages, `${allowed} of ${pages} pages could be asked for again unnoticed`);
  context.diagnostic(
    `${RUNS} runs, ${kills} kills; of ${pages} pages ${repeated} were asked for again, where ` +
      `${allowed} might have been; the oldest had been answered ${Math.round(oldestMs)} ms before`,
  );
});

test("a crawl whose whole process group is killed with its launcher goes on", async () => {
  const hosts = {
    "a.test": { pages: { "/": linking("/1"), "/1": linking("/2"), "/2": linking() } },
  };
  await withWeb(
    () => hosts,
    async (web) => {
      const launcher = installLauncher(join(web.folder, "installed"), { packages: true });
      const [node = []] = stayingNodes();
      const out = join(web.folder, "out");
      const argv = [
        "crawl",
        ...web.flags,
        "--delay",
        `${DELAY_MS}ms`,
        "-o",
        out,
        web.url("a.test/"),
      ];
      const crawl = new TrobarProcess(argv, {}, [...node, launcher]);
      await web.requests(3);
      crawl.killGroup("SIGKILL");
      await crawl.end();
      assert.equal(crawl.signal, "SIGKILL");
      const repeats = new RepeatedRequests(web);
      repeats.killed(out);
      const last = await crawlInto(out, [...argv, "--json", "-q"]);
      const what = last.terminal.said;
      const pages = pagesOf(hosts);
      await assertNothingLost({ web, pages, hostDelayMs: DELAY_MS, last, repeats, what });
    },
  );
});

test("after a kill every host is left alone for its whole delay", async () => {
  const hostDelayMs = 2000;
  const names = Array.from({ length: 8 }, (_, host) => `h${host}.test`);
  const pages = { "/": linking("/1"), "/1": linking("/2"), "/2": linking() };
  // Their requests are under way at the kill, so that no log tells of them.
  const hosts = slowed(Object.fromEntries(names.map((name) => [name, { pages }])), 300);
  await withWeb(
    () => hosts,
    async (web) => {
      const out = join(web.folder, "out");
      const seeds = names.map((name) => web.url(`${name}/`));
      const speed = ["--delay", `${hostDelayMs}ms`, "--set", "store.checkpoint=1m"];
      const argv = ["crawl", ...web.flags, ...speed, "-o", out, ...seeds];
      const repeats = new RepeatedRequests(web);
      // The first time also some pages are in the log: a crawl without any is started over.
      for (const requests of [2 * names.length + 3, 3]) {
        const crawl = new TrobarProcess(argv);
        await web.requests(web.entries.length + requests);
        crawl.kill("SIGKILL");
        await crawl.end();
        repeats.killed(out);
      }
      // In this process it begins at once, long before it may fetch anything.
      const last = await crawlInto(out, [...argv, "--json", "-q"]);
      const what = last.terminal.said;
      await assertNothingLost({ web, pages: pagesOf(hosts), hostDelayMs, last, repeats, what });
    },
  );
});

test("a crawl that was killed before its first answer is started over as politely", async () => {
  // Longer than it takes to begin, also on a busy machine.
  const hostDelayMs = 6000;
  const hosts = slowed({ "a.test": { pages: { "/": linking() } } }, 300);
  await withWeb(
    () => hosts,
    async (web) => {
      const out = join(web.folder, "out");
      const speed = ["--delay", `${hostDelayMs}ms`, "--ignore-robots"];
      const argv = ["crawl", ...web.flags, ...speed, "-o", out];
      const repeats = new RepeatedRequests(web);
      const crawl = new TrobarProcess([...argv, web.url("a.test/")]);
      await web.requests(1);
      crawl.kill("SIGKILL");
      await crawl.end();
      repeats.killed(out);
      const last = await crawlInto(out, [...argv, "--json", "-q", web.url("a.test/")]);
      const what = last.terminal.said;
      await assertNothingLost({ web, pages: pagesOf(hosts), hostDelayMs, last, repeats, what });
    },
  );
});
