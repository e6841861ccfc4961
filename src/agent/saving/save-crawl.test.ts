/** Whole crawls in virtual time that are stopped and gone on with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";

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
