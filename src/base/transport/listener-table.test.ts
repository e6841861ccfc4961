import assert from "node:assert/strict";
import { test } from "node:test";
import { ListenerTable } from "./listener-table.ts";

const nobody = (): void => undefined;

test("a kind has one listener, and none after closing", () => {
  const table = new ListenerTable();
  table.serve("news", nobody);
  assert.equal(table.of("news"), nobody);
  assert.equal(table.of("other"), undefined);
  assert.throws(() => table.serve("news", nobody), assert.AssertionError);
  assert.throws(() => table.serve("no kind", nobody), assert.AssertionError);
  table.close();
  table.serve("late", nobody);
  assert.deepEqual([table.of("news"), table.of("late")], [undefined, undefined]);
});
