import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import { test } from "node:test";
import { apiPages } from "../../scripts/docs/api-pages.ts";

test("docs/api has a page for each door of the package, as the sources print it", () => {
  const pages = apiPages();
  const found = globSync("docs/api/*.md").map((path) => path.split(sep).join("/"));
  assert.deepEqual(found.sort(), [...pages.keys()].sort());
  assert.match(pages.get("docs/api/trobar.md") ?? "", /^function crawl\(options: CrawlOptions\)/m);
  for (const [path, text] of pages) {
    const isNew = readFileSync(path, "utf8") === text;
    assert.ok(isNew, `${path} is old: run \`npm run docs\` and commit the page`);
  }
});
