/** Why a crawl fetches nothing, as its summary says while it runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crawlVirtually } from "../../../../test/support/agent/virtual-crawl.ts";
import type { CrawlSummary } from "../../index.ts";

/** The summaries of a crawl of two hosts, one every few milliseconds. */
async function watched(...settings: readonly string[]): Promise<readonly CrawlSummary[]> {
  const seen: CrawlSummary[] = [];
  const graph = { "a/0": ["a/1", "a/2", "b/0"], "b/0": ["b/1", "b/2"] };
  await crawlVirtually({
    ...{ graph, seeds: ["a/0"], settings: ["politeness.hostDelay=500ms", ...settings] },
    prepared: (crawl, kernel) => {
      const look = (): void => {
        const summary = crawl.summary();
        seen.push(summary);
        if (summary.state === "running") kernel.schedule(5, look);
      };
      kernel.schedule(5, look);
    },
  });
  return seen;
}

test("a polite crawl says how many hosts wait, and what rate they allow at most", async () => {
  const seen = await watched();
  const both = seen.find(({ idle }) => idle["politeness"] === 2);
  assert.equal(both?.politeRate, 4);
  assert.ok(seen.some(({ idle, politeRate }) => idle["politeness"] === 1 && politeRate === 2));
  assert.deepEqual(Object.keys(seen.at(-1)?.idle ?? {}), ["empty"]);
});

test("a crawl whose last fetches may reach its limit says so, and no longer when it is over", async () => {
  const seen = await watched("limits.pages=1");
  assert.ok(seen.some(({ idle }) => idle["limit"] === 1));
  assert.equal(seen.at(-1)?.idle["limit"], undefined);
});
