import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { duplicateSegmentsLessThan } from "./duplicate-segments.ts";

const runs = process.env["TROBAR_FULL"] === "1" ? 50_000 : 3000;

/** The definition, word for word: some group stands `exponent` times in a row somewhere. */
function hasPowerByDefinition(sequence: readonly unknown[], exponent: number): boolean {
  for (let start = 0; start < sequence.length; start += 1) {
    for (let length = 1; start + length * exponent <= sequence.length; length += 1) {
      const end = start + length * (exponent - 1);
      let at = start;
      while (at < end && sequence[at] === sequence[at + length]) at += 1;
      if (at === end) return true;
    }
  }
  return false;
}

function segmentsOf(path: string): readonly string[] {
  const segments = path.split("/").slice(1);
  return segments.at(-1) === "" ? segments.slice(0, -1) : segments;
}

/** Sequences over few numbers, with groups that are repeated on purpose and then disturbed. */
const sequence = fc
  .array(
    fc.record({
      group: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 }),
      times: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 12 },
  )
  .map((parts) => parts.flatMap(({ group, times }) => Array(times).fill(group).flat() as number[]));

const exponent = fc.integer({ min: 2, max: 5 });

test("every sequence of three segments up to a length is judged by the definition", () => {
  const length = process.env["TROBAR_FULL"] === "1" ? 10 : 7;
  const tail = Array.from({ length: 60 }, (_, index) => `/${index}`).join("");
  for (let code = 0; code < 3 ** length; code += 1) {
    const segments = [...code.toString(3).padStart(length, "0")].map((digit) => `s${digit}`);
    const short = segments.map((segment) => `/${segment}`).join("");
    for (const k of [2, 3]) {
      const isAccepted = !hasPowerByDefinition(segments, k);
      assert.equal(duplicateSegmentsLessThan(k)(short), isAccepted, `${short} ^${k}`);
      // With that many segments they are numbered.
      assert.equal(duplicateSegmentsLessThan(k)(tail + short), isAccepted, `${short} ^${k}`);
    }
  }
});

/** Short segments and long ones of equal length, empty ones too; few and many of them. */
const path = fc.oneof(
  sequence.map((numbers) => numbers.map((number) => `/${"abcd"[number]}`).join("")),
  sequence.map((numbers) =>
    numbers.map((number) => `/${["", "x", "page1", "page2"][number]}`).join(""),
  ),
  fc.webPath(),
  fc.array(fc.constantFrom("/a", "/b", "/", "/ab"), { maxLength: 120 }).map((all) => all.join("")),
);

test("a path is refused exactly when a group of its segments is repeated that often in a row", () => {
  fc.assert(
    fc.property(path, exponent, fc.constantFrom("", "/"), (start, k, end) => {
      const whole = start + end || "/";
      const isAccepted = !hasPowerByDefinition(segmentsOf(whole), k);
      assert.equal(duplicateSegmentsLessThan(k)(whole), isAccepted, whole);
    }),
    { numRuns: runs },
  );
});

test("a path of many segments is treated as one of few", () => {
  const tail = Array.from({ length: 100 }, (_, index) => `/${index}`).join("");
  fc.assert(
    fc.property(path, exponent, fc.boolean(), (middle, k, isFirst) => {
      const whole = isFirst ? middle + tail : tail + middle;
      const isAccepted = !hasPowerByDefinition(segmentsOf(whole), k);
      assert.equal(duplicateSegmentsLessThan(k)(whole), isAccepted, whole);
    }),
    { numRuns: Math.floor(runs / 3) },
  );
});

const PATHS: readonly { readonly path: string; readonly lessThan: number }[] = [
  { path: "/", lessThan: 2 },
  { path: "/a/b/c", lessThan: 2 },
  { path: "/a/a", lessThan: 3 },
  { path: "/a/a/", lessThan: 3 },
  { path: "/a/b/a/b/a/b", lessThan: 4 },
  { path: "/x/a/b/a/b/a/b/a/y", lessThan: 4 },
  { path: "/ab/a/b", lessThan: 2 },
  { path: "/a/ab/a", lessThan: 2 },
  { path: "/foo/foobar", lessThan: 2 },
  { path: "////", lessThan: 4 },
];

for (const { path, lessThan } of PATHS) {
  test(`${path} repeats nothing ${lessThan} times, but something ${lessThan - 1} times`, () => {
    assert.equal(duplicateSegmentsLessThan(lessThan)(path), true);
    if (lessThan > 2) assert.equal(duplicateSegmentsLessThan(lessThan - 1)(path), false);
  });
}
