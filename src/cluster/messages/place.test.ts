import assert from "node:assert/strict";
import { test } from "node:test";
import { ByteReader, ByteWriter } from "../../topology/items/index.ts";
import { GENERATION_MAX, PLACE, type Place, parsePlace, placeText, samePlace } from "./index.ts";

test("the text of a place is read back, whatever dots its id has", () => {
  for (const id of ["n1", "a.b-c_d", "9.9"]) {
    for (const generation of [1, 17, 1_890_000_000_000_123, Number.MAX_SAFE_INTEGER]) {
      const place: Place = { id, generation };
      assert.deepEqual(parsePlace(placeText(place)), place);
    }
  }
});

test("other texts are no places", () => {
  for (const text of [
    "../n.1",
    "n/1.1",
    `${"n".repeat(65)}.1`,
    "",
    "n1",
    "n1.",
    ".1",
    "n1.0",
    "n1.x",
    "n1.9999999999999999",
  ]) {
    assert.equal(parsePlace(text), null, text);
  }
});

test("two places are the same if agent and generation are", () => {
  const place = { id: "n1", generation: 2 };
  assert.ok(samePlace(place, { id: "n1", generation: 2 }));
  assert.ok(!samePlace(place, { id: "n2", generation: 2 }));
  assert.ok(!samePlace(place, { id: "n1", generation: 3 }));
});

test("places are read from bytes, and what cannot be one is refused", () => {
  const read = (place: Place): Place => {
    const writer = new ByteWriter();
    PLACE.write(place, writer);
    return PLACE.read(new ByteReader(writer.copy()));
  };
  for (const generation of [1, GENERATION_MAX]) {
    const place = { id: "a.b-c_d", generation };
    assert.deepEqual(read(place), place);
  }
  for (const generation of [0, GENERATION_MAX + 1]) {
    assert.throws(() => read({ id: "a", generation }), RangeError);
  }
  assert.throws(() => read({ id: "../a", generation: 1 }), RangeError);
});
