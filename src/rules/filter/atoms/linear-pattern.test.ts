import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { linearPattern } from "./linear-pattern.ts";
import { literalTest } from "./literal-shape.ts";

/** Each pattern with the part that is repeated, and the end that makes backtracking explode. */
const REDOS: readonly (readonly [pattern: string, part: string, end?: string])[] = [
  ["(a+)+$", "a"],
  ["^(a+)+$", "a"],
  ["(a*)*$", "a"],
  ["(a|a)*$", "a"],
  ["(a|aa)+$", "a"],
  ["(a|a?)+$", "a"],
  ["(.*a){12}", "a", "!"],
  ["(x+x+)+y", "x"],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a"],
  ["(.*)(.*)(.*)(.*)(.*)x", "a"],
  ["(a?){20}a{20}", "a"],
  ["^(\\w+\\s?)*$", "a"],
  ["^((ab)*)*c$", "ab"],
  ["(([^/]+)/)*$", "a/", "b"],
  ["/(.+/)+x", "a/"],
  ["^https?://([a-z0-9-]+\\.)+[a-z]{2,}(/.*)*$", "a.", "/"],
  ["^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$", "a"],
  ["^(\\d+)*-(\\d+)*$", "1"],
  ["(\\d+\\.)+\\d+x", "1."],
  ["\\s+$", " ", "x"],
  ["^\\s+|\\s+$", " ", "x"],
  ["(\\s|\\S)*z", "a"],
  ["(.|\\n)*z", "a"],
  ["(?:[^,]+,?)+;", "a,"],
  ["(?i)(A+)+B", "a"],
  ["<(\\w+)[^>]*>.*<br>.*</p>", "<a>"],
  ["<!--(.*?)*-->", "<!--"],
  ["((a{1,5}){1,5}){1,5}b", "a"],
  ["[a-q][^u-z]{13}z", "a"],
  ["(ab?)+(ab?)+(ab?)+c", "ab"],
  ["\\b(a+)+\\b[^a]b", "a"],
  ["([a-z]+)*[0-9]", "a"],
  ["(?:.*?,){11}P", "1,"],
  ["^(?:(?:a|b|ab)*)*c$", "ab"],
  ["([?&](\\w+=\\w*)+)+#", "?a=b"],
];

/** A text as bytes that counts how often the engine looks at one. */
function watched(text: string): { readonly bytes: number[]; readonly looks: () => number } {
  let looks = 0;
  const bytes = new Proxy([...Buffer.from(text)], {
    get(target, key, receiver) {
      if (typeof key === "string" && /^[0-9]+$/.test(key)) looks += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  return { bytes, looks: () => looks };
}

for (const [pattern, part, end = "!"] of REDOS) {
  test(`${pattern} looks at each byte a bounded number of times`, () => {
    const compiled = RE2JS.compile(pattern);
    assert.ok(compiled.programSize() < 500, `${compiled.programSize()} instructions`);
    for (const length of [500, 1000, 4000]) {
      const text = part.repeat(length / part.length) + end;
      const { bytes, looks } = watched(text);
      compiled.test(bytes);
      assert.ok(looks() <= 4 * text.length + 8, `${looks()} looks at ${text.length} bytes`);
      const matches = linearPattern(pattern, { isFull: false });
      assert.equal(matches(text), compiled.test(text));
    }
  });
}

test("the table holds at least thirty patterns that hang engines which backtrack", () => {
  assert.ok(REDOS.length >= 30);
});

const REFUSED: readonly { readonly pattern: string; readonly why: RegExp }[] = [
  { pattern: "(?=a)b", why: /lookahead and lookbehind are not available.*linear time/ },
  { pattern: "a(?!b)", why: /lookahead and lookbehind/ },
  { pattern: "(?<=a)b", why: /lookahead and lookbehind/ },
  { pattern: "(?<!a)b", why: /lookahead and lookbehind/ },
  { pattern: "(a)\\1", why: /a reference to an earlier group is not available/ },
  { pattern: "(?<x>a)\\k<x>", why: /a reference to an earlier group/ },
  { pattern: "(?>a+)b", why: /atomic groups and possessive repetitions are not available/ },
  { pattern: "a++b", why: /atomic groups and possessive repetitions/ },
  { pattern: "[a", why: /not understood: missing closing \]/ },
  { pattern: "(a", why: /not understood: missing closing \)/ },
  { pattern: "a{1001}", why: /not understood: invalid repeat count/ },
  { pattern: "((a{100}){100}){100}", why: /not understood/ },
  { pattern: "(.{0,1000}){3}(.{0,900}){2}", why: /not understood|too large/ },
  { pattern: "(?:a{0,999}){1}(?:b{0,999}){1}(?:c{0,999})(?:d{0,999})", why: /too large/ },
  { pattern: `${"(".repeat(2000)}a${")".repeat(2000)}`, why: /not understood: expression nests/ },
  { pattern: "a".repeat(9000), why: /may have 8192 characters/ },
];

for (const { pattern, why } of REFUSED) {
  test(`the pattern ${pattern.slice(0, 40)} is refused with its reason`, () => {
    assert.throws(() => linearPattern(pattern, { isFull: false }), why);
  });
}

test("a pattern is looked for anywhere, or must match everything", () => {
  const part = linearPattern("a.c", { isFull: false });
  const full = linearPattern("a.c", { isFull: true });
  assert.deepEqual([part("xabcx"), full("xabcx"), full("abc")], [true, false, true]);
});

const word = fc.stringMatching(/^(?:[a-c/]|\\[.?$(|]){0,3}$/);
const shape = fc
  .tuple(
    fc.constantFrom("", "^"),
    word,
    fc.option(
      fc.tuple(fc.constantFrom("(", "(?:"), fc.array(word, { minLength: 1, maxLength: 4 })),
      {
        nil: undefined,
      },
    ),
    word,
    fc.constantFrom("", "$"),
  )
  .map(([start, before, choices, after, end]) => {
    const group = choices === undefined ? "" : `${choices[0]}${choices[1].join("|")})`;
    return start + before + group + after + end;
  });

test("a list of words without the engine answers as the engine does", () => {
  let recognised = 0;
  fc.assert(
    fc.property(
      shape,
      fc.string({ unit: fc.constantFrom(..."abc/.?$(|"), maxLength: 8 }),
      fc.boolean(),
      (pattern, text, isFull) => {
        const matches = literalTest(pattern, isFull);
        if (matches === undefined) return;
        recognised += 1;
        const compiled = RE2JS.compile(pattern);
        const expected = isFull ? compiled.testExact(text) : compiled.test(text);
        assert.equal(matches(text), expected, `${pattern} on ${text}`);
      },
    ),
    { numRuns: 5000 },
  );
  assert.ok(recognised > 2000, `only ${recognised} were recognised`);
});

test("what is more than a list of words is left to the engine", () => {
  for (const pattern of [
    "a.b",
    "a*",
    "[ab]",
    "(a)(b)",
    "a|b",
    "(?i)a",
    "\\d",
    "(a|b)?",
    "é",
    "^",
    "",
  ]) {
    assert.equal(literalTest(pattern, false), undefined, pattern);
  }
});
