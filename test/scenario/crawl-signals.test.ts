/**
 * Crawls that are stopped again and again, by a signal or as by one: while they are opened, recover, fetch
 * and take checkpoints. Each time the exit code is 130, and the next run goes on; what was stopped in order
 * is never fetched twice.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import {
  type CrawledWeb,
  crawlInto,
  type Hosts,
  linking,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { assertNothingLost, pagesOf } from "../support/agent/killed-crawl.ts";
import { RepeatedRequests } from "../support/agent/repeated-requests.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { endedAt } from "./failpoints.ts";

const HOSTS = 4;
const PAGES = 60;
const CONCURRENCY = 8;
const DELAY_MS = 10;
const isFullTest = process.env["TROBAR_FULL"] === "1";
const CRAWLS = isFullTest ? 5 : 1;
const STOPS = 9;

const WEB: Hosts = (port) =>
  Object.fromEntries(
    Array.from({ length: HOSTS }, (_host, host) => {
      const pages = Array.from({ length: PAGES }, (_page, at) => {
        const below = [2 * at + 1, 2 * at + 2].filter((next) => next < PAGES);
        const away = `http://h${(host + 1) % HOSTS}.test:${port}/${at || ""}`;
        return [`/${at || ""}`, linking(...below.map((next) => `/${next}`), away)] as const;
      });
      return [`h${host}.test`, { pages: Object.fromEntries(pages) }];
    }),
  );

function args(web: CrawledWeb, lanes: number): string[] {
  const settings = ["--set", "store.checkpoint=20ms", "--lanes", String(lanes)];
  const speed = ["--delay", `${DELAY_MS}ms`, "-c", String(CONCURRENCY), "--scope", "any"];
  const place = ["-o", join(web.folder, "out"), web.url("h0.test/")];
  return ["crawl", ...web.flags, ...speed, ...settings, ...place];
}

/** In a checkpoint: when a value was written, just before all of them count, just after. */
const MOMENTS = ["checkpoint.put.after", "checkpoint.commit.before", "checkpoint.commit.after"];

async function stopAgainAndAgain(web: CrawledWeb, random: SeededRandom): Promise<void> {
  const out = join(web.folder, "out");
  const repeats = new RepeatedRequests(web);
  // The second signal ends it at once: what was in flight is fetched again, after a recovery.
  const crawl = new TrobarProcess([...args(web, 1), "--json"]);
  await web.requests(30);
  crawl.kill("SIGTERM");
  await crawl.said('"ending"');
  const again = setInterval(() => crawl.kill("SIGTERM"), 25);
  const code = await crawl.end();
  clearInterval(again);
  assert.ok(code === 130 || crawl.signal === "SIGTERM", crawl.stderr);
  repeats.killed(out);
  for (let stop = 0; stop < STOPS; stop += 1) {
    const terminal = new RecordedTerminal();
    // While it is opened or recovers, or somewhat later.
    const more = stop < 3 ? 0 : 1 + random.below(15);
    const until = web.entries.length + more;
    terminal.untilInterrupted = () => (more === 0 ? Promise.resolve() : web.requests(until));
    const lanes = stop % 3 === 2 ? 2 : 1;
    const stopped = await crawlInto(out, [...args(web, lanes), "--json", "-q"], terminal);
    assert.equal(stopped.code, 130, terminal.said);
    assert.equal(stopped.summary?.reason, "signal");
    repeats.stopped(out);
    repeats.check(`stop ${stop}`);
  }
  const last = await crawlInto(out, [...args(web, 1), "--json", "-q"]);
  const pages = pagesOf(WEB(Number(new URL(web.url("h0.test/")).port)));
  const what = last.terminal.said;
  await assertNothingLost({ web, pages, hostDelayMs: DELAY_MS, last, repeats, what });
}

test("a crawl that is stopped again and again, at any moment, fetches nothing twice", async () => {
  for (let at = 0; at < CRAWLS; at += 1) {
    const seed = freshSeed();
    try {
      await withWeb(WEB, (web) => stopAgainAndAgain(web, new SeededRandom(seed)));
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
});

async function endInCheckpoints(web: CrawledWeb, time: number): Promise<void> {
  const root = join(web.folder, "out");
  const repeats = new RepeatedRequests(web);
  for (const name of MOMENTS) {
    const told = endedAt({ name, time, count: join(web.folder, `count-${name}`), root }, "SIGTERM");
    const crawl = new TrobarProcess([...args(web, 1 + (time % 2)), "--json"], told);
    assert.equal(await crawl.end(), 130, `${name}: ${crawl.stderr}`);
    assert.match(crawl.stdout, /"reason":"signal"/, name);
    repeats.stopped(root);
    repeats.check(name);
  }
  const last = await crawlInto(root, [...args(web, 1), "--json", "-q"]);
  const pages = pagesOf(WEB(Number(new URL(web.url("h0.test/")).port)));
  const what = last.terminal.said;
  await assertNothingLost({ web, pages, hostDelayMs: DELAY_MS, last, repeats, what });
}

test("a crawl that is told to end inside a checkpoint ends in order and fetches nothing twice", async () => {
  for (const time of isFullTest ? [1, 2, 3, 4] : [2]) {
    await withWeb(WEB, (web) => endInCheckpoints(web, time));
  }
});
