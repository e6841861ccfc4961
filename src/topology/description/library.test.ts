import assert from "node:assert/strict";
import { test } from "node:test";
import { itemType } from "../items/index.ts";
import { libraryOf } from "./library.ts";

test("a priority connector gives the smallest of its field first, and items without a number last", async () => {
  const kind = libraryOf([]).connectorKinds.get("priority");
  const settings = { capacity: 10, field: "depth" };
  const connector = await kind?.open(itemType("test/any"), settings, "any");
  const items = [
    { depth: "1" },
    { depth: 7 },
    null,
    { depth: -2 },
    { depth: Number.NaN },
    { depth: 0 },
  ];
  assert.ok(connector !== undefined);
  assert.ok(connector.openInlet().tryOffer(items));
  const taken: unknown[] = [];
  connector.openOutlet("").takeInto(taken, 10);
  assert.deepEqual(taken, [items[3], items[5], items[1], items[0], items[2], items[4]]);
});
