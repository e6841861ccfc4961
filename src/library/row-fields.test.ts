import assert from "node:assert/strict";
import { test } from "node:test";
import { RowFields, type RowFieldsOptions } from "./row-fields.ts";

const extraction = { of: () => ({ price: "1", name: "found" }) };

test("what a program pushes wins over what selectors find, in each of its rows", () => {
  const fields = new RowFields({
    extraction: extraction as unknown as RowFieldsOptions["extraction"],
    ...{ isWritten: true, names: null, taken: [] },
  });
  const document = (): never => ({}) as never;
  assert.deepEqual(fields.rows([], document), [{ price: "1", name: "found" }]);
  assert.deepEqual(fields.rows([{ price: 2 }, { name: null }], document), [
    { price: 2, name: "found" },
    { price: "1", name: null },
  ]);
});
