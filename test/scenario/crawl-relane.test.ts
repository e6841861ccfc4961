/**
 * Crawls that go on with another number of lanes: what the old lanes had on disk goes away, and with any
 * traversal everything due is fetched once. Random moments and power failures are in
 * `test/simulation/relane.test.ts`, further crawls that are judged in `crawl-lanes.test.ts`.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test } from "node:test";
import { DemoWeb } from "../../src/cli/demo/demo-web.ts";
import { changedProfile, PROFILES } from "../../src/lab/simweb/index.ts";
import { crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { assertFlawless, flagsFor, judgeCrawl, SMALL } from "../support/agent/small-webs.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

/** The numbers of lanes of which there are files. */
function layouts(folder: string): number[] {
  const files = ["frontier", "links"].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(join(folder, part), join(parentPath, name))),
  );
  const counts = files.flatMap((name) => /^\d+(?=\/)/.exec(name)?.slice(0, 1) ?? []);
  const isOnlyLane = files.some((name) => /^(?:sieve|queues|hosts|depths|pages)\b/.test(name));
  return [...new Set([...(isOnlyLane ? [1] : []), ...counts.map(Number)])];
}

const HOSTS = Array.from({ length: 12 }, (_, at) => `h${at}.test`);

function ring(port: number) {
  return Object.fromEntries(
    HOSTS.map((host, at) => {
      const next = `http://${HOSTS[(at + 1) % HOSTS.length]}:${port}/`;
      return [host, { pages: { "/": linking(next, "/a"), "/a": {} } }];
    }),
  );
}

test("what other numbers of lanes have left is removed, also by an earlier start", async () => {
  await withWeb(ring, async (web) => {
    const folder = join(web.folder, "out");
    const crawl = ["crawl", "--json", "-q", "-o", folder];
    const first = [...web.flags, "--scope", "any", "-d", "30", web.url("h0.test/")];
    for (const [run, lanes] of [1, 3, 1].entries()) {
      const limit = run === 2 ? ["--set", "limits.pages=~"] : ["-n", String(6 * (run + 1))];
      const args = [...crawl, ...(run === 0 ? first : []), "--lanes", String(lanes), ...limit];
      const { code, summary, terminal } = await crawlInto(folder, args);
      assert.equal(code, 0, terminal.said);
      assert.deepEqual(layouts(folder), [lanes]);
      if (run === 2) assert.equal(summary?.pages, 2 * HOSTS.length);
      const left = join(folder, "frontier", "7", "0", "sieve");
      mkdirSync(left, { recursive: true });
      writeFileSync(join(left, "text.log"), "left by a start that was interrupted");
    }
    assert.deepEqual(web.asked.sort(), [...new Set(web.asked)].sort(), "nothing was fetched twice");
  });
});

for (const traversal of isFull ? ["priority", "depth-first", "global-breadth-first"] : []) {
  test(`a crawl whose lanes change is complete, polite and fetches nothing twice: ${traversal}`, async () => {
    const profile = changedProfile(changedProfile(PROFILES.realistic, SMALL), {
      hosts: { count: 12, pages: 120, pagesMax: 16 },
    });
    const web = await DemoWeb.open({ profile, seed: `relane ${traversal}` });
    const folder = mkdtempSync(join(tmpdir(), "trobar-relane-"));
    const seeds = [web.facts.seed];
    const first = [...flagsFor(web.facts), "--set", `frontier.traversal=${traversal}`, ...seeds];
    try {
      for (const [run, lanes] of [2, 3, 1, 4].entries()) {
        const limit = run === 3 ? ["--set", "limits.pages=~"] : ["-n", String(12 * (run + 1))];
        const args = ["crawl", "--json", "-q", "-o", folder, "--lanes", String(lanes), ...limit];
        const ended = await crawlInto(folder, [...args, ...(run === 0 ? first : [])]);
        assert.equal(ended.code, 0, ended.terminal.said);
      }
      assertFlawless(await judgeCrawl(web, folder, { seeds }));
    } finally {
      await web.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
