import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { VisitRig } from "../../../test/support/agent/visit-rig.ts";
import { DiskBody, MemoryBody } from "../../../test/support/store/store-rig.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Body } from "../../base/seams/index.ts";
import { openSpool, type PooledSpool } from "../../fetch/body/index.ts";
import type { RememberedPage } from "../links/link-memory.ts";
import type { EndedPage } from "./page-keeper.ts";
import type { PageRows } from "./page-rows.ts";

const PAGE = Buffer.from('<a href="/x">x</a><a href="http://b.test/">b</a>');

test("a page in memory is offered, stored and counted in one go", async () => {
  const rig = new VisitRig();
  await rig.visit(new MemoryBody(PAGE));
  rig.machine.time.settle();
  assert.deepEqual(
    rig.offered.map(({ url, depth, via }) => [url, depth, via]),
    [
      ["http://a.test/x", 4, "http://a.test/"],
      ["http://b.test/", 4, "http://a.test/"],
    ],
  );
  assert.deepEqual([rig.counts.pages, rig.counts.fetches, rig.overs], [1, 1, 1]);
  assert.deepEqual(rig.store.pages[0]?.crawl.notes, [["links", "2"]]);
});

test("an answer that is tried again is logged and neither stored nor counted", async () => {
  const rig = new VisitRig();
  rig.settlement = { kind: "again", atMs: 99 };
  await rig.visit(new MemoryBody(PAGE));
  rig.machine.time.settle();
  assert.deepEqual([rig.store.pages.length, rig.counts.pages, rig.counts.fetches], [0, 0, 1]);
  assert.deepEqual(rig.store.lines[0]?.notes, [["retry"]]);
  assert.equal(rig.overs, 1);
});

test("a page waits while the disk is full, and counts when it is stored", async () => {
  const rig = new VisitRig();
  rig.store.hasRoom = false;
  rig.store.trouble = new CrawlError("STORE_FULL", "full");
  await rig.visit(new MemoryBody(PAGE));
  rig.machine.time.settle();
  assert.equal(rig.offered.length, 2, "its links are known already");
  assert.deepEqual([rig.store.waiting, rig.overs, rig.counts.pages], [1, 0, 0]);
  rig.store.makeRoom();
  rig.machine.time.settle();
  assert.deepEqual([rig.store.pages.length, rig.overs, rig.counts.pages], [1, 1, 1]);
});

test("a page that waits for room can be given up, once", async () => {
  const rig = new VisitRig();
  rig.store.hasRoom = false;
  const visit = await rig.visit(new MemoryBody(PAGE));
  rig.machine.time.settle();
  visit.cancel();
  visit.cancel();
  rig.store.makeRoom();
  rig.machine.time.settle();
  assert.deepEqual([rig.store.pages.length, rig.overs, rig.counts.pages], [0, 1, 0]);
});

test("a body on disk that cannot be read back is a failure of the page, not of the store", async () => {
  const rig = new VisitRig();
  rig.store.isBodyReadable = false;
  await rig.visit(new DiskBody(PAGE, rig.machine.time));
  rig.machine.time.settle();
  assert.deepEqual(rig.counts.errors.toObject(), { FETCH_BODY_NOT_KEPT: 1 });
  assert.equal(rig.store.lines[0]?.result, "FETCH_BODY_NOT_KEPT");
  assert.equal(rig.overs, 1);
});

test("a request for the links of a page that is being read waits until they are known", async () => {
  const rig = new VisitRig();
  await rig.visit(new DiskBody(PAGE, rig.machine.time));
  // The answer is there, and its body is read from disk, piece by piece.
  while (rig.counts.fetches === 0) rig.machine.time.step();
  assert.equal(rig.offered.length, 0);
  const page = rig.machine.result<RememberedPage | null>((done) => rig.memory.recall(1, 2, done));
  assert.deepEqual(page?.links, ["http://a.test/x", "http://b.test/"]);
  assert.equal(rig.offered.length, 2);
  rig.offers.offerAgain(page as RememberedPage, {
    kind: "expand",
    high: 1,
    low: 2,
    depth: 1,
    requisite: 0,
  });
  assert.deepEqual(
    rig.offered.slice(2).map(({ depth }) => depth),
    [2, 2],
  );
});

const GZIP_HTML = [
  ["Content-Type", "text/html"],
  ["Content-Encoding", "gzip"],
] as const;

