import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SeededRandom } from "../../base/random/index.ts";
import type { Random } from "../../base/seams/index.ts";
import { LinkRig } from "./link-rig.fixture.ts";
import type { GraphLink } from "./link-text.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

const URLS = Array.from({ length: 30 }, (_, page) => `http://a.example/${page}`);

function anyUrl(random: Random): string {
  return URLS[random.below(URLS.length)] ?? "";
}

function anyLink(random: Random): GraphLink {
  return {
    url: anyUrl(random) + (random.below(4) === 0 ? "#part" : ""),
    kind: random.below(2) === 0 ? "a" : "link",
    rel: random.below(3) === 0 ? "nofollow" : "",
    text: random.below(2) === 0 ? "" : `número ${random.below(9)}`,
  };
}

function anyLinks(random: Random): GraphLink[] {
  return Array.from({ length: random.below(6) }, () => anyLink(random));
}

test("a graph answers as a map of pages, through flushes, openings and crashes", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 60 }), (seed, steps) => {
      const random = new SeededRandom(seed);
      const rig = new LinkRig(seed, 1 + random.below(600));
      rig.open();
      for (let step = 0; step < steps; step++) {
        const choice = random.below(12);
        if (choice < 9) rig.add(anyUrl(random), anyLinks(random));
        else if (choice === 9) {
          rig.flush();
          rig.checkAll(URLS.slice(0, 6));
        } else {
          rig.flush();
          if (choice === 10) rig.close();
          else rig.crash();
          rig.open();
        }
      }
      rig.flush();
      rig.checkAll(URLS);
      assert.deepEqual(rig.reports, []);
    }),
    { numRuns: isFull ? 400 : 15 },
  );
});

test("links between texts with tabs and line ends are kept, with spaces in their place", () => {
  const rig = new LinkRig("tabs", 1000);
  rig.open();
  const link = { url: "http://a.example/1", kind: "a", rel: "no\tfollow", text: "one\r\ntwo" };
  rig.add("http://a.example/0", [link]);
  rig.flush();
  const plain = { ...link, rel: "no follow", text: "one two" };
  assert.deepEqual(rig.linksOf("http://a.example/0"), [plain]);
  assert.deepEqual(rig.linksTo("http://a.example/1"), [{ ...plain, url: "http://a.example/0" }]);
});

test("a page without links has none, and one that was never added is not there", () => {
  const rig = new LinkRig("none", 1000);
  rig.open();
  assert.equal(rig.linksOf("http://a.example/0"), null);
  rig.add("http://a.example/0", []);
  rig.flush();
  assert.deepEqual(rig.linksOf("http://a.example/0"), []);
  assert.equal(rig.linksOf("http://a.example/1"), null);
  assert.equal(rig.linksOf("mailto:a@example"), null);
  assert.deepEqual(rig.linksTo("mailto:a@example"), []);
  assert.deepEqual(rig.counts(), { pages: 1, links: 0 });
});

test("links to a popular page come a part at a time, each once", () => {
  const rig = new LinkRig("popular", 40_000);
  rig.open();
  const text = "x".repeat(10_000);
  const sources = Array.from({ length: 700 }, (_, page) => `http://b.example/${page}`);
  for (const url of sources) {
    rig.add(url, [{ url: "http://a.example/0", kind: "a", rel: "", text }]);
    if (!rig.graph.hasRoom) rig.flush();
  }
  rig.flush();
  const links = rig.linksTo("http://a.example/0");
  assert.deepEqual(links.map(({ url }) => url).sort(), [...sources].sort());
});

test("after a crash at any moment, what was flushed before is there", () => {
  for (let events = 0; events < (isFull ? 400 : 60); events++) {
    const rig = new LinkRig(events, 100);
    const random = new SeededRandom(events);
    rig.open();
    for (const url of URLS.slice(0, 10)) rig.add(url, anyLinks(random));
    rig.flush();
    for (const url of URLS.slice(10)) rig.add(url, anyLinks(random));
    const before = rig.flushed;
    let isAnswered = false;
    rig.graph.flush(() => {
      isAnswered = true;
    });
    for (let event = 0; event < events && rig.machine.time.step(); event++);
    rig.crash();
    rig.open();
    for (const url of URLS.slice(0, 10)) {
      assert.deepEqual(rig.linksOf(url), before.get(url), `${url} after ${events} events`);
    }
    // Some batches may have been finished: what is there is whole.
    for (const url of URLS.slice(10)) {
      const links = rig.linksOf(url);
      if (isAnswered) assert.notEqual(links, null);
    }
    rig.add("http://a.example/new", []);
    rig.flush();
    assert.deepEqual(rig.linksOf("http://a.example/new"), []);
    assert.deepEqual(rig.walked(), rig.counts(), `nothing else is there after ${events} events`);
  }
});

test("a full disk loses no link: they are written when there is room", () => {
  const rig = new LinkRig("full", 200);
  const random = new SeededRandom("full");
  rig.open();
  rig.machine.disk.capacityBytes = 3_000;
  for (const url of URLS) {
    rig.add(
      url,
      Array.from({ length: 10 }, () => anyLink(random)),
    );
    rig.machine.time.settle();
  }
  assert.ok(rig.reports.length > 0, "the disk was full");
  assert.ok(rig.reports.every(({ code }) => code === "STORAGE_FULL"));
  assert.equal(
    rig.machine.code((done) => rig.graph.flush(done)),
    "STORAGE_FULL",
  );
  assert.equal(rig.graph.hasRoom, false);
  rig.machine.disk.capacityBytes = Number.POSITIVE_INFINITY;
  rig.flush();
  rig.checkAll(URLS);
  assert.equal(rig.graph.hasRoom, true);
});

test("damaged marks are told, and so is a block that is gone", () => {
  const rig = new LinkRig("damage", 1000);
  rig.open();
  rig.add("http://a.example/0", []);
  rig.flush();
  rig.close();
  const { storage } = rig.machine;
  rig.machine.result((done) => storage.remove("links/log.log", done));
  assert.equal(
    rig.machine.code((done) => rig.view.linksOf("http://a.example/0", done)),
    "LINKS_DAMAGED",
  );
  rig.machine.result((done) => storage.replace("links/runs", Buffer.from("{}"), done));
  assert.equal(
    rig.machine.code((done) => rig.view.counts(done)),
    "LINKS_DAMAGED",
  );
  rig.machine.result((done) => storage.remove("links/runs", done));
  const asked = rig.machine.code((done) => rig.view.counts(done));
  assert.equal(asked, "LINKS_DAMAGED", "a graph without marks is not one that has not begun");
});

test("links that are added once more after a kill are counted once", async () => {
  const rig = new LinkRig("counts", 1000);
  const link = (to: string): GraphLink => ({ url: to, kind: "a", rel: "", text: "" });
  const [one = "", two = "", three = ""] = URLS;
  rig.open();
  rig.add(one, [link(two), link(three)]);
  rig.flush();
  const known = rig.graph.counts;
  assert.deepEqual(known, { pages: 1, links: 2 });
  rig.add(two, [link(three)]);
  assert.deepEqual(rig.graph.counts, { pages: 2, links: 3 }, "what is not written yet counts");
  rig.flush();
  rig.crash();
  rig.open();
  assert.deepEqual(rig.graph.counts, { pages: 2, links: 3 });
  rig.graph.countFrom(known);
  rig.add(two, [link(three)]);
  rig.add(three, []);
  rig.flush();
  assert.deepEqual(rig.counts(), { pages: 3, links: 3 });
  rig.checkAll(URLS);
  assert.deepEqual((await rig.check()).problems, []);
});
