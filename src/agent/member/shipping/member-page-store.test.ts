/** Pages of one crawl are brought into another, which is killed meanwhile; the web and the disks are virtual. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bring,
  crawlWithStore,
  exhausted,
  type RunningStore,
  type StoreParts,
  type TakenPage,
  takeAll,
} from "../../../../test/support/agent/shipped-crawls.ts";
import type {
  VirtualCrawl,
  VirtualCrawlOptions,
} from "../../../../test/support/agent/virtual-crawl.ts";
import { urlOf } from "../../../../test/support/agent/virtual-web.ts";
import { recordsOf, scanAll } from "../../../../test/support/formats/warc-reading.ts";
import { ticketIn } from "../../../holdings/index.ts";
import type { SimDisk } from "../../../lab/simulator/index.ts";
import { type CrawlLine, noteOf } from "../../../store/archive/index.ts";
import type { Crawl } from "../../crawl/crawl.ts";

const GRAPH = {
  "a/0": ["a/1", "a/2", "a/3", "a/4", "a/5", "b/0"],
  "a/1": ["b/1", "a/9"],
  "a/2": ["c/0"],
  "a/3": [],
  "a/4": [],
  "a/5": [],
  "b/0": ["a/0"],
  "b/1": ["a/3"],
  "b/2": [],
  "c/0": ["c/1", "a/2"],
  "c/1": [],
  "z/0": ["z/1"],
  "z/1": ["a/5"],
};
const SAME = "<title>the same</title><p>Two pages have this text, and nothing else.</p>";
const WEB: Pick<VirtualCrawlOptions, "graph" | "answers"> = {
  graph: GRAPH,
  answers: {
    "a/3": { status: 301, reason: "Moved", headers: [["Location", urlOf("b/2")]], body: "" },
    "a/4": { body: SAME, headers: [["Content-Type", "text/html"]] },
    "a/5": { body: SAME, headers: [["Content-Type", "text/html"]] },
  },
};
const SENT = ["a/0", "a/1", "a/2", "a/3", "a/4", "a/5", "a/9"];
const FOUND = ["b/0", "b/1", "b/2", "c/0", "c/1", "z/0", "z/1"];

type Ended = VirtualCrawl & { readonly disk: SimDisk };

/** Everything that a crawl of host `a` has. */
async function pagesOfA(
  withBody: boolean,
  settings: readonly string[] = [],
): Promise<{ pages: TakenPage[]; crawl: Ended }> {
  let pages: TakenPage[] = [];
  const crawl = await crawlWithStore(
    "sender",
    { ...WEB, seeds: ["a/0"], settings: ["scope=host", ...settings] },
    async (running) => {
      await exhausted(running);
      pages = await takeAll(running, withBody);
      running.crawl.life.stop();
    },
  );
  return { pages, crawl };
}

/** Brings pages to a crawl until it has all of them, and has nothing left to fetch. */
async function bringAll(
  pages: readonly TakenPage[],
  more: Partial<VirtualCrawlOptions> = {},
  last: (running: RunningStore) => Promise<void> = async () => undefined,
): Promise<Ended & { readonly hadAgain: number }> {
  const had = new Set<TakenPage>();
  let hadAgain = 0;
  const options = { ...WEB, seeds: ["z/0"], ...more };
  const crawl = await crawlWithStore("taker", options, async (running) => {
    for (const page of [...had]) {
      const isHad = await bring(running, page);
      assert.ok(isHad, "what was said to be had is had after a crash");
      hadAgain += 1;
    }
    await Promise.all(
      pages.map(async (page) => {
        if (had.has(page)) return;
        await bring(running, page);
        had.add(page);
      }),
    );
    await exhausted(running);
    await last(running);
    running.crawl.life.stop();
  });
  return { ...crawl, hadAgain };
}

function linesOf({ lines }: VirtualCrawl, host: string): CrawlLine[] {
  return lines.filter(({ url }) => url.startsWith(`http://${host}.example/`));
}

function rowsOf({ rows }: VirtualCrawl, ...without: string[]): unknown[] {
  const told = rows
    .filter((row) => String(row["url"]).includes("//a."))
    .map((row) => {
      const kept = Object.entries(row).filter(([name]) => !without.includes(name));
      return Object.fromEntries(kept);
    });
  return told.sort((one, other) => (String(one["url"]) < String(other["url"]) ? -1 : 1));
}

/** The answers that the archive has of host `a`, as they came; a body that comes twice is there once. */
function bodiesOn(disk: SimDisk): string[] {
  const files = disk.fileNames().filter((name) => name.startsWith("warc/"));
  const records = files.flatMap((name) => recordsOf(scanAll(disk.contentOf(name) as Uint8Array)));
  return records
    .filter(({ targetUri, type }) => /\/a\..*\/\d/.test(targetUri ?? "") && type !== "metadata")
    .map(({ targetUri, fields, block, type }) => {
      const told = [targetUri, fields.get("WARC-Date"), fields.get("WARC-Payload-Digest")];
      const text = type === "revisit" ? "" : Buffer.from(block).toString("latin1");
      return JSON.stringify([...told, type === "request" ? "request" : "answer", text]);
    })
    .sort();
}

/** Where it is stored, and what only whoever has fetched it knows. */
const OWN = ["number", "warc", "offset", "length", "checksum"];

