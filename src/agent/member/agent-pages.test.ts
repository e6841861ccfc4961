/** Queries of a cluster, answered from archive files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { answer, withArchives } from "../../../test/support/store/archives.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import { answered } from "../../base/seams/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import type { ItemsPart, PagePart, Whereabouts } from "../../cluster/queries/index.ts";
import { AgentPages } from "./agent-pages.ts";
import { readPage } from "./page-message.ts";

const B: Place = { id: "b", generation: 1 };
const C: Place = { id: "c", generation: 1 };

/** The pages `one` to `nine`, each of which links to `one`; `two` is hidden behind the copy of b. */
async function withPages(use: (pages: AgentPages) => Promise<void>): Promise<void> {
  const names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  await withArchives(async (rig) => {
    const records = names.map((name) =>
      gzipSync(answer(name, `<title>${name}</title><a href="/one">${"x".repeat(50)}</a>`)),
    );
    const view = await rig.open([rig.file("a.warc.gz", Buffer.concat(records))]);
    const pages = new AgentPages({
      view,
      holdersOf: (url, done) => done(url.endsWith("/ten") ? [C, B] : []),
      hiddenBy: async (url) => (url.endsWith("/two") ? B : null),
    });
    await use(pages);
    await view.close();
  });
}

function urlOf(name: string): string {
  return `http://a.test/${name}`;
}

test("Q1: a page is here, or where somebody says to have it, or where the visible copy is", async () => {
  await withPages(async (pages) => {
    const where = (name: string): Promise<Whereabouts> =>
      answered((done) => pages.whereIs(urlOf(name), done));
    assert.deepEqual(await where("one"), { kind: "here" });
    assert.deepEqual(await where("two"), { kind: "elsewhere", place: B });
    assert.deepEqual(await where("ten"), { kind: "elsewhere", place: C });
    assert.deepEqual(await where("eleven"), { kind: "absent" });
  });
});

test("Q1: a page is sent part by part, also while others ask for many more", async () => {
  await withPages(async (pages) => {
    const part = (name: string, from: number): Promise<PagePart | null> =>
      answered((done) => pages.readPage(urlOf(name), from, 100, done));
    assert.equal(await part("eleven", 0), null);
    const parts: Uint8Array[] = [];
    let total = Number.POSITIVE_INFINITY;
    for (let from = 0; from < total; from += 100) {
      const next = (await part("one", from)) ?? assert.fail("it is here");
      assert.equal(next.stamp, "2026-01-01T00:00:00.000Z");
      parts.push(next.bytes);
      total = next.totalBytes;
      for (const name of ["three", "four", "five", "six", "seven"]) await part(name, 0);
    }
    const page = readPage(Buffer.concat(parts));
    assert.ok(!isCrawlError(page) && page.outcome.kind === "record");
    assert.equal(page.row.url, urlOf("one"));
    assert.match(Buffer.from(page.outcome.record.payload).toString(), /^<title>one/);
  });
});

test("Q2: pages and links come part by part, the hidden copy never, and nothing twice", async () => {
  await withPages(async (pages) => {
    const all = async (what: string, argument: string, bytesMax: number): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor = "", isEnd = false; !isEnd; ) {
        const part: ItemsPart = await answered((done) =>
          pages.items({ what, argument }, cursor, bytesMax, done),
        );
        for (const item of part.items) found.push(JSON.parse(Buffer.from(item).toString()).url);
        ({ cursor, isEnd } = part);
      }
      return found.map((url) => url.slice(urlOf("").length));
    };
    const visible = ["one", "three", "four", "five", "six", "seven", "eight", "nine"];
    for (const bytesMax of [1, 1000, 1_000_000]) {
      assert.deepEqual(await all("pages", "", bytesMax), visible, `${bytesMax}`);
      assert.deepEqual(await all("links-in", urlOf("one"), bytesMax), visible, `${bytesMax}`);
    }
    assert.deepEqual(await all("what-else", "", 100), []);
  });
});
