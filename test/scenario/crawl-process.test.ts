/** Crawls as processes: signals, locks, sudden death, a full disk, and mistakes of our own. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, watch, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { openPageStore, type PageStore } from "../../src/store/archive/index.ts";
import {
  archiveRecords,
  type CrawledWeb,
  crawlLines,
  linking,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { makeSmallDisk, needsSmallDisks, removeSmallDisk } from "../support/base/small-disk.ts";
import {
  BROKEN_STORE,
  READS_HELD,
  SLOW_QUEUES,
  TrobarProcess,
} from "../support/cli/trobar-process.ts";

/** A site that keeps a crawl busy until it is told to end. */
const ENDLESS = () => {
  const names = Array.from({ length: 2000 }, (_, index) => `/${index}`);
  const pages = Object.fromEntries(names.map((name) => [name, { body: `<p>page ${name}` }]));
  return { "a.test": { pages: { "/": linking(...names), ...pages } } };
};

function start(web: CrawledWeb, args: readonly string[], environment = {}): TrobarProcess {
  return new TrobarProcess(
    ["crawl", ...web.flags, "--json", ...args, web.url("a.test/")],
    environment,
  );
}

test("the first interruption is graceful and gives a summary, whichever signal it is", async () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    await withWeb(ENDLESS, async (web) => {
      const folder = join(web.folder, "out");
      const crawl = start(web, ["-o", folder]);
      await web.requests(20);
      crawl.kill(signal);
      assert.equal(await crawl.end(), 130);
      const summary = JSON.parse(crawl.stdout);
      assert.deepEqual([summary.state, summary.reason], ["stopped", "signal"]);
      assert.ok(summary.queued > 0);
      const lines = await crawlLines(folder);
      assert.equal(lines.length, summary.fetches);
      const answers = archiveRecords(folder).filter(({ type }) => type === "response");
      assert.equal(answers.length, summary.pages);
      assert.ok(readdirSync(join(folder, "warc")).every((name) => !name.endsWith(".open")));
      assert.match(crawl.stderr, /"event":"ending"/);
    });
  }
});

/** Hosts with many pages each, linked to in turn, under names that fill memory. */
const MANY = (port: number) => {
  const names = Array.from({ length: 120 }, (_, page) => `/${"long-".repeat(30)}${page}`);
  const hosts = Array.from({ length: 20 }, (_, host) => `h${host}.test`);
  const links = names.flatMap((name) => hosts.map((host) => `http://${host}:${port}${name}`));
  const pages = Object.fromEntries(names.map((name) => [name, { body: `<p>page ${name}` }]));
  const sites = Object.fromEntries(hosts.map((host) => [host, { pages }]));
  return { "a.test": { pages: { "/": linking(...links) } }, ...sites };
};

test("an interruption while queues are read from disk is graceful too", async () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    await withWeb(MANY, async (web) => {
      const folder = join(web.folder, "out");
      const args = ["-o", folder, "--scope", "any", "--set", "frontier.memory=1Mi"];
      const crawl = start(web, args, { [SLOW_QUEUES]: "1" });
      await crawl.said(READS_HELD);
      crawl.kill(signal);
      assert.equal(await crawl.end(), 130, crawl.stderr);
      const summary = JSON.parse(crawl.stdout);
      assert.deepEqual([summary.state, summary.reason], ["stopped", "signal"]);
      assert.equal((await crawlLines(folder)).length, summary.fetches);
      assert.doesNotMatch(crawl.stderr, /QUEUES_CLOSED|unexpected/);
    });
  }
});

