import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pageAt } from "../../../test/support/store/indexed-pages.ts";
import { assertBatch, assertSchema } from "../../base/database/index.ts";
import { INDEX_SHAPE, numberOf, PAGES, pageOf, rowOf, valuesOf } from "./page-table.ts";

test("a page comes back from its row as it was", () => {
  const text = fc.option(fc.string({ unit: "grapheme" }), { nil: null });
  const count = fc.option(fc.nat(), { nil: null });
  fc.assert(
    fc.property(
      fc.record({
        ...{ title: text, language: text, contentSignal: text, contentUsage: text, via: text },
        ...{ offset: count, length: count, textBlock: count, textEntry: count },
        ...{ tdmReservation: count, requisite: fc.boolean(), noindex: fc.boolean() },
        ...{ noarchive: fc.boolean(), status: fc.nat(599), depth: fc.nat(), bytes: fc.nat() },
        error: fc.constantFrom(null, "FETCH_CONNECT_FAILED" as const),
      }),
      fc.integer({ min: 1, max: 2 ** 48 }),
      (facts, number) => {
        const page = pageAt("any", facts as Parameters<typeof pageAt>[1]);
        const values = valuesOf(number, page);
        assert.equal(numberOf(values), number);
        assert.deepEqual(pageOf(rowOf(values)), { ...page, number });
      },
    ),
  );
});

test("a row of which anything was altered is not taken for a page", () => {
  const row = rowOf(valuesOf(7, pageAt("any", { title: "as written", offset: 5 })));
  assert.ok(pageOf(row));
  for (const [column, value] of Object.entries(row)) {
    const others = [null, "", 0, 1, `${value}x`, Number(value) + 1].filter((it) => it !== value);
    for (const other of others) assert.equal(pageOf({ ...row, [column]: other }), null, column);
  }
});

test("half a character in what a server says does not keep its page from the index", () => {
  const page = pageAt("half", { title: "a\ud83d", contentSignal: "\udc00" });
  const row = rowOf(valuesOf(1, page));
  assertBatch(INDEX_SHAPE.tables, { put: [{ table: PAGES, row }] });
  assert.equal(row["title"], "a\ufffd");
});

test("the table can be declared, with the contract's columns first", () => {
  assertSchema(INDEX_SHAPE.tables);
  const columns = Object.keys(INDEX_SHAPE.tables[PAGES]?.columns ?? {});
  assert.equal(
    columns.slice(0, 20).join(" "),
    "url key host depth via status mime bytes digest simhash duplicate_of near_duplicate_of " +
      "redirect_to truncated title language fetched_at warc offset length",
  );
});
