import assert from "node:assert/strict";
import { test } from "node:test";
import { freshSeed } from "./fresh-seed.ts";

test("a fresh seed is twenty hexadecimal digits and never the same twice", () => {
  const seeds = Array.from({ length: 1000 }, freshSeed);
  assert.equal(new Set(seeds).size, seeds.length);
  for (const seed of seeds) assert.match(seed, /^[0-9a-f]{20}$/);
});
