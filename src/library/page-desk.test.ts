import assert from "node:assert/strict";
import { test } from "node:test";
import type { DonePage } from "../agent/index.ts";
import type { Page } from "./page.ts";
import { PageDesk, type PageReply } from "./page-desk.ts";
import { RowFields } from "./row-fields.ts";

function desk(): PageDesk {
  const fields = new RowFields({ extraction: null, isWritten: true, names: null, taken: ["url"] });
  return new PageDesk({ text: false, links: false, markdown: false, fields });
}

function done(number: number): DonePage {
  const row = { url: `https://example.org/${number}` } as DonePage["row"];
  return { row, headers: [], body: null };
}

/** Lets promises that are settled take effect. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

test("a page is replied to when the loop asks for the next one", async () => {
  const pages = desk();
  const replies: number[] = [];
  for (const number of [1, 2]) void pages.read(done(number)).then(() => replies.push(number));
  const loop = pages.pages();
  const first = await loop.next();
  assert.equal((first.value as Page).url, "https://example.org/1");
  await settled();
  assert.deepEqual(replies, []);
  await loop.next();
  assert.deepEqual(replies, [1]);
  await loop.return();
  await settled();
  assert.deepEqual(replies, [1, 2]);
});

test("no more pages are begun while many wait, and then again", async () => {
  const pages = desk();
  let number = 0;
  while (pages.hasRoom) void pages.read(done(++number));
  assert.ok(number > 0 && number <= 64, `${number} bodies are held`);
  let told = 0;
  pages.whenRoom(() => {
    told += 1;
  });
  assert.equal(told, 0);
  await pages.pages().next();
  assert.equal(told, 1);
  assert.equal(pages.hasRoom, true);
});

test("a handler gets no more pages at once than it may", async () => {
  const pages = desk();
  const open: (() => void)[] = [];
  let most = 0;
  const replies = [1, 2, 3, 4, 5].map((number) => pages.read(done(number)));
  pages.handle({
    atOnceMax: 2,
    failed: () => assert.fail(),
    handler: async (page) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      most = Math.max(most, open.push(resolve));
      await promise;
      return [`${page.url}/more`];
    },
  });
  let all: PageReply[] | null = null;
  void Promise.all(replies).then((found) => {
    all = found;
  });
  while (all === null) {
    await settled();
    open.shift()?.();
  }
  assert.equal(most, 2);
  assert.deepEqual((all as PageReply[])[4]?.links, ["https://example.org/5/more"]);
});

test("what a handler throws is told, and its page is replied to", async () => {
  const pages = desk();
  const failed: unknown[] = [];
  pages.handle({
    atOnceMax: 1,
    failed: (url, thrown) => failed.push(url, thrown),
    handler: () => {
      throw "oh";
    },
  });
  assert.deepEqual(await pages.read(done(1)), { links: [], fields: [] });
  assert.deepEqual(failed, ["https://example.org/1", "oh"]);
});

test("closing replies to every page, held or waiting, and ends the loop", async () => {
  const pages = desk();
  const replies = [1, 2, 3].map((number) => pages.read(done(number)));
  const loop = pages.pages();
  await loop.next();
  pages.close();
  assert.equal((await Promise.all(replies)).length, 3);
  assert.equal((await loop.next()).done, true);
  assert.deepEqual(await pages.read(done(4)), { links: [], fields: [] });
});

test("fields that are pushed make rows, and must be such that a row can have them", async () => {
  const pages = desk();
  const reply = pages.read(done(1));
  for await (const page of pages.pages()) {
    page.push({ price: 1, when: new Date(0) });
    page.push({ price: 2 });
    assert.throws(() => page.push({ url: "" }), { code: "USAGE_BAD_FIELD" });
    assert.throws(() => page.push({ big: 1n }), { code: "USAGE_BAD_FIELD" });
    pages.close();
  }
  const fields = [{ price: 1, when: "1970-01-01T00:00:00.000Z" }, { price: 2 }];
  assert.deepEqual((await reply).fields, fields);
});
