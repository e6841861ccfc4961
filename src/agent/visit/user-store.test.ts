import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryBody } from "../../../test/support/parse/parse-rig.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import type { StorePage } from "../../store/pages/index.ts";
import type { EndedPage } from "./page-keeper.ts";
import { loadStore, openUserStore, UserStoreKeeper } from "./user-store.ts";

function page(url: string, more: Partial<EndedPage> = {}): EndedPage {
  const row = { url, status: 200, duplicateOf: null } as EndedPage["row"];
  const body = new MemoryBody("content") as unknown as EndedPage["body"];
  return { row, parsed: null, headers: [], body, keep: "whole", duplicate: null, ...more };
}

function keeperOf(put: (page: StorePage) => void | Promise<void>, more = {}) {
  const failures: CrawlError[] = [];
  const store = { put, ...more };
  const failed = (error: CrawlError): number => failures.push(error);
  return { failures, keeper: new UserStoreKeeper({ name: "mine", store, failed }) };
}

test("a store gets the fields of a page and its body, until it is done with it", async () => {
  const got: StorePage[] = [];
  const { keeper } = keeperOf(async (one) => {
    got.push(one);
    assert.equal(Buffer.from((await one.body()) ?? []).toString(), "content");
  });
  await keeper.keep(page("http://a/", { duplicate: "near" }));
  const [one] = got;
  assert.deepEqual([one?.url, one?.status, one?.duplicate], ["http://a/", 200, "near"]);
  assert.equal(await one?.body(), null);
  assert.equal(JSON.parse(JSON.stringify(one)).url, "http://a/");
});

test("what may not be kept is not given to a store", async () => {
  const got: string[] = [];
  const { keeper } = keeperOf(async (one) => {
    got.push(`${one.url} ${await one.body()}`);
  });
  assert.equal(keeper.keep(page("http://refused/", { keep: "nothing" })), null);
  await keeper.keep(page("http://noarchive/", { keep: "metadata" }));
  assert.deepEqual(got, ["http://noarchive/ null"]);
});

test("pages that are not taken yet make the crawl wait", async () => {
  const open: (() => void)[] = [];
  const { keeper } = keeperOf(() => new Promise((resolve) => open.push(resolve)));
  const keeping: (Promise<void> | null)[] = [];
  while (keeper.hasRoom) keeping.push(keeper.keep(page("http://a/")));
  let told = 0;
  keeper.whenRoom(() => {
    told += 1;
  });
  assert.equal(told, 0);
  open.shift()?.();
  await keeping[0];
  assert.deepEqual([told, keeper.hasRoom], [1, true]);
});

test("a store that fails ends the crawl once, and gets nothing more", async () => {
  let puts = 0;
  const { keeper, failures } = keeperOf(async () => {
    puts += 1;
    throw new Error("no room");
  });
  await Promise.all([keeper.keep(page("http://a/")), keeper.keep(page("http://b/"))]);
  assert.equal(keeper.keep(page("http://c/")), null);
  assert.deepEqual([puts, failures.length, failures[0]?.code], [2, 1, "STORE_FAILED"]);
  const error = await new Promise((resolve) => keeper.flush(resolve));
  assert.equal(error, failures[0]);
});

test("flush and close are the store's, and may fail", async () => {
  const asked: string[] = [];
  const { keeper, failures } = keeperOf(() => {}, {
    flush: () => void asked.push("flush"),
    close: async () => {
      throw new Error("late");
    },
  });
  assert.equal(await new Promise((resolve) => keeper.flush(resolve)), null);
  assert.match(String(await new Promise((resolve) => keeper.close(resolve))), /late/);
  assert.deepEqual([asked, failures.length], [["flush"], 1]);
});

test("a module without createStore, or without put, is refused with the reason", async () => {
  const of = (exports: object) => async () => exports as Record<string, unknown>;
  await assert.rejects(loadStore("./x.js", of({})), /exports no function createStore/);
  const provider = { kind: "provider", provides: { name: "store" } };
  assert.equal((await loadStore("./x.js", of({ provider }))).kind, "provider");
  for (const [made, reason] of [
    [() => ({}), /no method put/],
    [() => null, /no method put/],
    [() => Promise.reject(new Error("no server")), /no server/],
  ] as const) {
    const loaded = await loadStore("./x.js", of({ createStore: made }));
    const opening = openUserStore("./x.js", loaded, { folder: "", name: "crawl" });
    await assert.rejects(opening, reason);
  }
});
