import assert from "node:assert/strict";
import { test } from "node:test";
import { ByteReader, ByteWriter, type Codec } from "../../topology/items/index.ts";
import { ADDRESS, CAPACITY, DURATION, HOST, KNOWN_CAPACITY } from "./measures.ts";

function readBack<Value>(codec: Codec<Value>, value: Value): Value {
  const writer = new ByteWriter();
  codec.write(value, writer);
  return codec.read(new ByteReader(writer.copy()));
}

const NEVER = [Number.NaN, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

test("numbers that an agent can mean are read, and no others", () => {
  for (const ms of [0, 0.5, 1e12]) assert.equal(readBack(DURATION, ms), ms);
  for (const capacity of [0.5, 1, 1000]) assert.equal(readBack(CAPACITY, capacity), capacity);
  assert.equal(readBack(KNOWN_CAPACITY, 0), 0);
  for (const codec of [DURATION, CAPACITY, KNOWN_CAPACITY]) {
    for (const value of NEVER) assert.throws(() => readBack(codec, value), RangeError);
  }
  assert.throws(() => readBack(CAPACITY, 0), RangeError);
  for (const codec of [CAPACITY, KNOWN_CAPACITY]) {
    assert.throws(() => readBack(codec, 1001), RangeError);
  }
});

test("keys of the ring are read up to the length that they can have", () => {
  assert.equal(readBack(ADDRESS, "2001:db8::1"), "2001:db8::1");
  assert.throws(() => readBack(ADDRESS, "1".repeat(65)), RangeError);
  assert.equal(readBack(HOST, "h.example"), "h.example");
  assert.throws(() => readBack(HOST, "h".repeat(65_537)), RangeError);
});
