/**
 * Hosts are blocked, purged and slowed down at random while a crawl runs, and the process ends and
 * goes on in between: nothing is lost, nothing is fetched from a blocked host, and every URL ends once.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostName } from "../../src/formats/url/index.ts";
import { openRandomCrawl } from "../support/frontier/random-crawl.ts";

const SEEDS = process.env["TROBAR_FULL"] === "1" ? 60 : 6;
const HOSTS = 25;
const PAGES = 40;

function crawlChangingHosts(seed: string, isOnDisk: boolean): void {
  let crawl = openRandomCrawl({
    ...{ seed, isOnDisk, hosts: HOSTS, addresses: 8, connections: 10, pagesPerHost: PAGES },
    ...{ failureRatio: 0.05, serviceMsMax: 300, settings: { memoryBytes: 60_000 } },
  });
  const random = crawl.kernel.random.fork("changes");
  const blocked = new Set<string>();
  let logged = 0;
  const check = (): void => {
    for (const { what, kind } of crawl.lane.log.slice(logged)) {
      const host = /h\d+\.example/.exec(what)?.[0] ?? "";
      assert.ok(kind === "resolve" || !blocked.has(host), `${seed}: ${kind} ${what}`);
    }
    logged = crawl.lane.log.length;
  };
  for (let change = 0; change < 60; change += 1) {
    crawl.lane.each = check;
    crawl.kernel.schedule(0, () => crawl.lane.pump());
    const untilMs = crawl.kernel.nowMs + random.below(8000);
    crawl.kernel.runUntil(() => crawl.kernel.nowMs >= untilMs, {
      stepsMax: 1e6,
      virtualMsMax: 1e7,
    });
    check();
    const host = `h${random.below(HOSTS)}.example`;
    const kind = random.below(5);
    if (kind === 0 || kind === 1) {
      const { isBlocked } = crawl.frontier.changeHost(host as HostName, {
        isBlocked: !blocked.has(host),
      });
      if (isBlocked) blocked.add(host);
      else blocked.delete(host);
    } else if (kind === 2) {
      const { waiting } = crawl.frontier.changeHost(host as HostName, { purge: true });
      assert.equal(waiting, 0, seed);
    } else if (kind === 3) {
      crawl.frontier.changeHost(host as HostName, { delayMs: 1000 + random.below(3000) });
    } else if (isOnDisk) crawl = crawl.restart(random.below(5000));
  }
  crawl.lane.each = check;
  assert.equal(crawl.lane.runToEnd(), "done", seed);
  for (const host of blocked) {
    const { waiting, isBlocked } = crawl.frontier.changeHost(host as HostName, {});
    assert.ok(isBlocked && waiting <= PAGES, `${seed}: ${host}`);
  }
  for (const host of [...blocked]) {
    crawl.frontier.changeHost(host as HostName, { isBlocked: false });
    blocked.delete(host);
  }
  assert.equal(crawl.lane.runToEnd(), "done", seed);
  const { refused, queued } = crawl.frontier.status();
  const refusals = Object.values(refused).reduce((sum, count) => sum + count, 0);
  assert.equal(queued, 0, seed);
  assert.equal(crawl.lane.ends.size + refusals, crawl.urls, `${seed}: every URL ended once`);
}

for (const isOnDisk of [true, false]) {
  test(`hosts are changed at any moment, ${isOnDisk ? "on disk" : "in memory"}`, () => {
    for (let number = 0; number < SEEDS; number += 1) {
      crawlChangingHosts(`host changes ${number}`, isOnDisk);
    }
  });
}
