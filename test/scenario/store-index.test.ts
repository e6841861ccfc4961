/** What `trobar store` says with the page index, without it, and with one that is not the crawl's. */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import type { PageRow } from "../../src/store/export/index.ts";
import { type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const WORDS =
  "Der Hund lief schnell durch den dunklen Wald und suchte nach seinem alten Freund, der dort lebte. ";

const SITE: Hosts = () => ({
  "a.test": {
    pages: {
      "/": linking("/one", "/two", "/three", "/missing"),
      "/one": { body: `<title>Eins</title><p>${WORDS.repeat(8)}` },
      "/two": { body: `<title>Eins</title><p>${WORDS.repeat(8)}` },
      "/three": { body: `<html lang=fr><title>Drei</title><p>${WORDS.repeat(8)} und mehr` },
    },
  },
});

async function store(folder: string, args: readonly string[]) {
  const terminal = new RecordedTerminal();
  const [command = "", ...rest] = args;
  const code = await run(["store", command, "-o", folder, ...rest], terminal);
  return { code, terminal };
}

test("pages of the index are those that `--pages` has written", async () => {
  await withWeb(SITE, async (web) => {
    const file = join(web.folder, "pages.jsonl");
    const args = ["--set", "parse.language=true", "--pages", file];
    const { folder } = await web.crawl(["a.test/"], args);
    const written = readFileSync(file, "utf8").trimEnd().split("\n");
    const rows = written.map((line) => JSON.parse(line) as PageRow);
    const { terminal } = await store(folder, ["list", "--json"]);
    const byUrl = (left: { url?: unknown }, right: { url?: unknown }) =>
      String(left.url) < String(right.url) ? -1 : 1;
    assert.deepEqual(terminal.rows().sort(byUrl), rows.toSorted(byUrl));
    assert.equal(rows.find(({ url }) => url.endsWith("/one"))?.title, "Eins");
    for (const row of rows) {
      const got = await store(folder, ["get", row.url, "--json"]);
      assert.deepEqual(got.terminal.rows(), [row]);
    }
    const stats = (await store(folder, ["stats", "--json"])).terminal.rows()[0];
    assert.equal((stats?.["language"] as Record<string, number> | undefined)?.["de"], 3);
  });
});

test("an index of another crawl, a broken one and none at all are told, and the rest is found", async () => {
  await withWeb(SITE, async (web) => {
    const { folder } = await web.crawl(["a.test/"]);
    const other = await web.crawl(["a.test/three"]);
    const file = join(folder, "crawl.db");
    const harm: readonly (readonly [() => void, RegExp])[] = [
      [() => copyFileSync(join(other.folder, "crawl.db"), file), /belongs to another crawl/],
      [
        () => writeFileSync(file, "not a database, and long enough to be one".repeat(99)),
        /crawl\.db/,
      ],
      [() => rmSync(file), /crawl\.db/],
    ];
    for (const [damage, told] of harm) {
      damage();
      const listed = await store(folder, ["list", "--json"]);
      assert.equal(listed.code, 0);
      assert.match(listed.terminal.said, told);
      assert.match(listed.terminal.said, /store verify/);
      const titles = listed.terminal.rows().map(({ title }) => title);
      assert.equal(titles.filter((title) => title === "Eins").length, 2, "read from the archive");
      assert.equal((await store(folder, ["get", web.url("a.test/one")])).code, 0);
      assert.equal((await store(folder, ["get", web.url("a.test/none")])).code, 6);
    }
  });
});

test("a crawl without an index has its pages from the log", async () => {
  await withWeb(SITE, async (web) => {
    const { folder, lines } = await web.crawl(["a.test/"], ["--set", "store.index=false"]);
    const listed = await store(folder, ["list", "--json"]);
    assert.equal(listed.terminal.rows().length, lines.length);
    assert.equal(listed.terminal.said, "");
    assert.equal((await store(folder, ["get", web.url("a.test/one")])).code, 0);
  });
});
