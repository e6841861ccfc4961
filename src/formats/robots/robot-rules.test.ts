import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RobotRules, type WrittenRule } from "./robot-rules.ts";
import { WALK_STEPS_MAX } from "./rule-walk.ts";

const numRuns = process.env["TROBAR_FULL"] === "1" ? 50_000 : 3_000;

/** Lines such as `Disallow: /x`, numbered from 1, as the parser hands them over. */
function rulesOf(...lines: string[]): RobotRules {
  return RobotRules.of(lines.map((line, index) => writtenRule(line, index + 1)));
}

function writtenRule(line: string, number: number): WrittenRule {
  const octets = Buffer.from(line, "utf8").toString("latin1");
  const head = octets.slice(0, octets.indexOf(" ") + 1);
  const value = octets.slice(head.length);
  return { allow: line.startsWith("A"), value, head, text: octets, line: number };
}

/** The decision by the RFC's words: every rule is tried, on its own. */
function naiveDecision(lines: readonly string[], path: string) {
  let best = { allowed: true, length: 0, line: 0 };
  for (const [index, line] of lines.entries()) {
    const pattern = line.slice(line.indexOf(" ") + 1);
    const allowed = line.startsWith("A");
    const outweighs =
      pattern.length > best.length || (pattern.length === best.length && allowed && !best.allowed);
    if (pattern === "" || !outweighs || !naiveMatch(pattern, path)) continue;
    best = { allowed, length: pattern.length, line: index + 1 };
  }
  return best;
}

function naiveMatch(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const body = anchored ? pattern.slice(0, -1) : pattern;
  const source = body
    .split("*")
    .map((part) => part.replace(/[\\^$.|?+()[\]{}/]/g, "\\$&"))
    .join("[^]*");
  return new RegExp(`^${source}${anchored ? "$" : ""}`).test(path);
}

const unit = fc.constantFrom("a", "b", "/");
const pattern = fc
  .tuple(
    fc.string({ unit: fc.constantFrom("a", "b", "/", "a", "/", "*"), maxLength: 7 }),
    fc.constantFrom("", "", "", "$"),
  )
  .map(([body, end]) => `/${body}${end}`);
const line = fc
  .tuple(fc.constantFrom("Allow:", "Disallow:", "Disallow:"), pattern)
  .map(([key, value]) => `${key} ${value}`);

test("a decision agrees with trying every rule, and names its line", () => {
  const lines = fc.uniqueArray(line, { maxLength: 40 });
  const path = fc.string({ unit, maxLength: 10 }).map((rest) => `/${rest}`);
  fc.assert(
    fc.property(lines, fc.array(path, { minLength: 1, maxLength: 20 }), (written, paths) => {
      const rules = rulesOf(...written);
      for (const tried of paths) {
        const expected = naiveDecision(written, tried);
        const decision = rules.decide(tried);
        assert.equal(decision.allowed, expected.allowed, tried);
        assert.equal(rules.allows(tried), expected.allowed, tried);
        assert.equal(decision.rule === null, expected.length === 0, tried);
        if (decision.rule === null) continue;
        assert.equal(decision.rule.text, written[decision.rule.line - 1], tried);
        assert.equal(
          decision.rule.text.length,
          expected.length + decision.rule.text.indexOf(" ") + 1,
        );
      }
    }),
    { numRuns },
  );
});

test("a needlessly encoded path is decided like the plain one", () => {
  const lines = fc.uniqueArray(line, { maxLength: 12 });
  const letters = fc.array(fc.tuple(unit, fc.constantFrom("plain", "upper", "lower")), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(lines, letters, (written, path) => {
      const rules = rulesOf(...written);
      const plain = `/${path.map(([letter]) => letter).join("")}`;
      const respelled = `/${path.map(([letter, how]) => spelled(letter, how)).join("")}`;
      assert.equal(rules.allows(respelled), rules.allows(plain), respelled);
    }),
    { numRuns },
  );
});

function spelled(letter: string, how: string): string {
  if (how === "plain" || letter === "/") return letter;
  const hex = letter.charCodeAt(0).toString(16);
  return `%${how === "upper" ? hex.toUpperCase() : hex}`;
}

