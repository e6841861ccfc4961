import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DiskStorage } from "../../base/storage/index.ts";
import { ProblemList } from "../../store/query/index.ts";
import type { CheckedSaved } from "./check-saved.ts";
import { UrlComparison } from "./compare-urls.ts";

const PAGE = { high: 7, low: 9 };
const OTHER = { high: 7, low: 10 };
const URL = "http://a.test/";

/** What is found wrong, `file: problem`, once all has been said; the sieve has no runs. */
async function problemsOf(say: (urls: UrlComparison) => void, mayRepeat = false) {
  const folder = mkdtempSync(join(tmpdir(), "trobar-compare-"));
  const problems = new ProblemList();
  const urls = new UrlComparison(join(folder, "sorted"), new DiskStorage(folder), problems);
  const saved = { sieve: { runs: [], format: { payloadBytes: 0 } }, mayRepeat };
  try {
    await urls.open(saved as unknown as CheckedSaved, problems);
    say(urls);
    await urls.compare(saved as unknown as CheckedSaved);
    return problems.kept.map(({ file, problem }) => `${file}: ${problem}`);
  } finally {
    await urls.close();
    rmSync(folder, { recursive: true });
  }
}

test("pages that were fetched and seen, and URLs that wait and were seen, are as they should be", async () => {
  const problems = await problemsOf((urls) => {
    urls.seen(PAGE);
    urls.page(PAGE, URL, false);
    urls.waits(OTHER);
    urls.seen(OTHER);
  });
  assert.deepEqual(problems, []);
});

test("a page that was fetched and waits to be fetched is told, unless its ticket is dropped", async () => {
  const say = (urls: UrlComparison): void => {
    urls.page(PAGE, URL, false);
    urls.waits(PAGE);
    urls.seen(PAGE);
  };
  const told = ["frontier/queues: the page was fetched, and waits to be fetched"];
  assert.deepEqual(await problemsOf(say), told);
  assert.deepEqual(await problemsOf(say, true), [], "a walk may visit it again");
  const dropped = (urls: UrlComparison): void => {
    say(urls);
    urls.dropped(PAGE);
  };
  assert.deepEqual(await problemsOf(dropped), []);
  const failed = (urls: UrlComparison): void => {
    urls.page(PAGE, URL, true);
    urls.waits(PAGE);
    urls.seen(PAGE);
  };
  assert.deepEqual(await problemsOf(failed), [], "what failed may be tried again");
});

test("what was fetched or waits and was not seen is told", async () => {
  const problems = await problemsOf((urls) => {
    urls.page(PAGE, URL, false);
    urls.waits(OTHER);
  });
  assert.deepEqual(problems.sort(), [
    "frontier/sieve: a URL that waits is not among those that were seen",
    "frontier/sieve: a page that was fetched is not among those that were seen",
  ]);
});
