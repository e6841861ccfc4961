import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ArchiveRig,
  answer,
  bodiesOf,
  withArchives,
} from "../../../test/support/store/archives.ts";
import { JoinedCrawl } from "./joined-crawl.ts";

const NAMED = { name: "web", id: "0123456789abcdef" };

/** Two directories, both with a page `two`; that of the second is hidden. */
async function withTwo(use: (crawl: JoinedCrawl, rig: ArchiveRig) => Promise<void>): Promise<void> {
  await withArchives(async (rig) => {
    const linked = '<a href="/one">1</a>';
    const first = Buffer.concat([answer("one", "1"), answer("two", `2${linked}`)]);
    const second = Buffer.concat([answer("two", `old${linked}`), answer("three", `3${linked}`)]);
    const views = [
      await rig.open([rig.file("a.warc", first)]),
      await rig.open([rig.file("b.warc", second)]),
    ] as const;
    const crawl = new JoinedCrawl(
      [
        { view: views[0], number: 1, hides: null },
        { view: views[1], number: 5, hides: async ({ url }) => url.endsWith("/two") },
      ],
      NAMED,
    );
    await use(crawl, rig);
    await crawl.close();
  });
}

const url = (name: string): string => `http://a.test/${name}`;

test("the directories of agents are one crawl, in which each page is shown once", async () => {
  await withTwo(async (crawl) => {
    assert.deepEqual(
      (await bodiesOf(crawl)).map((body) => body.replace(/<.*/, "")),
      ["one: 1", "two: 2", "three: 3"],
    );
    const { pages, hosts, status } = await crawl.stats();
    assert.deepEqual([pages, hosts, status], [3, 1, { 200: 3 }]);
    const page = await crawl.find(url("two"));
    const outcome = page === null ? null : await crawl.record(page);
    assert.equal(outcome?.kind, "record");
    const payload = outcome?.kind === "record" ? outcome.record.payload : Buffer.alloc(0);
    assert.match(Buffer.from(payload).toString(), /^2/);
    assert.equal(await crawl.find(url("four")), null);
  });
});

test("reading goes on behind any page, also if other directories come in between", async () => {
  await withTwo(async (crawl) => {
    const cursors: number[] = [];
    for await (const batch of crawl.pages()) cursors.push(...batch.cursors);
    assert.equal(cursors.length, 3);
    const left: number[] = [];
    for (const cursor of cursors) {
      let count = 0;
      for await (const batch of crawl.pages(cursor)) count += batch.pages.length;
      left.push(count);
    }
    assert.deepEqual(left, [2, 1, 0]);
    const last = cursors.at(-1) ?? 0;
    assert.equal(Math.floor(last / 1e12), 5);
  });
});

test("all archives are there with all their answers, and links of shown pages alone", async () => {
  await withTwo(async (crawl) => {
    const files = await crawl.archiveFiles();
    assert.deepEqual(
      files.map(({ name }) => name),
      ["a.warc", "b.warc"],
    );
    for (const file of files) {
      assert.equal(await crawl.lengthOf(file.name), file.lengthBytes);
      let bytes = 0;
      for await (const piece of crawl.archiveBytes(file)) bytes += piece.length;
      assert.equal(bytes, file.lengthBytes);
    }
    assert.equal(await crawl.lengthOf("c.warc"), null);
    let answers = 0;
    for await (const batch of crawl.answers()) answers += batch.length;
    assert.equal(answers, 4);
    const linking: string[] = [];
    for await (const links of crawl.linksTo(url("one")))
      linking.push(...links.map((one) => one.url));
    assert.deepEqual(linking, [url("two"), url("three")]);
    assert.equal((await crawl.linksOf(url("three")))?.length, 1);
    assert.equal(await crawl.linksOf(url("four")), null);
  });
});
