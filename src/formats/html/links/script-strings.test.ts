import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { urlStrings } from "./script-strings.ts";

const SCRIPTS: readonly [script: string, ...urls: string[]][] = [
  ['location.href = "/login?next=1";', "/login?next=1"],
  ["load('https://cdn.example.org/x.js')", "https://cdn.example.org/x.js"],
  ['{"url":"https:\\/\\/example.org\\/a"}', "https://example.org/a"],
  ['"\\u002Fpath\\x2fpage"', "/path/page"],
  ["a = `./part/one`, b = '../up'", "./part/one", "../up"],
  ['go("page.html?x=1"); go("list.php")', "page.html?x=1", "list.php"],
  ['"//example.org/x"', "//example.org/x"],
  ["// don't be fooled\nx('/real')", "/real"],
  ['"/a b" "/<b>" "/{id}" "/" "//" "/$1" "/[a-z]+/"'],
  ['"text/html" "use strict" "a.b.c" "12/34" "and/or"'],
  ["'mixed\" quotes'"],
  ['"/unfinished'],
  [""],
];

for (const [script, ...urls] of SCRIPTS) {
  test(`the script ${JSON.stringify(script)} holds ${urls.length} URL-like strings`, () => {
    assert.deepEqual(urlStrings(script), urls);
  });
}

test("any text can be searched for URLs", () => {
  const text = fc.string({ unit: fc.constantFrom(..."\"'`/\\ux2f.,:;=() \nahtp"), maxLength: 60 });
  fc.assert(
    fc.property(text, (written) => {
      urlStrings(written);
    }),
    { numRuns: 2000 },
  );
  // Each took minutes with a pattern that tries again from every place.
  urlStrings('"/'.repeat(200_000));
  urlStrings(`"/${"a".repeat(200_000)}é"`);
});
