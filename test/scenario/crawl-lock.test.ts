/** One process at a time uses a directory, however the others start, and whatever was left behind. */
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isFinal } from "../../src/store/archive/index.ts";
import {
  type CrawledWeb,
  crawlInto,
  crawlLines,
  linking,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const PAGES = 60;

function chain(): Record<string, { readonly body: string }> {
  return Object.fromEntries(
    Array.from({ length: PAGES }, (_, at) => [
      `/${at || ""}`,
      linking(...[2 * at + 1, 2 * at + 2].filter((next) => next < PAGES).map((next) => `/${next}`)),
    ]),
  );
}

const WEB = () => ({ "a.test": { pages: chain() }, "b.test": { pages: chain() } });

function args(web: CrawledWeb, out: string): string[] {
  const often = ["--set", "store.checkpoint=100ms"];
  const seeds = [web.url("a.test/"), web.url("b.test/")];
  return ["crawl", ...web.flags, "--delay", "15ms", ...often, "-o", out, ...seeds];
}

async function assertWhole(out: string): Promise<void> {
  const urls = (await crawlLines(out)).filter(isFinal).map(({ url }) => url);
  assert.equal(urls.length, 2 * PAGES, out);
  assert.equal(new Set(urls).size, urls.length, out);
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
    const held = await winner([start(), start()]);
    await web.requests(40);
    // What a copy has was not copied at one instant.
    cpSync(out, copy, { recursive: true });
    held.kill("SIGKILL");
    await held.end();
    // It names a process that lives: this one. In a container the same number is another process.
    const stale = JSON.stringify({ pid: process.pid, host: hostname() });
    writeFileSync(join(out, "crawl.lock.json"), stale);
    const second = await winner([start(), start()]);
    assert.equal(await second.end(), 0, second.stderr);
    await assertWhole(out);
    const copied = await crawlInto(copy, [...args(web, copy), "--json", "-q"]);
    assert.equal(copied.code, 0, copied.terminal.said);
    await assertWhole(copy);
    const stored = copied.records.filter(({ type }) => /^(?:response|revisit)$/.test(type));
    assert.equal(stored.length, 2 * PAGES);
  });
});
