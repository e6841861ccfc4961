/** Real processes that are killed at random moments, again and again; the web's own log judges. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { CrawledWeb, crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import {
  assertNothingLost,
  filesIn,
  OverRequests,
  pagesOf,
} from "../support/agent/killed-crawl.ts";
import { installLauncher, stayingNodes } from "../support/cli/launcher.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { HOSTS, hostsOf, KILLED_WEBS, type KilledWeb } from "./killed-webs.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const RUNS = isFull ? 60 : 12;
const KILLS_MAX = 5;
const DELAY_MS = 25;
const CHECKPOINT_MS = 100;
/** At each kill, of each host: the one in flight, and those that were answered since the last checkpoint. */
const REPEATED_MAX = HOSTS * (1 + CHECKPOINT_MS / DELAY_MS);
/** So many crawls go on at once. */
const AT_ONCE = 2;

class KilledRun {
  readonly #web: CrawledWeb;
  readonly #on: KilledWeb;
  readonly #random: Random;
  readonly #over: OverRequests;
  #kills = 0;

  constructor(web: CrawledWeb, on: KilledWeb, random: Random) {
    this.#web = web;
    this.#on = on;
    this.#random = random;
    this.#over = new OverRequests(web);
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
        `store.checkpoint=${CHECKPOINT_MS}ms`,
        "--set",
        "parse.language=false",
        ...this.#on.flags,
      ],
      ...(rows === "pages" ? ["--pages", this.#rows] : []),
      ...["-o", this.#out, this.#web.url("h0.test/")],
    ];
  }

  /** Kills it after some more requests, or as soon as it says that it goes on. Whether it was running. */
  async kill(): Promise<boolean> {
    const crawl = new TrobarProcess(this.#argv());
    const isEarly = this.#kills > 0 && this.#random.below(4) === 0;
    const asked = this.#web.entries.length + 1 + this.#random.below(isFull ? 12 : 24);
    const moment = isEarly ? crawl.said("{").catch(() => undefined) : this.#web.requests(asked);
    await Promise.race([moment, crawl.end()]);
    crawl.kill("SIGKILL");
    const code = await crawl.end();
    assert.ok(crawl.signal === "SIGKILL" || code === 0, `${this.#on.name}: ${crawl.stderr}`);
    this.#kills += crawl.signal === "SIGKILL" ? 1 : 0;
    this.#over.killed(this.#out);
    return crawl.signal === "SIGKILL";
  }

  async judge(hosts: Parameters<typeof pagesOf>[0], what: string): Promise<number> {
    const last = await crawlInto(this.#out, [...this.#argv(), "--json", "-q"]);
    await assertNothingLost({
      ...{ web: this.#web, pages: pagesOf(hosts), last, over: this.#over },
      ...{ isUnstored: this.#on.isUnstored, pagesMax: this.#on.pagesMax },
      rowFiles: this.#rowFiles,
      repeatedMax: this.#kills * REPEATED_MAX,
      what: `${what}, ${this.#kills} kills: ${last.terminal.said}`,
    });
    return this.#kills;
  }
}

test("a crawl that is killed at random moments ends with every page in the archive once", async (context) => {
  const runs = Array.from({ length: RUNS }, (_, run) => run);
  let kills = 0;
  const work = async (): Promise<void> => {
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      const on = KILLED_WEBS[run % KILLED_WEBS.length] as KilledWeb;
      const random = new SeededRandom(`kills ${run}`);
      const web = await CrawledWeb.open((port) => hostsOf(on, port));
      try {
        const killed = new KilledRun(web, on, random);
        let left = isFull ? KILLS_MAX : 2 + random.below(KILLS_MAX - 1);
        while (left > 0 && (await killed.kill())) left -= 1;
        const port = Number(new URL(web.url("h0.test/")).port);
        kills += await killed.judge(hostsOf(on, port), `run ${run}, ${on.name}`);
      } catch (error) {
        runs.length = 0;
        throw error;
      } finally {
        await web.close();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  context.diagnostic(`${RUNS} runs, ${kills} kills`);
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
      const argv = ["crawl", ...web.flags, "--delay", "50ms", "-o", out, web.url("a.test/")];
      const crawl = new TrobarProcess(argv, {}, [...node, launcher]);
      await web.requests(3);
      crawl.killGroup("SIGKILL");
      await crawl.end();
      assert.equal(crawl.signal, "SIGKILL");
      const over = new OverRequests(web);
      over.killed(out);
      const last = await crawlInto(out, [...argv, "--json", "-q"]);
      const what = last.terminal.said;
      await assertNothingLost({ web, pages: pagesOf(hosts), last, over, repeatedMax: 2, what });
    },
  );
});
