import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tryPath } from "./tried-path.ts";
import { effort, tailMatches } from "./wildcard.ts";

const numRuns = process.env["TROBAR_FULL"] === "1" ? 100_000 : 5_000;

function matches(tail: string, rest: string): boolean {
  // Something before and after, so that positions are not mixed up with lengths.
  const packed = `xx${tail}yy`;
  tryPath(`zz${rest}`);
  return tailMatches(packed, 2, packed.length - 2, 2);
}

/** By trying everything. */
function naive(tail: string, rest: string): boolean {
  if (tail === "") return true;
  if (tail === "$") return rest === "";
  if (tail[0] === "*") {
    return naive(tail.slice(1), rest) || (rest !== "" && naive(tail, rest.slice(1)));
  }
  return tail[0] === rest[0] && rest !== "" && naive(tail.slice(1), rest.slice(1));
}

test("a tail matches exactly if trying everything finds a match", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 14 });
  const body = fc.string({ unit: fc.constantFrom("a", "a", "b", "*", "$"), maxLength: 9 });
  fc.assert(
    fc.property(body, fc.boolean(), word, (middle, anchored, rest) => {
      // A `$` is special at the end only, so a tail that ends in one by chance is anchored too.
      const tail = `*${middle}${anchored ? "$" : ""}`;
      assert.equal(matches(tail, rest), naive(tail, rest), `${tail} on ${rest}`);
    }),
    { numRuns },
  );
});

test("long segments match exactly if trying everything finds a match", () => {
  const unit = fc.constantFrom("a", "b");
  const segment = fc.string({ unit, minLength: 9, maxLength: 24 });
  const filling = fc.string({ unit, maxLength: 30 });
  fc.assert(
    fc.property(segment, segment, fc.array(filling, { maxLength: 3 }), (one, two, filled) => {
      const rest = filled.join(one.slice(0, -1)) + one + filled.join(two);
      for (const tail of [`*${one}`, `*${one}*${two}`, `*${two}$`, `*${one}$`]) {
        assert.equal(matches(tail, rest), naive(tail, rest), `${tail} on ${rest}`);
      }
    }),
    { numRuns: numRuns / 10 },
  );
});

test("matching takes time linear in pattern and path, whatever both are", () => {
  const shapes: [tail: (n: number) => string, rest: (n: number) => string][] = [
    [(n) => "*a".repeat(n), (n) => "a".repeat(n)],
    [(n) => `${"*a".repeat(n)}b`, (n) => "a".repeat(n)],
    [(n) => `*${"a".repeat(n / 2)}b`, (n) => "a".repeat(n)],
    [(n) => `*${"ab".repeat(n / 4)}c`, (n) => "ab".repeat(n / 2)],
    [(n) => `*${"a".repeat(7)}b${"*aaaaaaab".repeat(n / 9)}`, (n) => "a".repeat(n)],
    [(n) => "*".repeat(n), (n) => "a".repeat(n)],
    [(n) => `${"*aab".repeat(n / 4)}$`, (n) => "aaab".repeat(n / 4)],
  ];
  for (const [tail, rest] of shapes) {
    const stepsAt = (n: number) => {
      effort.steps = 0;
      matches(tail(n), rest(n));
      return effort.steps;
    };
    for (const n of [400, 4_000, 16_000]) {
      const steps = stepsAt(n);
      assert.ok(steps <= 10 * (tail(n).length + rest(n).length), `${tail(8)}: ${steps} at ${n}`);
    }
  }
});
