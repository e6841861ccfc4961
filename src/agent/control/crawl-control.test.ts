import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawl,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import type { Kernel } from "../../lab/simulator/index.ts";
import { CrawlControl } from "./crawl-control.ts";
import type { FailedFound } from "./failed-pages.ts";
import { RetriedPages } from "./retried-pages.ts";

/** A crawl that is looked at and changed at given instants after its start. */
function controlled(
  options: VirtualCrawlOptions,
  ...steps: readonly [atMs: number, step: (control: CrawlControl, kernel: Kernel) => void][]
): Promise<VirtualCrawl> {
  return crawlVirtually({
    ...options,
    controlled: (crawl, kernel) => {
      const control = new CrawlControl(crawl, "");
      for (const [atMs, step] of steps) kernel.schedule(atMs, () => step(control, kernel));
    },
  });
}

/** `a/0` to `a/9`, each with a link to the next. */
const GRAPH = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [`a/${at}`, at < 9 ? [`a/${at + 1}`] : []]),
);
const CHAIN = { graph: GRAPH, seeds: ["a/0"], settings: ["politeness.hostDelay=1s"] };

test("a paused crawl begins nothing, says so, and goes on where it was", async () => {
  const states: unknown[] = [];
  const look = (control: CrawlControl): void => {
    const { state, reason, idle, pages } = control.part();
    states.push([state, reason, idle["paused"] ?? 0, pages]);
  };
  const crawl = await controlled(
    CHAIN,
    [4500, look],
    [4500, (control) => control.pause()],
    [6000, look],
    [100_000, look],
    [100_001, (control) => control.resume()],
    [100_002, look],
  );
  const [before, paused, later, resumed] = states as [string, string, number, number][];
  assert.deepEqual(before?.slice(0, 3), ["running", "none", 0]);
  assert.deepEqual(paused?.slice(0, 3), ["paused", "none", 1]);
  assert.deepEqual(later, paused, "nothing was fetched meanwhile");
  assert.deepEqual(resumed?.slice(0, 3), ["running", "none", 0]);
  assert.equal(crawl.summary.pages, 10);
  assert.equal(crawl.summary.state, "finished");
});

test("the time of a pause does not count, neither for the limit nor in the summary", async () => {
  const { summary } = await controlled(
    { ...CHAIN, settings: ["politeness.hostDelay=1s", "limits.time=60s"] },
    [2000, (control) => control.pause()],
    [500_000, (control) => control.resume()],
  );
  assert.equal(summary.reason, "exhausted");
  assert.ok(summary.seconds < 60, String(summary.seconds));
});

test("a crawl that is paused does not end, and takes seeds", async () => {
  let fates: readonly unknown[] = [];
  const crawl = await controlled(
    { graph: { "a/0": [], "b/0": [] }, seeds: ["a/0"] },
    [0, (control) => control.pause()],
    [1000, (control) => assert.equal(control.part().state, "paused")],
    [
      2000,
      (control) =>
        void control
          .addSeeds([
            ...["http://b.example/0", " http://a.example/0 ", "no url", "http://u:p@c.example/"],
            ...["file:///etc/passwd", "http://b.example/0"],
          ])
          .then(({ seeds }) => {
            fates = seeds.map(({ fate, url }) => [fate, url]);
          }),
    ],
    [
      2500,
      (control) =>
        void control.addSeeds(["http://b.example/0"]).then(({ seeds: [seed] }) => {
          fates = [...fates, [seed?.fate, seed?.url]];
        }),
    ],
    [3000, (control) => control.resume()],
  );
  assert.deepEqual(fates, [
    ["added", "http://b.example/0"],
    ["known", "http://a.example/0"],
    ...[
      ["invalid", null],
      ["invalid", null],
      ["invalid", null],
    ],
    ["known", "http://b.example/0"],
    // It is recorded from then on.
    ["known", "http://b.example/0"],
  ]);
  assert.deepEqual(crawl.pages.toSorted(), ["a/0", "b/0"]);
});

