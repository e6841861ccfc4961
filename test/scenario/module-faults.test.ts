/** Faults in places that the other test does not reach: modules of users, and fetches of files. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { FileFetch } from "../../src/fetch/files/file-fetch.ts";
import { crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";

const PATHS = Array.from({ length: 12 }, (_, index) => `/${index}`);

const SITE = () => ({
  "a.test": {
    pages: {
      "/": linking(...PATHS),
      ...Object.fromEntries(PATHS.map((path) => [path, { body: `<p>${path}` }])),
    },
  },
});

const MODULE = `
  const pathOf = ({ href, url }) => new URL(String(href ?? url)).pathname;
  export const Mine = {
    looksAt: "url",
    create: () => (view) => {
      if (pathOf(view) === "/3") throw new Error("the atom failed");
      return true;
    },
  };
  export const createScore = () => ({
    priorityOf(link) {
      if (pathOf(link) === "/5") throw new Error("the score failed");
      return 1;
    },
    pageFetched() {
      throw null;
    },
  });
`;

test("an atom or a score that throws costs only the current link", async () => {
  await withWeb(SITE, async (web) => {
    const path = join(web.folder, "mine.mjs");
    writeFileSync(path, MODULE);
    const settings = [
      `filters.schedule='${path}#Mine()'`,
      "frontier.traversal=priority",
      `frontier.score='${path}'`,
    ];
    const flags = settings.flatMap((setting) => ["--set", setting]);
    const { code, summary, terminal } = await web.crawl(["a.test/"], flags);
    assert.equal(code, 0, terminal.said);
    const expected = ["/", ...PATHS.filter((each) => each !== "/3")].map((each) => `a.test${each}`);
    assert.deepEqual(web.asked.sort(), expected.sort());
    assert.deepEqual([summary?.reason, summary?.errors], ["exhausted", {}]);
  });
});

test("a fault in the fetch of a file ends that file's visit alone", async () => {
  await withWeb(SITE, async (web) => {
    const site = join(web.folder, "site");
    mkdirSync(site);
    const names = ["one.html", "two.html", "three.html"];
    writeFileSync(join(site, "index.html"), linking(...names).body);
    for (const name of names) writeFileSync(join(site, name), `<p>${name}`);
    const { start } = FileFetch.prototype;
    let calls = 0;
    FileFetch.prototype.start = function planted() {
      calls += 1;
      if (calls === 3) throw new Error("planted");
      start.call(this);
    };
    try {
      const folder = join(web.folder, "files");
      const seed = pathToFileURL(join(site, "index.html")).href;
      const flags = ["--json", "-q", "--min-free-disk", "0", "-o", folder];
      const { code, summary } = await crawlInto(folder, ["crawl", ...flags, seed]);
      assert.equal(code, 0);
      assert.deepEqual([summary?.pages, summary?.errors], [3, { INTERNAL_FETCH: 1 }]);
    } finally {
      FileFetch.prototype.start = start;
    }
  });
});
