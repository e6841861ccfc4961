import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { domainConstraint } from "./domain-constraint.ts";

const CASES: readonly (readonly [constraints: string, host: string, isAdmitted: boolean])[] = [
  ["hu.bme", "bme.hu", true],
  ["hu.bme", "aut.bme.hu", false],
  ["hu.bme.+", "bme.hu", false],
  ["hu.bme.+", "aut.bme.hu", true],
  ["hu.bme.+", "www.aut.bme.hu", true],
  ["hu.bme.*", "bme.hu", true],
  ["hu.bme.*", "aut.bme.hu", true],
  ["hu.bme.*", "abme.hu", false],
  ["hu.*", "en.wikipedia.org", false],
  ["-hu.*", "en.wikipedia.org", true],
  ["-hu.*", "bme.hu", false],
  ["hu.bme.* -hu.bme.spam.+", "spam.bme.hu", true],
  ["hu.bme.* -hu.bme.spam.+", "a.spam.bme.hu", false],
  ["hu.bme.spam -hu.bme.*", "spam.bme.hu", false],
  ["*", "anything.example", true],
  ["* -org.*", "example.org", false],
  ["org.example org.example.+", "example.org", true],
  ["org.example org.example.+", "a.example.org", true],
];

for (const [constraints, host, isAdmitted] of CASES) {
  test(`${constraints} ${isAdmitted ? "admits" : "does not admit"} ${host}`, () => {
    assert.equal(domainConstraint(constraints.split(" "))(host), isAdmitted);
  });
}

for (const wrong of ["", "-", ".", "hu.", ".hu", "hu..bme", "hu.*.bme", "+", "hu.b*", "hu/bme"]) {
  test(`"${wrong}" is not a domain constraint`, () => {
    assert.throws(() => domainConstraint([wrong]), /is not a domain constraint/);
  });
}

const label = fc.constantFrom("a", "b", "c");
const name = fc.array(label, { minLength: 1, maxLength: 4 });
const constraint = fc.record({
  labels: name,
  end: fc.constantFrom("", ".+", ".*"),
  isNegative: fc.boolean(),
});

/** The thesis, word for word, on lists of labels from the most general on. */
function isMatch(host: readonly string[], labels: readonly string[], end: string): boolean {
  const isSame = host.join(".") === labels.join(".");
  const isBelow = host.length > labels.length && labels.every((one, index) => host[index] === one);
  return end === "" ? isSame : end === ".+" ? isBelow : isSame || isBelow;
}

test("a set of constraints admits what its definition admits, the negative ones first", () => {
  fc.assert(
    fc.property(fc.array(constraint, { minLength: 1, maxLength: 5 }), name, (constraints, host) => {
      const matching = constraints.filter((one) => isMatch(host, one.labels, one.end));
      const isForbidden = matching.some((one) => one.isNegative);
      const hasAffirmative = constraints.some((one) => !one.isNegative);
      const isAffirmed = matching.some((one) => !one.isNegative);
      const admits = domainConstraint(
        constraints.map((one) => (one.isNegative ? "-" : "") + one.labels.join(".") + one.end),
      );
      const expected = !isForbidden && (isAffirmed || !hasAffirmative);
      assert.equal(admits(host.toReversed().join(".")), expected);
    }),
    { numRuns: 3000 },
  );
});
