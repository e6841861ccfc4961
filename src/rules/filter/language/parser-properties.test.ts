import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUILT_IN_ATOMS, takesWhole } from "../atoms/atoms.ts";
import { checkFilter, parseFilter } from "../load-filter.ts";
import { understand } from "../understand.ts";
import { FILTER_PLACES } from "../view.ts";
import type { FilterNode } from "./expression.ts";
import { FilterError, MISTAKES_MAX } from "./filter-error.ts";
import { printFilter } from "./printer.ts";

const runs = process.env["TROBAR_FULL"] === "1" ? 20_000 : 1000;

/** Names that are not words of the language, some of them with a module. */
const name = fc.oneof(
  fc.constantFrom(...BUILT_IN_ATOMS.keys()),
  fc
    .stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,8}$/)
    .filter((word) => !/^(and|or|not|true|false)$/i.test(word)),
);
const module = fc.oneof(
  fc.constantFrom("./atoms.js", "@a/b", "file:///x/y.js"),
  fc.string({ minLength: 1, unit: "binary" }),
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\\", "'", '"', "(", ")", ",", " ", "a", "#", "\n") }),
);

const atom = fc
  .record({
    name,
    module: fc.option(module, { nil: undefined }),
    args: fc.array(text, { maxLength: 3 }),
  })
  .map(({ name, module, args }): FilterNode => {
    // An atom that takes one text has exactly one.
    const isWhole = module === undefined && takesWhole(name);
    const kept = isWhole ? args.slice(0, 1) : args;
    return { kind: "atom", module, name, args: kept.map((one) => ({ text: one, at: 0 })), at: 0 };
  });

const { tree } = fc.letrec<{ tree: FilterNode }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    atom,
    fc.record({ kind: fc.constant("constant" as const), value: fc.boolean() }),
    fc.record({ kind: fc.constant("not" as const), operand: tie("tree") }),
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      operands: fc.array(tie("tree"), { minLength: 2, maxLength: 4 }),
    }),
  ),
}));

/** Without the offsets, which are not part of what a filter means. */
function bare(node: FilterNode): unknown {
  return JSON.parse(JSON.stringify(node, (key, value) => (key === "at" ? undefined : value)));
}

test("parsing the print of a filter gives an equal filter", () => {
  fc.assert(
    fc.property(tree, (node) => {
      const printed = printFilter(node);
      const again = parseFilter(printed);
      assert.deepEqual(bare(again), bare(node));
      assert.equal(printFilter(again), printed);
    }),
    { numRuns: runs },
  );
});

test("the print of a name with its Java package is read as the same name", () => {
  const prefix = "it.unimi.di.law.warc.filters.";
  for (const written of ["SameHost", "and", "TRUE", "", "a.b", `${prefix}X`]) {
    const node = parseFilter(`${prefix}${written}(x)`);
    assert.deepEqual(bare(parseFilter(printFilter(node))), bare(node), written);
  }
});

/** Texts that look like filters most of the way. */
const almost = fc
  .array(
    fc.constantFrom(
      ..."( ) , ' \" # \n & | ! ~ \\ and or not TRUE A() A( HostEquals(a) URLMatches( StatusIs(9x) ./m.js#X( * é \ud800".split(
        " ",
      ),
    ),
    { maxLength: 200 },
  )
  .map((parts) => parts.join(" "));

test("the parser throws nothing but its own error, and checking throws nothing", () => {
  fc.assert(
    fc.property(fc.oneof(almost, fc.string({ unit: "binary", maxLength: 500 })), (written) => {
      const mistakes = checkFilter(written, FILTER_PLACES.fetch);
      assert.ok(mistakes.every(({ at = 0 }) => at >= 0 && at <= written.length));
      understand(written);
      try {
        parseFilter(written);
      } catch (error) {
        assert.ok(error instanceof FilterError);
        assert.ok(error.mistakes.length > 0 && error.mistakes.length <= MISTAKES_MAX);
      }
    }),
    { numRuns: runs },
  );
});

const KILOBYTES_64 = 65_536;

/** Each is repeated to 64 kB; the runner's time limit guards against a hang. */
const NASTY: readonly string[] = [
  ..."( ) ! ~ & | ' \" \\ # , * é ☃".split(" "),
  "not ",
  "()",
  "(A()&",
  "((A()|B())&",
  "A(",
  "A((",
  "A()",
  "A() ",
  "A()&",
  "A('",
  "A('\\",
  "A(',",
  "A(,",
  "#\n",
  " #",
  "\n",
  "x#y",
  "'x'#y",
  "./a.js#A()&",
  "TRUE ",
  "TRUE and ",
  "HostEndsWth(.it) and ",
  "URLMatches('(a+)+$')|",
  "HostEquals(a,",
  "aaaaaaaa",
  "\ud800",
];

for (const part of NASTY) {
  test(`64 kB of ${JSON.stringify(part)} are refused or read, and do not stop the parser`, () => {
    const written = part.repeat(Math.ceil(KILOBYTES_64 / part.length));
    const mistakes = checkFilter(written, FILTER_PLACES.fetch);
    assert.ok(mistakes.length <= MISTAKES_MAX);
    for (const variant of [written, `A(${written}`, `A('${written}')`, `(${written}`]) {
      try {
        printFilter(parseFilter(variant));
      } catch (error) {
        assert.ok(error instanceof FilterError);
        assert.ok(error.message.length < 10_000);
      }
    }
  });
}

test("a filter that nests too deep is refused with that reason", () => {
  for (const written of [`${"(".repeat(600)}TRUE${")".repeat(600)}`, `${"!".repeat(600)}TRUE`]) {
    assert.throws(() => parseFilter(written), /nests more than 500 deep/);
  }
  const allowed = `${"(".repeat(400)}TRUE${")".repeat(400)}`;
  assert.equal(printFilter(parseFilter(allowed)), "TRUE");
});
