import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryBody } from "../../test/support/store/store-rig.ts";
import type { DonePage } from "../agent/index.ts";
import { pageOf } from "./page.ts";
import { RowFields } from "./row-fields.ts";

function page() {
  const fields = new RowFields({ extraction: null, isWritten: false, names: null, taken: [] });
  const row = { url: "https://example.org/", charset: "utf-8" } as DonePage["row"];
  return pageOf({ row, headers: [], body: new MemoryBody(Buffer.from("content")) }, fields);
}

test("content that nobody has read is gone with the page, unless it is to be kept", () => {
  const [left, kept, read] = [page(), page(), page()];
  assert.equal(Buffer.from(read.body).toString(), "content");
  left.end();
  kept.end(true);
  read.end();
  assert.throws(() => left.body, { code: "USAGE_PAGE_OVER" });
  for (const one of [kept, read]) assert.equal(Buffer.from(one.body).toString(), "content");
});
