/**
 * Whole crawls in virtual time on a disk that takes half a second for each sync, or stalls for seconds: they
 * take longer, and nothing else. No call counts as failed, pauses are kept, checkpoints are still taken, so
 * that a crawl that is killed goes on from one. What waits in memory is bounded by the store
 * (`page-store-pressure.test.ts`).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DiskSpeed, SimDisk } from "../../src/lab/simulator/index.ts";
import { isAboutPage, isFinal } from "../../src/store/archive/index.ts";
import { storedOn, treeOfPages } from "../support/agent/virtual-archive.ts";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import type { Kill } from "../support/agent/virtual-run.ts";
import { urlOf } from "../support/agent/virtual-web.ts";

const isFullTest = process.env["TROBAR_FULL"] === "1";
const HOST_DELAY_MS = 1500;
const GRAPH = treeOfPages(5, 8);
const ALL = Object.keys(GRAPH).sort();
const SLOW: Partial<DiskSpeed> = { syncMsMin: 500, syncMsMax: 500 };
const STALLING: Partial<DiskSpeed> = { ...SLOW, stallRatio: 0.02, stallMs: 4000 };

interface Case {
  readonly speed: Partial<DiskSpeed>;
  readonly lanes: number;
  readonly kills: readonly Kill[];
}

/** How often a run went on from a checkpoint that had pages. */
async function crawlSlowly({ speed, lanes, kills }: Case): Promise<number> {
  let disk: SimDisk | null = null;
  let whole = 0;
  const crawl = await crawlVirtually({
    ...{ graph: GRAPH, seeds: ["h0/0"], kills, diskSpeed: speed },
    settings: [`politeness.hostDelay=${HOST_DELAY_MS}ms`, "store.checkpoint=1s", `lanes=${lanes}`],
    beforeRun: (_run, made) => {
      disk = made;
    },
    controlled: (running) => {
      whole += running.life.wasKilled && running.summary().fetches > 0 ? 1 : 0;
    },
  });
  assert.ok(disk !== null);
  assert.deepEqual(crawl.reports, [], "a slow disk has not failed");
  assert.equal(crawl.summary.state, "finished");
  const lines = crawl.lines.filter((line) => isAboutPage(line) && isFinal(line));
  assert.equal(lines.length, ALL.length);
  assert.deepEqual([...new Set(crawl.pages)].sort(), ALL, "the web was asked for every page");
  assert.deepEqual(storedOn(disk), ALL.map(urlOf).sort(), "every page is stored once");
  if (kills.length === 0) assert.equal(crawl.pages.length, ALL.length, "no page is fetched twice");
  const lastOf = new Map<string, number>();
  for (const [at, page] of crawl.pages.entries()) {
    const host = page.split("/")[0] ?? "";
    const atMs = crawl.askedAtMs[at] ?? 0;
    const sinceMs = atMs - (lastOf.get(host) ?? Number.NEGATIVE_INFINITY);
    assert.ok(sinceMs >= HOST_DELAY_MS, `${page} ${sinceMs} ms after the last request`);
    lastOf.set(host, atMs);
  }
  return whole;
}

const KILLS = isFullTest ? [200, 300, 400, 500, 600, 800, 1000] : [700];

for (const lanes of isFullTest ? [1, 2, 3] : [1, 2]) {
  test(`a disk with slow syncs only makes a crawl slower, with ${lanes} lanes`, async () => {
    for (const speed of [SLOW, STALLING]) {
      await crawlSlowly({ speed, lanes, kills: [] });
    }
    let whole = 0;
    for (const steps of KILLS) {
      whole += await crawlSlowly({ speed: SLOW, lanes, kills: [{ steps, isPower: true }] });
    }
    // Several lanes find a moment for theirs later than these crawls last.
    if (lanes === 1) assert.ok(whole > 0, "no crawl had a checkpoint");
  });
}