test("content that finds no room on the disk is decoded again, and no link is lost", async () => {
  const rig = new VisitRig();
  rig.spool.homeless = 3;
  await rig.visit(new MemoryBody(gzipSync(PAGE)), GZIP_HTML);
  rig.machine.time.settle();
  assert.deepEqual([rig.offered.length, rig.counts.pages, rig.overs], [2, 1, 1]);
  assert.deepEqual(rig.store.pages[0]?.crawl.notes, [["links", "2"]]);
});

test("a page whose content finds no room can be given up", async () => {
  const rig = new VisitRig();
  rig.spool.homeless = Number.POSITIVE_INFINITY;
  const visit = await rig.visit(new MemoryBody(gzipSync(PAGE)), GZIP_HTML);
  rig.machine.time.after(5000, () => visit.cancel());
  rig.machine.time.settle();
  assert.deepEqual([rig.offered.length, rig.counts.pages, rig.overs], [0, 0, 1]);
  assert.deepEqual([rig.store.pages, rig.store.lines], [[], []]);
});

test("links of damaged content are not offered", async () => {
  const { gzipSync } = await import("node:zlib");
  const packed = Buffer.from(gzipSync(PAGE));
  packed.writeUInt32LE(12345, packed.length - 8);
  const rig = new VisitRig();
  await rig.visit(new MemoryBody(packed), [
    ["Content-Type", "text/html"],
    ["Content-Encoding", "gzip"],
  ]);
  rig.machine.time.settle();
  assert.deepEqual([rig.offered.length, rig.counts.pages], [0, 1]);
  assert.deepEqual(rig.store.pages[0]?.crawl.notes, [["damaged"], ["links", "0"]]);
});

test("content that is cut, by its sender or by a limit of decoding, is noted and counted", async () => {
  const headers = [
    ["Content-Type", "text/html"],
    ["Content-Encoding", "gzip"],
  ] as const;
  const cut = gzipSync(`${PAGE} ${"x y z ".repeat(500)}`).subarray(0, -12);
  const bomb = gzipSync(Buffer.alloc(11 * 2 ** 20, " "));
  for (const [body, why] of [
    [cut, "decoding-corrupt"],
    [bomb, "decoding-ratio"],
  ] as const) {
    const rig = new VisitRig();
    await rig.visit(new MemoryBody(body), headers);
    rig.machine.time.settle();
    assert.deepEqual(rig.store.pages[0]?.crawl.notes[0], ["truncated", why]);
    assert.deepEqual([rig.counts.pages, rig.counts.truncated], [1, 1]);
    const missing = new VisitRig();
    await missing.visit(new MemoryBody(body), headers, 404);
    missing.machine.time.settle();
    assert.deepEqual([missing.counts.pages, missing.counts.truncated], [0, 1], "no page, but cut");
  }
});

test("an exception of the frontier passes the barrier of the page", async () => {
  const rig = new VisitRig();
  Object.defineProperty(rig, "settlement", {
    get: () => assert.fail("the frontier is broken"),
  });
  await rig.visit(new MemoryBody(PAGE));
  assert.throws(() => rig.machine.time.settle(), /the frontier is broken/);
  assert.deepEqual([rig.reported, rig.overs], [[], 0]);
});

test("a page for which the store throws is not given to it again", async () => {
  const rig = new VisitRig();
  let tries = 0;
  rig.store.tryStore = () => {
    tries += 1;
    return assert.fail("planted");
  };
  await rig.visit(new MemoryBody(PAGE));
  rig.machine.time.settle();
  assert.deepEqual([tries, rig.overs, rig.counts.pages], [1, 1, 0]);
  assert.equal(rig.store.lines[0]?.result, "INTERNAL_STORE");
});

test("a page whose processing throws ends with a code, and is archived as received", async () => {
  const rig = new VisitRig();
  rig.offers.offerLinks = () => assert.fail("planted");
  await rig.visit(new MemoryBody(PAGE));
  rig.machine.time.settle();
  assert.deepEqual([rig.counts.pages, rig.overs], [0, 1]);
  assert.deepEqual(rig.counts.errors.toObject(), { INTERNAL_LINKS: 1 });
  assert.equal(rig.store.pages[0]?.failure, "INTERNAL_LINKS");
  assert.deepEqual(
    rig.reported.map(({ code }) => code),
    ["INTERNAL_LINKS"],
  );
});