test("the second interruption ends at once, and what is on disk can be read", async () => {
  await withWeb(
    () => {
      const { "a.test": site } = ENDLESS();
      const slow = { body: "<p>slow", delayMs: 60_000 };
      return { "a.test": { pages: { ...site.pages, "/": slow } } };
    },
    async (web) => {
      const folder = join(web.folder, "out");
      const crawl = start(web, ["-o", folder]);
      await web.requests(2);
      crawl.kill("SIGINT");
      await crawl.said('"event":"ending"');
      // Signals sent together with the first belong to it, so a user asks until it has ended.
      const ended = crawl.end();
      let isOver = false;
      void ended.then(() => {
        isOver = true;
      });
      while (!isOver) {
        crawl.kill("SIGINT");
        await new Promise(setImmediate);
      }
      // While Node ends, one more of them ends it without asking us.
      assert.ok((await ended) === 130 || crawl.signal === "SIGINT");
      assert.equal(crawl.stdout, "");
      await assertReadable(folder);
    },
  );
});

test("each fetch is in the crawl log before anything is committed", {
  timeout: 60_000,
}, async () => {
  await withWeb(
    () => {
      const slow = { body: "<p>slow", delayMs: 600_000 };
      const pages = { "/": linking("/1"), "/1": linking("/2"), "/2": linking("/slow") };
      return { "a.test": { pages: { ...pages, "/slow": slow } } };
    },
    async (web) => {
      const folder = join(web.folder, "out");
      const crawl = start(web, ["-o", folder, "--set", "store.checkpoint=1h", "--delay", "600ms"]);
      await web.requests(5);
      const watcher = watch(join(folder, "logs"));
      // The robots.txt has a line of its own, perhaps in a write of its own.
      for (let seen = once(watcher, "change"); ; seen = once(watcher, "change")) {
        if ((await crawlLines(folder)).length > 2) break;
        await seen;
      }
      watcher.close();
      assert.deepEqual(
        (await crawlLines(folder)).map(({ url }) => url),
        ["", "1", "2"].map((path) => web.url(`a.test/${path}`)),
      );
      crawl.kill("SIGKILL");
      await crawl.end();
      await assertReadable(folder);
    },
  );
});

test("after kill -9 the archive and the log are readable and agree", async () => {
  await withWeb(ENDLESS, async (web) => {
    const folder = join(web.folder, "out");
    const crawl = start(web, ["-o", folder, "--set", "store.checkpoint=1s"]);
    await web.requests(300);
    crawl.kill("SIGKILL");
    assert.equal(await crawl.end(), null);
    await assertReadable(folder);
  });
});

/** Opens the store as a continued crawl would, and reads everything. */
async function assertReadable(folder: string): Promise<void> {
  const store = await new Promise<PageStore>((resolve, reject) => {
    const options = {
      ...{ clock: new SystemClock(), storage: new DiskStorage(folder), name: "crawl" },
      ...{ agent: "agent", random: new SeededRandom("after"), about: [] },
      encoding: { compression: "gzip" as const, level: null },
      warcBytesMax: 2 ** 30,
    };
    openPageStore(options, (error, value) => (error === null ? resolve(value) : reject(error)));
  });
  await new Promise((resolve) => store.close(resolve));
  const lines = await crawlLines(folder);
  const answers = archiveRecords(folder).filter(({ type }) => type === "response");
  const stored = lines.filter(({ place }) => place !== null).map(({ url }) => url);
  assert.deepEqual(answers.map(({ targetUri }) => targetUri ?? "").sort(), stored.sort());
}

test("a directory that another process crawls into is refused with 3, and left alone", async () => {
  await withWeb(ENDLESS, async (web) => {
    const folder = join(web.folder, "out");
    const first = start(web, ["-o", folder]);
    await web.requests(3);
    const second = start(web, ["-o", folder, "--fresh", "--yes"]);
    assert.equal(await second.end(), 3);
    assert.match(second.stderr, /in use/i);
    first.kill("SIGINT");
    assert.equal(await first.end(), 130);
    assert.ok(existsSync(join(folder, "crawl.json")));
  });
});

test("a mistake of our own that belongs to no page ends the process with 1 and says so", async () => {
  await withWeb(ENDLESS, async (web) => {
    const crawl = start(web, ["-o", join(web.folder, "out")], { [BROKEN_STORE]: "1" });
    assert.equal(await crawl.end(), 1);
    assert.match(crawl.stderr, /unexpected failure: a promise was broken/);
    assert.equal(crawl.stdout, "");
  });
});

