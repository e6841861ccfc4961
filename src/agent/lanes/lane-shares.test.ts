import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { configured } from "../../../test/support/rules/configured.ts";
import type { FailedPage } from "../control/failed-pages.ts";
import { CrawlScope } from "../links/crawl-scope.ts";
import { ScopeGrowth } from "../links/scope-growth.ts";
import { laneFinder } from "./lane-finder.ts";
import { divideSeeds, laneConfiguration, shareOf } from "./lane-shares.ts";

const LANES = 3;
const KEY = new Uint8Array(16).fill(7);

test("the shares of all lanes make the whole, and differ by one at most", () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 64 }), (whole, lanes) => {
      const shares = Array.from({ length: lanes }, (_, lane) => shareOf(whole, lane, lanes));
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0),
        whole,
      );
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
    }),
  );
});

test("what a crawl may use is divided, and the rest is the same for every lane", () => {
  const whole = configured("fetch.concurrency=8", "fetch.idleConnections=2", "dns.cacheSize=1000");
  const lanes = [0, 1, 2].map((lane) => laneConfiguration(whole, lane, LANES));
  const all = (read: (one: (typeof lanes)[number]) => number): number[] => lanes.map(read);
  const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other);
  assert.deepEqual(
    all(({ fetch }) => fetch.concurrency),
    [3, 3, 2],
  );
  // None of them can do without.
  assert.deepEqual(
    all(({ fetch }) => fetch.idleConnections),
    [1, 1, 1],
  );
  assert.equal(sum(all(({ fetch }) => fetch.bodyMemory)), whole.fetch.bodyMemory);
  assert.equal(sum(all(({ frontier }) => frontier.memory)), whole.frontier.memory);
  assert.equal(sum(all(({ frontier }) => frontier.recentlySeen)), whole.frontier.recentlySeen);
  assert.equal(sum(all(({ dns }) => dns.cacheSize)), 1000);
  for (const { limits, politeness } of lanes) {
    assert.deepEqual([limits, politeness], [whole.limits, whole.politeness]);
  }
});

function pairsOf(pages: Uint32Array): string[] {
  return Array.from(
    { length: pages.length / 2 },
    (_, at) => `${pages[2 * at]} ${pages[2 * at + 1]}`,
  );
}

test("a seed or failed page begins in the lane of its host, and the others know of the seed", () => {
  const configuration = configured("scope=host");
  const { shards } = configuration.frontier;
  const finder = laneFinder({ configuration, fingerprintKey: KEY, lanes: LANES });
  const seeds = Array.from({ length: 12 }, (_, host) => `http://h${host}.example/`);
  const requeued = seeds.map((url) => {
    return { url, ...finder.resolve(url as never) } as unknown as FailedPage;
  });
  const starts = divideSeeds({
    ...{ configuration, fingerprintKey: KEY, lanes: LANES, seeds: [...seeds, "no URL"], requeued },
    ...{ watched: ["http://led.example/"], depthsBefore: { depth: 3, hostDepth: null } },
    elapsedMs: 5,
  });
  assert.ok(shards > LANES && starts.length === LANES);
  const pageOf = (url: string): string => {
    const { high, low } = finder.resolve(url as never) ?? assert.fail("it is a URL");
    return `${high} ${low}`;
  };
  for (const [lane, start] of starts.entries()) {
    const own = seeds.filter((url) => finder.laneOf(url as never) === lane);
    assert.ok(own.length > 0, "every lane has some");
    assert.deepEqual(start.seeds, lane === 0 ? [...own, "no URL"] : own);
    const others = seeds.filter((url) => !own.includes(url));
    const pages = start.others.flatMap((other) => pairsOf(other.pages));
    assert.deepEqual(pages.sort(), others.map(pageOf).sort());
    const growth = new ScopeGrowth(new CrawlScope("host", configuration.url));
    for (const other of start.others) growth.beginElsewhere(other);
    for (const url of seeds) {
      const isOther = others.includes(url);
      assert.equal(growth.isOnTrail(finder.resolve(url as never) as never), isOther);
    }
    const members = start.others.flatMap(({ scope }) => scope.members);
    assert.deepEqual(members.sort(), others.map((url) => new URL(url).hostname).sort());
    assert.deepEqual(
      start.requeued.map(({ url }) => url),
      own,
    );
    assert.deepEqual([start.watched, start.elapsedMs], [["http://led.example/"], 5]);
    assert.deepEqual(start.depthsBefore, { depth: 3, hostDepth: null });
  }
});
