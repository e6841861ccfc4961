import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { crawl } from "./crawl.ts";

test("a crawl that cannot be opened leaves no folder behind", async () => {
  const own = (): string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`trobar-run-${process.pid}-`));
  const options = { seeds: ["http://a.test/"], pages: "no such folder/pages.jsonl" };
  await assert.rejects(crawl(options), { code: "USAGE_BAD_FLAG_VALUE" });
  assert.deepEqual(own(), []);
});
