import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { INCOMPLETE, isSelfClosing, readAttributes } from "./tag-scanner.ts";
import { TagSkimmer } from "./tag-skimmer.ts";

/** The attributes of what stands between a tag's name and the end of the text. */
function attributes(rest: string): [end: number, ...pairs: string[]] {
  const bytes = Buffer.from(rest, "latin1");
  const pairs: string[] = [];
  const end = readAttributes(bytes, 0, bytes.length, {
    take(_hash, nameFrom, nameTo, valueFrom, valueTo) {
      pairs.push(`${rest.slice(nameFrom, nameTo)}|${rest.slice(valueFrom, valueTo)}`);
    },
  });
  return [end, ...pairs];
}

/** What follows the name -> the position after the tag, and its attributes. */
const CASES: readonly [rest: string, end: number, ...pairs: string[]][] = [
  [">", 1],
  ["/>", 2],
  [" a>", 3, "a|"],
  [" a=b>", 5, "a|b"],
  [" a = b >", 8, "a|b"],
  [' a="b>c">', 9, "a|b>c"],
  [" a='b\"c'>", 9, 'a|b"c'],
  [" a=b'c\"d>", 9, "a|b'c\"d"],
  [" a=\"\"b=''>", 10, "a|", "b|"],
  [" a=>", 4, "a|"],
  [" =>", 3, "=|"],
  [" ==>", 4, "=|"],
  [' ="x">', 6, '="x"|'],
  [" a==b>", 6, "a|=b"],
  [' "a">', 5, '"a"|'],
  [" a/b>", 5, "a|", "b|"],
  [" a/=b>", 6, "a|", "=b|"],
  [" a=b/>", 6, "a|b/"],
  [" a=/>", 5, "a|/"],
  ["/a/b/>", 6, "a|", "b|"],
  [" a<b>", 5, "a<b|"],
  ["\ta\n=\f'b'\r>", 10, "a|b"],
  [" a='b", INCOMPLETE],
  [" a=b", INCOMPLETE],
  [" a", INCOMPLETE],
  ["/", INCOMPLETE],
  ["", INCOMPLETE],
];

for (const [rest, end, ...pairs] of CASES) {
  test(`the attributes of <x${JSON.stringify(rest).slice(1, -1)} are [${pairs.join(", ")}]`, () => {
    assert.deepEqual(attributes(rest), [end, ...pairs]);
  });
}

const hostile = fc.string({ unit: fc.constantFrom(..." \t/>=\"'ab<\0\n"), maxLength: 40 });

test("skipping, reading and skimming attributes end a tag at the same place", () => {
  fc.assert(
    fc.property(hostile, (rest) => {
      const bytes = Buffer.from(rest, "latin1");
      const [end] = attributes(rest);
      assert.equal(readAttributes(bytes, 0, bytes.length, null), end);
      assert.equal(new TagSkimmer().skim(bytes, 0, bytes.length), end);
    }),
    { numRuns: 5000 },
  );
});

test("a tag that is incomplete stays so in every part of it", () => {
  fc.assert(
    fc.property(hostile, (rest) => {
      const bytes = Buffer.from(rest, "latin1");
      const end = readAttributes(bytes, 0, bytes.length, null);
      const stop = end === INCOMPLETE ? bytes.length : end - 1;
      for (let cut = 0; cut <= stop; cut++) {
        assert.equal(readAttributes(bytes, 0, cut, null), INCOMPLETE);
      }
    }),
  );
});

test("a tag closes itself only by a slash of its own", () => {
  const closes = (rest: string) => isSelfClosing(Buffer.from(rest), 0, rest.length);
  assert.ok(closes("/>"));
  assert.ok(closes(" a/>"));
  assert.ok(closes(' a="b"/>'));
  assert.ok(closes(" a=b />"));
  assert.ok(!closes(" a=b/>"));
  assert.ok(!closes(" a=/>"));
  assert.ok(!closes("/ >"));
  assert.ok(!closes(">"));
});