test("a rule is named as it was written", () => {
  const rules = rulesOf(
    "Disallow: /ünter",
    "Dissallow: /%7ejoe",
    "Allow: /x/index.html",
    "Disallow: /",
  );
  assert.deepEqual(rules.decide("/%C3%BCnter").rule, { text: "Disallow: /ünter", line: 1 });
  assert.deepEqual(rules.decide("/~joe").rule, { text: "Dissallow: /%7ejoe", line: 2 });
  assert.deepEqual(rules.decide("/x/").rule, { text: "Allow: /x/index.html", line: 3 });
  assert.deepEqual(rules.decide("/y").rule, { text: "Disallow: /", line: 4 });
});

test("a Disallow applies to every spelling of a path", () => {
  const cases: [rule: string, path: string][] = [
    ["/~joe", "/%7Ejoe/x"],
    ["/~joe", "/%7ejoe/x"],
    ["/%7Ejoe", "/~joe/x"],
    ["/foo/bar/%62%61%7A", "/foo/bar/baz"],
    ["/foo/bar/ツ", "/foo/bar/%E3%83%84"],
    ["/foo/bar/%e3%83%84", "/foo/bar/ツ"],
    ["/foo/bar/ツ", "/foo/bar/ツ"],
    ["/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar"],
    ["/foo/bar?baz=http%3a%2f%2ffoo.bar", "/foo/bar?baz=http://foo.bar"],
    ["/path/file-with-a-%2A.html", "/path/file-with-a-*.html"],
    ["/path/foo-%24", "/path/foo-$"],
    ["/a$b", "/a%24b"],
    ["/with space", "/with%20space"],
    ["/{id}", "/%7Bid%7D"],
  ];
  for (const [rule, path] of cases) {
    assert.equal(rulesOf(`Disallow: ${rule}`).allows(path), false, `${rule} on ${path}`);
  }
});

test("what is not the same path is not matched", () => {
  const cases: [rule: string, path: string][] = [
    ["/a/b", "/a%2Fb"],
    ["/a%2Fb", "/a/b"],
    ["/path/file-with-a-%2A.html", "/path/file-with-a-x.html"],
    ["/path/foo-%24", "/path/foo-"],
  ];
  for (const [rule, path] of cases) {
    assert.equal(rulesOf(`Disallow: ${rule}`).allows(path), true, `${rule} on ${path}`);
  }
});

test("an Allow helps a path spelled differently, but not by decoding the rule", () => {
  assert.equal(rulesOf("Allow: /~mak", "Disallow: /").allows("/%7Emak/x"), true);
  assert.equal(rulesOf("Allow: /%7Emak", "Disallow: /").allows("/%7Emak/x"), true);
  assert.equal(rulesOf("Allow: /%7Emak", "Disallow: /").allows("/~mak/x"), false);
});

test("robots.txt may be fetched whatever it says", () => {
  assert.deepEqual(rulesOf("Disallow: /").decide("/robots.txt").reason, "robots-file");
  assert.equal(RobotRules.UNREACHABLE.allows("/robots.txt"), true);
  assert.equal(rulesOf("Disallow: /").allows("/robots.txt?x"), false);
});

test("without rules all is allowed, and while there is no answer nothing", () => {
  assert.deepEqual(rulesOf("Disallow: ").decide("/x"), {
    allowed: true,
    rule: null,
    reason: "no-rule",
  });
  assert.equal(RobotRules.of([]), RobotRules.ALLOW_ALL);
  assert.deepEqual(RobotRules.UNREACHABLE.decide("/x"), {
    allowed: false,
    rule: null,
    reason: "unreachable",
  });
});

test("rules made to be slow are stopped, and the path is refused", () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `Allow: /*x${index.toString(36)}`);
  const rules = rulesOf(...lines);
  assert.equal(rules.decide(`/${"x".repeat(2_000)}`).reason, "too-costly");
  assert.equal(rules.allows(`/${"x".repeat(2_000)}`), false);
  assert.equal(rules.allows("/a/page/of/usual/length.html"), true);
  assert.ok(WALK_STEPS_MAX >= 1_000_000);
});

test("rules that begin alike are packed into less than their text", () => {
  const lines = Array.from(
    { length: 200 },
    (_, index) => `Disallow: /shop/articles/list/${index}/`,
  );
  const text = lines.join("\n").length;
  assert.ok(
    rulesOf(...lines).packedBytes < text / 3,
    `${rulesOf(...lines).packedBytes} of ${text}`,
  );
});

test("deeply nested patterns are packed and found", () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `Disallow: /${"a".repeat(index)}b`);
  const rules = rulesOf(...lines);
  assert.equal(rules.decide(`/${"a".repeat(999)}bc`).rule?.line, 1_000);
  assert.equal(rules.allows(`/${"a".repeat(1_000)}b`), true);
});