test("interrupted on a full disk, a crawl ends with 4 and counts what it has kept", {
  skip: needsSmallDisks(),
}, async () => {
  const disk = makeSmallDisk();
  const bytes = new SeededRandom("incompressible");
  const noise = Buffer.from(Array.from({ length: 40_000 }, () => 33 + bytes.below(90)));
  const pages = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `/${index}`,
      { body: Buffer.concat([Buffer.from(`${index}`), noise]) },
    ]),
  );
  try {
    await withWeb(
      () => ({ "a.test": { pages: { "/": linking(...Object.keys(pages)), ...pages } } }),
      async (web) => {
        const folder = join(disk, "out");
        // Slow enough that some pages are on disk before it is full.
        const slow = ["--set", "politeness.hostDelay=60ms", "--set", "store.compression=none"];
        const first = start(web, ["-o", folder, ...slow]);
        await first.said("_FULL");
        first.kill("SIGINT");
        assert.equal(await first.end(), 4);
        const summary = JSON.parse(first.stdout);
        assert.equal(summary.reason, "disk");
        assert.ok(summary.pages > 0);
        const lines = await crawlLines(folder);
        const bytes = lines.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
        const { pages: counted, fetches, status } = summary;
        assert.deepEqual(
          { pages: counted, fetches, status, bytes: summary.bytes },
          { pages: lines.length, fetches: lines.length, status: { 200: lines.length }, bytes },
        );
      },
    );
  } finally {
    removeSmallDisk(disk);
  }
});

test("a crawl that a full disk held up goes on by itself when there is room", {
  skip: needsSmallDisks(),
}, async () => {
  const disk = makeSmallDisk();
  const pages = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `/${index}`,
      { body: Buffer.from(`<p>page ${index}${" ".repeat(8 * 1024)}`) },
    ]),
  );
  try {
    await withWeb(
      () => ({ "a.test": { pages: { "/": linking(...Object.keys(pages)), ...pages } } }),
      async (web) => {
        const ballast = join(disk, "ballast");
        await mkdir(join(disk, "x"));
        writeFileSync(ballast, Buffer.alloc(640 * 1024));
        const crawl = start(web, ["-o", join(disk, "out"), "--set", "store.compression=none"]);
        await crawl.said("_FULL");
        await rm(ballast);
        assert.equal(await crawl.end(), 0, crawl.stderr);
        const summary = JSON.parse(crawl.stdout);
        assert.deepEqual([summary.reason, summary.pages], ["exhausted", 41]);
        assert.equal((await crawlLines(join(disk, "out"))).length, 41);
      },
    );
  } finally {
    removeSmallDisk(disk);
  }
});

test("a crawl that cannot be opened for lack of room ends with 4 and does not block a later one", {
  skip: needsSmallDisks(),
}, async () => {
  const disk = makeSmallDisk();
  try {
    await withWeb(ENDLESS, async (web) => {
      const ballast = join(disk, "ballast");
      writeFileSync(ballast, Buffer.alloc(1024 * 1024 - 16 * 1024));
      const folder = join(disk, "out");
      const first = start(web, ["-o", folder]);
      assert.equal(await first.end(), 4, first.stderr);
      await rm(ballast);
      const second = start(web, ["-o", folder, "-n", "1"]);
      assert.equal(await second.end(), 0, second.stderr);
    });
  } finally {
    removeSmallDisk(disk);
  }
});

test("interrupted while it waits for the disk, a crawl ends with 4 and that reason", async () => {
  await withWeb(ENDLESS, async (web) => {
    const crawl = start(web, ["-o", join(web.folder, "out"), "--min-free-disk", "1000Ti"]);
    await crawl.said("STORE_FULL");
    crawl.kill("SIGINT");
    assert.equal(await crawl.end(), 4);
    const { state, reason } = JSON.parse(crawl.stdout);
    assert.deepEqual([state, reason], ["stopped", "disk"]);
  });
});
