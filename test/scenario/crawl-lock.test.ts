/** One process at a time uses a directory, however the others start, and whatever was left behind. */
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type CrawledWeb, crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { assertNothingLost, pagesOf } from "../support/agent/killed-crawl.ts";
import { RepeatedRequests } from "../support/agent/repeated-requests.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { slowed } from "../support/lab/table-web.ts";

const PAGES = 60;

function chain(): Record<string, { readonly body: string }> {
  return Object.fromEntries(
    Array.from({ length: PAGES }, (_, at) => [
      `/${at || ""}`,
      linking(...[2 * at + 1, 2 * at + 2].filter((next) => next < PAGES).map((next) => `/${next}`)),
    ]),
  );
}

/** So slow that most of what was asked for before a kill is long over. */
const ANSWER_MS = 40;
const DELAY_MS = 15;
const WEB = () => slowed({ "a.test": { pages: chain() }, "b.test": { pages: chain() } }, ANSWER_MS);

function args(web: CrawledWeb, out: string): string[] {
  const often = ["--set", "store.checkpoint=100ms"];
  const seeds = [web.url("a.test/"), web.url("b.test/")];
  return ["crawl", ...web.flags, "--delay", `${DELAY_MS}ms`, ...often, "-o", out, ...seeds];
}

test("of processes that start at one instant one crawls, in a new directory and after a kill", async () => {
  await withWeb(WEB, async (web) => {
    const out = join(web.folder, "out");
    const copy = join(web.folder, "copy");
    const start = (): TrobarProcess => new TrobarProcess(args(web, out));
    /** The one of two that holds the directory; the other has ended with 3. */
    const winner = async (two: readonly [TrobarProcess, TrobarProcess]): Promise<TrobarProcess> => {
      const [one, other] = two;
      const first = await Promise.race([one.end().then(() => one), other.end().then(() => other)]);
      assert.equal(await first.end(), 3, first.stderr);
      assert.match(first.stderr, /in use by (?:process \d+ on |another process)/);
      return first === one ? other : one;
    };
    const repeats = new RepeatedRequests(web);
    const held = await winner([start(), start()]);
    await web.requests(40);
    // What a copy has was not copied at one instant.
    cpSync(out, copy, { recursive: true });
    held.kill("SIGKILL");
    await held.end();
    repeats.killed(out);
    // It names a process that lives: this one. In a container the same number is another process.
    const stale = JSON.stringify({ pid: process.pid, host: hostname() });
    writeFileSync(join(out, "crawl.lock.json"), stale);
    const second = await winner([start(), start()]);
    assert.equal(await second.end(), 0, second.stderr);
    const pages = pagesOf(WEB());
    const ended = await crawlInto(out, [...args(web, out), "--json", "-q"]);
    const judged = { web, pages, hostDelayMs: DELAY_MS, what: "the crawl", last: ended };
    await assertNothingLost({ ...judged, repeats });
    // All that it had not yet fetched is fetched by the copy too.
    const last = await crawlInto(copy, [...args(web, copy), "--json", "-q"]);
    await assertNothingLost({ ...judged, what: "its copy", last, repeats: null });
  });
});