for (const lanes of [1, 2]) {
  test(`what ends during a pause does not end the crawl: ${lanes} lanes`, async () => {
    const settings = [`lanes=${lanes}`, "limits.pages=1"];
    const states: string[] = [];
    const { pages, summary } = await controlled(
      {
        graph: { "a/0": [], "b/0": [], "c/0": [] },
        seeds: ["a/0"],
        settings,
        delayMsOf: () => 500,
      },
      [100, (control) => control.pause()],
      [60_000, (control) => states.push(control.part().state)],
      // Its limit was reached meanwhile, and is another now; then nothing is left.
      [60_001, (control) => void control.units.set("limits.pages", "9")],
      [60_010, (control) => void control.addSeeds(["http://b.example/0"])],
      [60_020, (control) => control.resume()],
      [60_100, (control) => control.pause()],
      [120_000, (control) => states.push(control.part().state)],
      [120_010, (control) => void control.addSeeds(["http://c.example/0"])],
      [120_020, (control) => control.resume()],
    );
    assert.deepEqual(states, ["paused", "paused"]);
    assert.deepEqual(pages, ["a/0", "b/0", "c/0"]);
    assert.equal(summary.reason, "exhausted");
  });
}

test("a stop lets fetches in flight end; an immediate one gives them up", async () => {
  const slow = { ...CHAIN, delayMsOf: () => 3000 };
  const stops = async (immediate: boolean) => {
    const crawl = await controlled(slow, [1000, (control) => control.stop({ immediate })]);
    return [crawl.summary.state, crawl.summary.reason, crawl.summary.pages];
  };
  assert.deepEqual(await stops(false), ["stopped", "signal", 1]);
  assert.deepEqual(await stops(true), ["stopped", "signal", 0]);
});

test("a crawl that has ended is not changed, and a paused one can be stopped", async () => {
  const refused: unknown[] = [];
  const { summary } = await controlled(CHAIN, [
    1500,
    (control) => {
      void control.pause();
      void control.stop();
      const seeds = ["http://b.example/"];
      for (const change of [control.pause(), control.resume(), control.addSeeds(seeds)]) {
        change.catch(({ code, message }) => refused.push([code, /stopped/.test(message)]));
      }
    },
  ]);
  assert.equal(summary.state, "stopped");
  assert.deepEqual(refused, Array(3).fill(["CONTROL_OVER", true]));
});

test("a crawl that stays waits for seeds, says so, and ends when it is stopped", async () => {
  const idle: unknown[] = [];
  const look = (control: CrawlControl): void => {
    const { state, idle: reasons, pages } = control.part();
    idle.push([state, reasons["seeds"] ?? 0, pages]);
  };
  const crawl = await controlled(
    { graph: { "a/0": [], "b/0": [] }, seeds: ["a/0"], stays: true },
    [0, look],
    [60_000, look],
    [60_001, (control) => void control.addSeeds(["http://b.example/0"])],
    [120_000, look],
    [120_001, (control) => control.stop()],
  );
  assert.deepEqual(idle.slice(1), [
    ["running", 1, 1],
    ["running", 1, 2],
  ]);
  assert.deepEqual(crawl.pages, ["a/0", "b/0"]);
  assert.deepEqual([crawl.summary.state, crawl.summary.idle["seeds"]], ["stopped", undefined]);
});

test("failed pages are tried again a portion at a time, all of them, and once each", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-retry-"));
  const failing = { status: 500, reason: "Later" };
  const counts: number[] = [];
  const asked: number[] = [];
  const retry = (control: CrawlControl): void => {
    const failures = [0, 1, 2].map((low) => ({
      ...{ url: `http://a.example/${low}`, high: 0, low, depth: 1, via: null, isRequisite: false },
      ...{ status: 500, error: null, fetchedAt: "2026-01-31T12:00:00.005Z" },
    }));
    const retried = new RetriedPages(folder);
    const ask = async (_kind: string, { after }: { after: number }): Promise<FailedFound> => {
      asked.push(after);
      const pages = failures.slice(after, after + 1).filter((page) => !retried.has(page));
      return { pages: pages as never, next: after < 2 ? after + 1 : null };
    };
    control.pages.ask = ask as never;
    void control.retry(null).then(({ retried: count }) => counts.push(count));
  };
  try {
    const { pages } = await crawlVirtually({
      ...{ graph: { "a/0": [], "a/1": [], "a/2": [] }, seeds: ["a/0", "a/1", "a/2"], stays: true },
      answers: Object.fromEntries([0, 1, 2].map((at) => [`a/${at}`, { first: [failing] }])),
      settings: ["politeness.hostDelay=0"],
      controlled: (crawl, kernel) => {
        const control = new CrawlControl(crawl, folder);
        kernel.schedule(10_000, () => retry(control));
        kernel.schedule(20_000, () => retry(control));
        kernel.schedule(30_000, () => control.stop());
      },
    });
    assert.deepEqual(asked, [0, 1, 2, 0, 1, 2]);
    assert.deepEqual(counts, [3, 0]);
    assert.deepEqual(pages.toSorted(), ["a/0", "a/0", "a/1", "a/1", "a/2", "a/2"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
