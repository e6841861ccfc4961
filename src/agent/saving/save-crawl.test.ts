/** What is saved and recorded of each part; and whole crawls in virtual time that are stopped and gone on with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import { crawlRecorded, saveLane } from "./save-crawl.ts";
import type { GatheredCrawl } from "./saved-crawl.ts";

/** The parts of a lane and the desk, which note what they are told. */
function notingParts(told: string[]): UsedBy<"steering"> {
  const note = (what: string) => (): void => void told.push(what);
  return {
    frontier: { checkpoint: () => undefined, committed: note("frontier") },
    links: {
      ...{ offers: { save: () => null }, walk: null, score: null },
      memory: { checkpoint: () => undefined, keepOnly: note("memory") },
    },
    store: { saved: note("saved"), recorded: note("store") },
    duplicates: { keepOnly: note("duplicates") },
  } as unknown as UsedBy<"steering">;
}

test("answers are kept while they are replayed, since a checkpoint does not know their pages yet", () => {
  for (const isReplaying of [true, false]) {
    const told: string[] = [];
    saveLane(notingParts(told), { isReplaying, member: null }, () => undefined);
    assert.deepEqual(told, isReplaying ? [] : ["saved"]);
  }
});

test("what only earlier checkpoints need is removed of every part when one is recorded", () => {
  const told: string[] = [];
  const saved = { lanes: [{ memory: {} }], duplicates: {} } as unknown as GatheredCrawl;
  const member = { saveForeign: () => undefined, recorded: () => told.push("foreign") };
  crawlRecorded(notingParts(told), saved, member);
  assert.deepEqual(told.sort(), ["duplicates", "foreign", "frontier", "memory", "store"]);
});

/** A tree of pages over some hosts, with links back and to other hosts. */
const GRAPH: Record<string, string[]> = {};
for (let host = 0; host < 6; host += 1) {
  for (let page = 0; page < 12; page += 1) {
    const here = [2 * page + 1, 2 * page + 2].filter((child) => child < 12);
    const links = [...here.map((child) => `h${host}/${child}`), `h${(host + 1) % 6}/${page}`];
    GRAPH[`h${host}/${page}`] = [...links, `h${host}/0`];
  }
}

const CRAWL: VirtualCrawlOptions = {
  graph: GRAPH,
  seeds: ["h0/0"],
  settings: ["politeness.hostDelay=100ms"],
};

function onceEach(pages: readonly string[]): void {
  assert.deepEqual([...pages].sort(), [...new Set(pages)].sort(), "no page was asked for twice");
}

for (const settings of [
  [],
  ["frontier.traversal=priority"],
  ["frontier.traversal=depth-first"],
  ["limits.depth=6"],
  ["parse.nearDuplicates=true"],
  ["store.index=false"],
  ["lanes=2"],
  ["lanes=4", "limits.depth=6"],
]) {
  test(`a crawl that is stopped twice gives the pages of one that is not (${settings.join()})`, async () => {
    const options = { ...CRAWL, settings: [...(CRAWL.settings ?? []), ...settings] };
    const whole = await crawlVirtually(options);
    const { pages, summary, lines, reports } = await crawlVirtually({
      ...options,
      stops: [11, 40],
    });
    assert.deepEqual(reports, []);
    onceEach(pages);
    assert.deepEqual(new Set(pages), new Set(whole.pages));
    assert.deepEqual(
      [summary.pages, summary.fetches, summary.urls, summary.queued, summary.hosts],
      [whole.summary.pages, whole.summary.fetches, whole.summary.urls, 0, whole.summary.hosts],
    );
    assert.deepEqual(summary.refused, whole.summary.refused);
    assert.equal(summary.state, "finished");
    assert.equal(lines.length, whole.lines.length);
  });
}

test("a depth limit that is raised or lifted gives the pages of a crawl that had it from the start", async () => {
  for (const { depths, stops } of [
    { depths: ["1", "3", "6"], stops: [2, 9] },
    // A run that is not stopped in time ends by itself.
    { depths: ["0", "2", "4"], stops: [100, 100] },
    { depths: ["2", "5", "~"], stops: [5, 100] },
  ]) {
    const settingsOfRuns = depths.map((depth) => [`limits.depth=${depth}`]);
    const steps = await crawlVirtually({ ...CRAWL, stops, settingsOfRuns });
    const settings = [...(CRAWL.settings ?? []), ...(settingsOfRuns.at(-1) ?? [])];
    const whole = await crawlVirtually({ ...CRAWL, settings });
    assert.deepEqual(steps.reports, []);
    onceEach(steps.pages);
    assert.deepEqual(new Set(steps.pages), new Set(whole.pages), depths.join());
  }
});

test("a depth limit can neither be set later nor lowered", async () => {
  for (const limits of [
    ["~", "3"],
    ["4", "3"],
  ]) {
    const settingsOfRuns = limits.map((depth) => [`limits.depth=${depth}`]);
    const crawl = crawlVirtually({ ...CRAWL, stops: [2], settingsOfRuns });
    await assert.rejects(crawl, { code: "CONFIG_FIXED_KEY" });
  }
});

test("the score goes on with what it knew", async () => {
  const { pages } = await crawlVirtually({
    // By its first link alone, "rare" would come first.
    graph: { "h/0": ["h/1", "h/rare", "h/often"], "h/1": ["h/often"], "h/rare": [], "h/often": [] },
    seeds: ["h/0"],
    settings: ["frontier.traversal=priority", "politeness.hostDelay=100ms"],
    stops: [1],
  });
  assert.deepEqual(pages, ["h/0", "h/1", "h/often", "h/rare"]);
});