function checkTaken(taker: VirtualCrawl, sender: VirtualCrawl): void {
  const asked = new Set(taker.pages);
  assert.deepEqual([...asked].sort(), FOUND, "links of pages that came are followed");
  const lines = linesOf(taker, "a");
  assert.deepEqual(lines.map(({ url }) => url).sort(), SENT.map(urlOf), "each has its line once");
  assert.equal(taker.summary.pages, FOUND.length, "what came counts where it was fetched");
  assert.deepEqual(taker.reports, []);
  const before = new Map(sender.lines.map((line) => [line.url, line]));
  for (const line of lines) {
    const { result, bodyBytes, digest, mime, atMs, depth, via } = line;
    const first = before.get(line.url);
    assert.ok(first !== undefined);
    assert.deepEqual(
      { result, bodyBytes, digest, mime, atMs, depth, via },
      {
        ...{ result: first.result, bodyBytes: first.bodyBytes, digest: first.digest },
        ...{ mime: first.mime, atMs: first.atMs, depth: first.depth, via: first.via },
      },
      line.url,
    );
  }
}

test("pages come with their bodies, their rows and their links, and are not fetched", async () => {
  const { pages, crawl: sender } = await pagesOfA(true);
  assert.equal(pages.length, SENT.length);
  const taker = await bringAll(pages);
  checkTaken(taker, sender);
  assert.deepEqual(rowsOf(taker, ...OWN), rowsOf(sender, ...OWN));
  for (const line of linesOf(taker, "a")) assert.equal(noteOf(line, "from"), "sender.1");
  assert.deepEqual(bodiesOn(taker.disk), bodiesOn(sender.disk));
});

test("pages whose bodies stay have their links all the same, and their lines say who keeps them", async () => {
  const { pages, crawl: sender } = await pagesOfA(false);
  let again: TakenPage[] = [];
  const taker = await bringAll(pages, {}, async (running) => {
    again = await takeAll(running, true, (host) => host === "a.example");
  });
  checkTaken(taker, sender);
  assert.deepEqual(rowsOf(taker, ...OWN), rowsOf(sender, ...OWN));
  for (const line of linesOf(taker, "a")) assert.equal(noteOf(line, "kept"), "sender.1");
  const next = await bringAll(again);
  checkTaken(next, sender);
  for (const line of linesOf(next, "a")) {
    assert.deepEqual([noteOf(line, "from"), noteOf(line, "kept")], ["taker.1", "sender.1"]);
  }
});

test("links of pages that came are followed as far as the limit on depth allows", async () => {
  const settings = ["limits.depth=1"];
  const { pages } = await pagesOfA(false, settings);
  const taker = await bringAll(pages, { settings });
  const asked = [...new Set(taker.pages)].sort();
  assert.deepEqual(asked, ["b/0", "b/2", "z/0", "z/1"], "where a page redirects is no further");
});

test("a page that two places bring at a time is there once, and what cannot be read is refused", async () => {
  const { pages } = await pagesOfA(true);
  const [first] = pages;
  assert.ok(first !== undefined);
  const crawl = await crawlWithStore("taker", { ...WEB, seeds: ["z/1"] }, async (running) => {
    const torn = { ...first, bytes: first.bytes.subarray(0, 100) };
    await assert.rejects(bring(running, torn), { code: "CLUSTER_ANSWER_DAMAGED" });
    const [, second] = pages;
    const other = { ...first, bytes: second?.bytes ?? first.bytes };
    await assert.rejects(bring(running, other), { code: "CLUSTER_ANSWER_DAMAGED" });
    await Promise.all([bring(running, first), bring(running, first), bring(running, first)]);
    await exhausted(running);
    running.crawl.life.stop();
  });
  assert.equal(crawl.lines.filter(({ url }) => url === urlOf("a/0")).length, 1);
});

test("a page that others claim is told to the frontier before it is had, and not fetched", async () => {
  const { pages } = await pagesOfA(true);
  const page = pages.find(({ entry }) => ticketIn(entry).url === urlOf("a/5"));
  assert.ok(page !== undefined);
  const claims = ({ made, parts }: Crawl): ReturnType<NonNullable<StoreParts["claims"]>> => ({
    isClaimed: (_page, done) => done(true),
    // As holdings carry out what custody asks when it hears of a claim, in their time.
    inTurn: (done) =>
      void made.clock.after(50, () =>
        parts.index?.numbers?.has(page.entry, (_error, isHad) => {
          if (isHad === false) parts.frontier.handovers.endElsewhere(ticketIn(page.entry));
          done();
        }),
      ),
  });
  const options = { ...WEB, seeds: ["z/1"], settings: ["politeness.hostDelay=1s"], claims };
  const taker = await crawlWithStore("taker", options, async (running) => {
    await bring(running, page);
    await exhausted(running);
    running.crawl.life.stop();
  });
  assert.deepEqual(taker.pages, ["z/1"]);
});

for (const withBody of [true, false]) {
  const how = withBody ? "with their bodies" : "without them";
  test(`a crawl that is killed while pages come ${how} has each once in the end`, async () => {
    const { pages, crawl: sender } = await pagesOfA(withBody);
    let hadAgain = 0;
    for (let steps = 40; steps < 1000; steps += 67) {
      const kills = [
        { steps, isPower: false },
        { steps: steps + 30, isPower: true },
      ];
      const taker = await bringAll(pages, { kills, settings: ["store.checkpoint=100ms"] });
      checkTaken(taker, sender);
      hadAgain += taker.hadAgain;
    }
    assert.ok(hadAgain > 10, `${hadAgain} pages were had when power failed`);
  });
}
