import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { headerLinks } from "./link-header.ts";

const cases: readonly [value: string, links: readonly string[]][] = [
  ["<a>; rel=next", ["a next"]],
  ['<a>; rel="next"', ["a next"]],
  ['<a>; REL="next last"; title="x, y; z"', ["a next last"]],
  ["<a>;rel=next,<b>;rel=prev", ["a next", "b prev"]],
  [" , <a> ; rel = next , ,<b>; rel=prev", ["a next", "b prev"]],
  ['<a>; title="a \\"quoted\\" word"; rel=next', ["a next"]],
  ["<a>; rel=next; rel=prev", ["a next"]],
  ["< a >; rel=next", ["a next"]],
  ["<a?b=c,d;e>; rel=next", ["a?b=c,d;e next"]],
  ["<a>", []],
  ['<a>; rel=next; anchor="#other"', []],
  ["<a>; rel=preconnect, <b>; rel=dns-prefetch", []],
  ["<a>; rel=preload; as=script", ["a preload"]],
  ["a; rel=next", []],
  ["<a; rel=next", []],
  ['<a>; rel="next', []],
  ["", []],
];

for (const [value, expected] of cases) {
  test(`the header ${JSON.stringify(value)} has ${expected.length} links`, () => {
    const found = headerLinks([value]).map(({ url, rel }) => `${url} ${rel}`);
    assert.deepEqual(found, expected);
  });
}

test("several headers are read like one, up to a limit", () => {
  assert.equal(headerLinks(["<a>; rel=x", "<b>; rel=y"]).length, 2);
  assert.equal(headerLinks([Array(500).fill("<a>; rel=x").join(",")]).length, 100);
});

test("any header is read, in time that grows with its length", () => {
  const word = fc.constantFrom("<", ">", ";", ",", "=", '"', "\\", "rel", " ", "a", "\t", "next");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 200 }), (words) => {
      for (const { kind, rel } of headerLinks([words.join("")])) {
        assert.equal(kind, "link");
        assert.notEqual(rel, "");
      }
    }),
  );
  for (const part of [";", "; a", '; a="', "<", '; a="\\', " ", "<>;rel=a;"]) {
    headerLinks([`<a>${part.repeat(100_000)}`]);
  }
});
