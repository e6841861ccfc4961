/** Local files as seeds: what lies below a seed's folder is crawled, and nothing else is read. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";

async function withSite(use: (site: string, root: string) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "trobar-files-"));
  const site = join(root, "site");
  mkdirSync(join(site, "sub"), { recursive: true });
  try {
    await use(site, root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function write(path: string, links: readonly string[]): void {
  writeFileSync(path, linking(...links).body);
}

test("links below the folder of a seed are followed, those outside are refused", async () => {
  await withSite(async (site, root) => {
    write(join(site, "index.html"), [
      "sub/page.html",
      "../secret.html",
      "missing.html",
      "/etc/passwd",
    ]);
    write(join(site, "sub", "page.html"), ["../index.html", "../other.html"]);
    write(join(site, "other.html"), []);
    write(join(root, "secret.html"), []);
    const seed = pathToFileURL(join(site, "index.html")).href;
    const folder = join(root, "crawl");
    const { code, summary, lines } = await crawlInto(folder, [
      ...["crawl", "--json", "-q", "--min-free-disk", "0", "-o", folder, seed],
    ]);
    assert.equal(code, 0);
    assert.equal(summary?.pages, 3);
    assert.deepEqual(summary?.errors, { FETCH_FILE_MISSING: 1 });
    assert.ok(!lines.some(({ url }) => /secret|passwd/.test(url)));
    const refused = Object.entries(summary?.refused ?? {}).filter(([reason]) =>
      /file/.test(reason),
    );
    assert.equal(
      refused.reduce((sum, [, count]) => sum + count, 0),
      2,
      JSON.stringify(summary?.refused),
    );
  });
});

test("no page of the web leads to a file, by link, redirect or refresh", async () => {
  await withSite(async (site) => {
    const path = join(site, "index.html");
    write(path, []);
    const file = pathToFileURL(path).href;
    const pages = {
      "/": {
        body: `<a href="${file}">x</a><a href=/to>y</a><meta http-equiv=refresh content="0;url=${file}">`,
      },
      "/to": { status: 302, headers: [["Location", file]] as const },
    };
    await withWeb(
      () => ({ "a.test": { pages } }),
      async (web) => {
        for (const seeds of [["a.test/"], ["a.test/", pathToFileURL(join(site, "sub")).href]]) {
          const { lines } = await web.crawl(seeds, ["--scope", "any"]);
          assert.ok(!lines.some(({ url }) => url === file), seeds.join());
        }
      },
    );
  });
});
