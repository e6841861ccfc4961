/** Real processes that are killed at random moments, again and again; the web's own log judges. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { isFinal } from "../../src/store/archive/index.ts";
import {
  type CrawledWeb,
  crawlInto,
  crawlLines,
  type Hosts,
  linking,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import type { TableHost, TablePage } from "../support/lab/table-web.ts";

const HOSTS = 6;
const PAGES_PER_HOST = 20;
/** At most so many fetches are in flight. */
const CONCURRENCY = 8;
const isFull = process.env["TROBAR_FULL"] === "1";
const RUNS = isFull ? 60 : 3;
const KILLS_MAX = isFull ? 5 : 3;

/** Hosts that link to each other; pages with the same body, redirects, and some that must not be archived. */
const WEB: Hosts = (port) => {
  const hosts: Record<string, TableHost> = {};
  for (let host = 0; host < HOSTS; host += 1) {
    const pages: Record<string, TablePage> = {
      "/same": { body: "<p>the same on all hosts" },
      "/moved": { status: 301, headers: [["Location", "/1"]], body: "" },
      "/private": { body: '<meta name="robots" content="noarchive"><a href="/hidden">hidden</a>' },
      "/hidden": { body: `<p>only a page that is not archived leads here, on ${host}` },
    };
    const next = (page: number): string[] =>
      [2 * page + 1, 2 * page + 2].filter((child) => child < PAGES_PER_HOST).map((at) => `/${at}`);
    for (let page = 0; page < PAGES_PER_HOST; page += 1) {
      const away =
        page % 4 === 0 ? [`http://h${(host + 1) % HOSTS}.test:${port}/${page || ""}`] : [];
      const special = page === 3 ? ["/same", "/moved", "/private"] : [];
      pages[`/${page || ""}`] = linking(...next(page), ...special, ...away);
    }
    hosts[`h${host}.test`] = { pages };
  }
  return hosts;
};

function args(web: CrawledWeb, lanes: number): string[] {
  const speed = ["--delay", "10ms", "--ip-delay", "0", "-c", String(CONCURRENCY)];
  const often = ["--set", "store.checkpoint=150ms", "--lanes", String(lanes), "--scope", "any"];
  return ["crawl", ...web.flags, ...speed, ...often, "-o", join(web.folder, "out")];
}

test("a crawl that is killed at random moments ends with every page in the archive once", async () => {
  for (let run = 0; run < RUNS; run += 1) {
    const random = new SeededRandom(`kills ${run}`);
    await withWeb(WEB, async (web) => {
      const seed = web.url("h0.test/");
      let kills = 0;
      for (let asked = 0; kills < KILLS_MAX && asked < 110; kills += 1) {
        const crawl = new TrobarProcess([...args(web, 1 + random.below(3)), seed]);
        asked = web.asked.length + 1 + random.below(60);
        await Promise.race([web.requests(asked), crawl.end()]);
        crawl.kill("SIGKILL");
        await crawl.end();
      }
      const out = join(web.folder, "out");
      const last = await crawlInto(out, [...args(web, 1 + random.below(3)), "--json", "-q", seed]);
      const what = `run ${run}, ${kills} kills: ${last.terminal.said}`;
      assert.equal(last.code, 0, what);
      const lines = (await crawlLines(out)).filter(isFinal);
      const urls = lines.map(({ url }) => url);
      assert.equal(new Set(urls).size, urls.length, `${what}: a page has two lines`);
      assert.equal(urls.length, HOSTS * (PAGES_PER_HOST + 4), what);
      const answers = last.records.filter(({ type }) =>
        /^(?:response|revisit|metadata)$/.test(type),
      );
      assert.equal(answers.length, urls.length, `${what}: a page has two records, or none`);
      assert.equal(last.summary?.pages, HOSTS * (PAGES_PER_HOST + 3), what);
      const twice = web.asked.length - new Set(web.asked).size;
      // Those in flight, and those that had been answered and were not yet in their file.
      assert.ok(twice <= kills * 3 * CONCURRENCY, `${what}: ${twice} pages were fetched twice`);
    });
  }
});