test("a page whose processing throws waits for room too, and can be given up", async () => {
  const [kept, givenUp] = [new VisitRig(), new VisitRig()];
  for (const rig of [kept, givenUp]) {
    rig.store.hasRoom = false;
    rig.offers.offerLinks = () => assert.fail("planted");
    const visit = await rig.visit(new MemoryBody(PAGE));
    rig.machine.time.settle();
    assert.deepEqual([rig.store.waiting, rig.overs], [1, 0]);
    if (rig === givenUp) visit.cancel();
    rig.store.makeRoom();
    rig.machine.time.settle();
    assert.equal(rig.overs, 1);
  }
  assert.equal(kept.store.pages[0]?.failure, "INTERNAL_LINKS");
  assert.deepEqual(
    [kept.counts.errors.toObject(), kept.counts.fetches],
    [{ INTERNAL_LINKS: 1 }, 1],
  );
  assert.deepEqual([givenUp.store.pages, givenUp.store.lines], [[], []]);
  assert.deepEqual([givenUp.counts.errors.toObject(), givenUp.counts.fetches], [{}, 0]);
});

/** Rows of which the test says whether there is room for them. */
function rowsFor(rig: VisitRig) {
  const told: string[] = [];
  const waiting: (() => void)[] = [];
  const writer = { hasRoom: true, whenRoom: (callback: () => void) => waiting.push(callback) };
  const rows = {
    writer,
    finish: ({ row }: EndedPage) => {
      told.push(`${row.error ?? "answered"} ${row.url}`);
      return null;
    },
  };
  rig.rows = rows as unknown as PageRows;
  return { told, waiting, writer };
}

test("a page whose processing throws has one row, with the code", async () => {
  const rig = new VisitRig();
  const { told } = rowsFor(rig);
  rig.offers.offerLinks = () => assert.fail("planted");
  await rig.visit(new MemoryBody(PAGE));
  rig.machine.time.settle();
  assert.deepEqual(told, ["INTERNAL_LINKS http://a.test/"]);
});

test("two faults of one page are counted once", async () => {
  const rig = new VisitRig();
  rig.offers.offerLinks = () => assert.fail("planted");
  rig.offers.ended = () => assert.fail("planted too");
  await rig.visit(new MemoryBody(PAGE));
  rig.machine.time.settle();
  assert.deepEqual(rig.counts.errors.toObject(), { INTERNAL_LINKS: 1 });
  assert.equal(rig.overs, 1);
});

test("a page is not parsed before there is room for its row", async () => {
  const rig = new VisitRig();
  const { told, waiting, writer } = rowsFor(rig);
  writer.hasRoom = false;
  await rig.visit(new MemoryBody(PAGE));
  rig.machine.time.settle();
  assert.deepEqual([rig.offered.length, rig.overs, waiting.length], [0, 0, 1]);
  writer.hasRoom = true;
  for (const callback of waiting) callback();
  rig.machine.time.settle();
  assert.deepEqual([rig.offered.length, rig.overs], [2, 1]);
  assert.deepEqual(told, ["answered http://a.test/"]);
});

/** A body in memory, as the fetcher makes it. */
function spooled(rig: VisitRig, content: Buffer): Body {
  const { machine } = rig;
  const options = { memoryBytes: 64 * 1024 * 1024, storage: machine.storage, clock: machine.time };
  const spool = machine.result<PooledSpool>((done) => openSpool(options, done));
  const sink = spool.open(content.length, () => undefined);
  sink.write(content, 0, content.length);
  const bodies: Body[] = [];
  sink.end((error, body) => {
    assert.equal(error, null);
    if (body !== undefined) bodies.push(body);
  });
  return bodies[0] as Body;
}

test("a large page in memory is read in pieces, and others get their turns in between", async () => {
  const rig = new VisitRig();
  const links = Array.from({ length: 5000 }, (_, at) => `<p>words</p><a href="/${at}">x</a>\n`);
  const body = spooled(rig, Buffer.from(links.join("").padEnd(1024 * 1024)));
  assert.notEqual(body.bytes, null, "it lies in memory");
  await rig.visit(body);
  let turns = 0;
  for (; rig.overs === 0; turns += 1) assert.ok(rig.machine.time.step(), "it comes to its end");
  assert.ok(turns >= 32, `${turns} turns, one for each piece that digest and parser read`);
  assert.equal(rig.offered.length, 5000);
  assert.deepEqual([rig.store.pages.length, rig.counts.pages, rig.overs], [1, 1, 1]);
});

test("the target of a redirect is offered again at a smaller depth, one redirect further", async () => {
  const rig = new VisitRig();
  const page = { url: "http://a.test/", redirects: 4, depth: 7, links: ["http://b.test/"] };
  const errand = { kind: "expand", high: 1, low: 2, depth: 2, requisite: 0 } as const;
  rig.offers.offerAgain({ ...page, requisites: [], isRequisite: false, isSheet: false }, errand);
  assert.deepEqual(
    rig.offered.map(({ url, depth, redirects }) => [url, depth, redirects]),
    [["http://b.test/", 2, 5]],
  );
});
