/** `trobar crawl --dry-run`: what a crawl would begin with, and nothing left of it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const TEXT = [["Content-Type", "text/plain"]] as const;
const HTML = [["Content-Type", "text/html"]] as const;

const HOSTS = (port: number) => ({
  "a.test": {
    pages: {
      "/robots.txt": {
        headers: TEXT,
        body: `User-agent: *\nDisallow: /private/\nSitemap: http://a.test:${port}/map.txt`,
      },
      "/": { ...linking("/one", "/two", "/private/x", `http://b.test:${port}/`), headers: HTML },
      "/map.txt": {
        headers: TEXT,
        body: `http://a.test:${port}/listed\nhttp://a.test:${port}/private/y\n`,
      },
    },
  },
  "old.test": {
    pages: { "/": { status: 301, headers: [["Location", `http://new.test:${port}/`]] as const } },
  },
  "new.test": { pages: { "/": { ...linking("/here"), headers: HTML } } },
});

async function dryRun(web: CrawledWeb, places: readonly string[], ...args: readonly string[]) {
  const terminal = new RecordedTerminal();
  const folder = join(web.folder, "out");
  const urls = places.map((place) => web.url(place));
  const code = await run(
    ["crawl", "--dry-run", ...web.flags, "-o", folder, ...args, ...urls],
    terminal,
  );
  assert.ok(!existsSync(folder), "no directory is left");
  return { code, out: terminal.written, err: terminal.said };
}

test("the seeds are fetched with their robots.txt and sitemaps, and links are judged", async () => {
  await withWeb(HOSTS, async (web) => {
    const places = ["a.test/", "old.test/"];
    const { code, out, err } = await dryRun(web, places, "--json", "--set", "sitemaps=true");
    assert.equal(code, 0, err);
    const [first, second] = JSON.parse(out).seeds;
    assert.deepEqual([first.status, first.redirectTo, first.failure], [200, null, null]);
    assert.deepEqual(first.links, { found: 4, taken: 2, refused: { robots: 1, scope: 1 } });
    const [sitemap] = first.sitemaps;
    assert.deepEqual([sitemap.found, sitemap.taken, sitemap.refused], [2, 1, { robots: 1 }]);
    assert.deepEqual([second.status, second.redirectTo], [200, web.url("new.test/")]);
    assert.deepEqual([second.links.found, second.links.taken], [1, 1]);
    const asked = new Set(web.asked);
    assert.deepEqual(asked, new Set(["a.test/", "a.test/map.txt", "old.test/", "new.test/"]));
  });
});

test("people are told in words, and sitemaps are left alone unless asked for", async () => {
  await withWeb(HOSTS, async (web) => {
    const { code, out, err } = await dryRun(web, ["a.test/"], "--exclude", "*/two*");
    assert.equal(code, 0, err);
    assert.match(out, /no rule for the seed, names 1 sitemap\n/);
    assert.match(out, /4 links, of which 1 would be taken; not taken: .*filter-schedule 1/);
    assert.match(err, /nothing was kept/);
    assert.deepEqual(web.asked, ["a.test/"]);
  });
});

test("seeds that fail are explained, and if all do the exit code is that of the crawl", async () => {
  await withWeb(HOSTS, async (web) => {
    const refused = await dryRun(web, ["a.test/private/x"]);
    assert.equal(refused.code, 5);
    assert.match(refused.out, /failed \(robots\)/);
    assert.match(refused.out, /line 2: Disallow: \/private\//);
    const missing = await dryRun(web, ["a.test/missing"]);
    assert.equal(missing.code, 5);
    assert.match(missing.out, /404/);
    assert.equal((await dryRun(web, ["no-such-host.test/"])).code, 5);
    const terminal = new RecordedTerminal();
    assert.equal(await run(["crawl", "--dry-run"], terminal), 2);
  });
});
