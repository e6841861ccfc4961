import assert from "node:assert/strict";
import { test } from "node:test";
import { itemType } from "../items/index.ts";
import { sink } from "../unit/index.ts";
import { typesOf } from "./connector-wiring.ts";

const taking = (name: string, input: ReturnType<typeof itemType>) =>
  sink({ name, input, create: () => () => {} });

test("among types of one name, that whose items have a life is meant, in any order", () => {
  const living = itemType("visit", null, { shared: () => {}, lost: () => {} });
  const units = [taking("own", itemType("visit")), taking("crawler's", living)] as const;
  for (const ordered of [units, units.toReversed()]) {
    const library = {
      units: new Map(ordered.map((unit) => [unit.name, unit])),
      connectorKinds: new Map(),
    };
    assert.equal(typesOf(library).get("visit"), living);
  }
});
