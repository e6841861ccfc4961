import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalConnector } from "../connector/index.ts";
import { itemType } from "../items/index.ts";
import { type ConnectorPart, swapParts } from "./swap-parts.ts";

const wiring = (id: string) => ({
  ...{ id, open: () => new LocalConnector<unknown>(itemType("test/any"), { capacity: 1 }) },
});
const SWAP = { before: wiring("old"), after: wiring("new") };

/** Parts a, b and c, of which some refuse what they are told. */
function parts(journal: string[], refusals: readonly string[] = []): ConnectorPart[] {
  const say = async (what: string): Promise<void> => {
    journal.push(what);
    if (refusals.includes(what)) throw new Error(`not ${what}`);
  };
  return ["a", "b", "c"].map((name) => ({
    swap: ({ id }) => say(`${name} ${id}`),
    widen: () => say(`${name} wide`),
  }));
}

const WIDE = ["a wide", "b wide", "c wide"];

test("producers may use the whole capacity when all threads have swapped, not before", async () => {
  const journal: string[] = [];
  await swapParts(parts(journal), SWAP);
  assert.deepEqual(journal, ["a new", "b new", "c new", ...WIDE]);
});

test("if a thread refuses, those before it swap back, and all use the old capacity again", async () => {
  const journal: string[] = [];
  await assert.rejects(swapParts(parts(journal, ["c new"]), SWAP), /not c new/);
  assert.deepEqual(journal, ["a new", "b new", "c new", "a old", "b old", ...WIDE]);
});

test("if a thread cannot swap back, no producer gets more room than before", async () => {
  const journal: string[] = [];
  await assert.rejects(swapParts(parts(journal, ["c new", "a old"]), SWAP), /not/);
  assert.ok(journal.every((said) => !said.endsWith("wide")));
});
