import assert from "node:assert/strict";
import { test } from "node:test";
import { PagePlaces } from "./page-places.ts";

function rig(before: number) {
  const numbers = {
    places: 0,
    pages: 0,
    addPlaces(count: number): void {
      numbers.places += count;
    },
  };
  return { numbers, places: new PagePlaces(numbers, before) };
}

test("a limit hands out places, without those that earlier runs have used", () => {
  const { numbers, places } = rig(30);
  places.limit = 100;
  assert.equal(numbers.places, 70);
  numbers.pages = 69;
  assert.equal(places.areUsed, false);
  numbers.pages = 70;
  assert.equal(places.areUsed, true);
});

test("a limit that is raised, lowered or lifted changes what is left by the difference", () => {
  const { numbers, places } = rig(0);
  places.limit = 10;
  places.limit = 25;
  assert.equal(numbers.places, 25);
  places.limit = 5;
  assert.equal(numbers.places, 5);
  numbers.pages = 7;
  assert.equal(places.areUsed, true);
  places.limit = null;
  assert.deepEqual([numbers.places, places.areUsed], [5, false]);
  places.limit = 20;
  assert.deepEqual([numbers.places, places.areUsed], [20, false]);
});
