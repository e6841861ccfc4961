import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFilter } from "../load-filter.ts";
import { FilterError } from "./filter-error.ts";
import { printFilter } from "./printer.ts";

/** The normal form of a text: what the parser made of it, in the fewest words. */
function normal(text: string): string {
  return printFilter(parseFilter(text));
}

function argumentsOf(text: string): readonly string[] {
  const node = parseFilter(text);
  assert.equal(node.kind, "atom");
  return node.kind === "atom" ? node.args.map((arg) => arg.text) : [];
}

const SAME: readonly { readonly name: string; readonly texts: readonly string[] }[] = [
  {
    name: "and, or and not have signs",
    texts: [
      "A() and B() or not C()",
      "A()&B()|!C()",
      "A() ∧ B() ∨ ~C()",
      "A() && B() || ! C()",
      "A() AND B() OR NOT C()",
    ],
  },
  {
    name: "constants are written in any case",
    texts: ["TRUE or FALSE", "true|false", "True or False"],
  },
  { name: "and binds closer than or", texts: ["A() or B() and C()", "A() or (B() and C())"] },
  {
    name: "parentheses change that",
    texts: ["(A() or B()) and C()", "((A() or (B())) and (C()))"],
  },
  { name: "not binds what follows it", texts: ["not A() and B()", "(not A()) and B()"] },
  { name: "not may stand before not", texts: ["not not A()", "!!A()", "not (not A())", "~ ! A()"] },
  {
    name: "blanks, line breaks and comments separate",
    texts: ["A() and B(x)", "# first\nA()\t# the one\r\n  and\n\n  B(  x  )# the other\n#end"],
  },
  { name: "a name and its arguments may stand apart", texts: ["A(x)", "A  (x)", "A\n( x )"] },
  { name: "empty arguments vanish", texts: ["A(x,y)", "A( x , , y, )"] },
  { name: "quotes vanish where they are not needed", texts: ["A(x,y)", "A('x',\"y\")"] },
  {
    name: "the Java package of BUbiNG's atoms may be written",
    texts: ["HostEndsWith(.it)", "it.unimi.di.law.warc.filters.HostEndsWith(.it)"],
  },
];

for (const { name, texts } of SAME) {
  test(name, () => {
    const [first = ""] = texts;
    for (const text of texts) assert.equal(normal(text), first);
  });
}

test("the two typical filters of BUbiNG's presentation are read as written", () => {
  const parsing =
    "( ContentTypeStartsWith(text/) or PathEndsWithOneOf(.html,.htm,.txt) ) and not IsProbablyBinary()";
  const scheduling =
    "(SchemeEquals(http) or SchemeEquals(https)) and HostEndsWith(.it) and not PathEndsWithOneOf(.axd,.xls,.rar)";
  assert.equal(normal(parsing), parsing.replaceAll(/(?<=\() | (?=\))/g, ""));
  assert.equal(normal(scheduling), scheduling);
});

test("a quoted argument may contain anything", () => {
  assert.deepEqual(argumentsOf(`A('a(b),c # d', "it's", 'it\\'s', "a\\"b")`), [
    "a(b),c # d",
    "it's",
    "it's",
    'a"b',
  ]);
});

test("in quotes only the quote and the backslash need a backslash", () => {
  assert.deepEqual(argumentsOf(String.raw`A('\d+\.html', 'a\\b', 'a\\', "\'")`), [
    String.raw`\d+\.html`,
    String.raw`a\b`,
    "a\\",
    "\\'",
  ]);
});

test("an unquoted argument keeps its signs, quotes inside it too", () => {
  assert.deepEqual(argumentsOf(`A(#top, it's, a\\b, x y, ☃, &|!~)`), [
    "#top",
    "it's",
    "a\\b",
    "x y",
    "☃",
    "&|!~",
  ]);
});

test("an atom that takes one text takes its commas with it, as in BUbiNG", () => {
  assert.deepEqual(argumentsOf("URLMatchesRegex( .*/[0-9]{1, 3}/.* )"), [".*/[0-9]{1, 3}/.*"]);
  assert.deepEqual(argumentsOf("PathEndsWithOneOf(.a, .b)"), [".a", ".b"]);
});

test("an empty argument in quotes counts", () => {
  assert.deepEqual(argumentsOf("A('', \"\")"), ["", ""]);
});

test("an atom of a module is named by module and atom", () => {
  for (const text of [
    "./my-atoms.js#Good(1)",
    "@scope/pkg/x.js#Good(1)",
    "'my atoms.js'#Good(1)",
  ]) {
    assert.equal(normal(text), text);
  }
  assert.equal(normal('"./plain.js"#Good()'), "./plain.js#Good()");
});

test("a # before a blank begins a comment, a # before a letter names an atom", () => {
  assert.equal(normal("TRUE# all"), "TRUE");
  assert.throws(() => parseFilter("TRUE#all"), /all needs parentheses/);
});

const WRONG: readonly { readonly text: string; readonly at: number; readonly problem: RegExp }[] = [
  { text: "A(x", at: 1, problem: /never closed/ },
  { text: "(A()", at: 0, problem: /this \( is never closed/ },
  { text: "A())", at: 3, problem: /closes nothing/ },
  { text: "A() B()", at: 4, problem: /`and` or `or` is missing/ },
  { text: "A() and", at: 7, problem: /an atom is expected here, not the end/ },
  { text: "and A()", at: 0, problem: /an atom is expected here, not "and"/ },
  { text: "()", at: 1, problem: /an atom is expected here, not "\)"/ },
  { text: "A() not", at: 4, problem: /missing/ },
  { text: "TRUE()", at: 4, problem: /constant and takes no arguments/ },
  { text: "A('x)", at: 2, problem: /quote that begins here is never closed/ },
  { text: "A('x'y)", at: 5, problem: /a comma or \) is expected/ },
  { text: "A(x(y))", at: 3, problem: /must be in quotes/ },
  { text: "A", at: 1, problem: /needs parentheses, also without arguments: A\(\)/ },
  { text: "*.html", at: 0, problem: /an atom is expected here, not "\*"/ },
  { text: "'abc'", at: 0, problem: /an atom is expected/ },
];

for (const { text, at, problem } of WRONG) {
  test(`the mistake in ${text} is found where it is`, () => {
    const error = errorOf(text);
    assert.ok(
      error.mistakes.some((mistake) => mistake.at === at && problem.test(mistake.problem)),
      error.message,
    );
  });
}

test("an empty filter is a mistake that says what to write", () => {
  for (const text of ["", " \n", "# nothing"]) assert.match(errorOf(text).message, /TRUE accepts/);
});

test("an error points at its column with a caret", () => {
  assert.equal(
    errorOf("A()\n  and B('x'y)").message,
    [
      "The filter has a mistake:",
      "  line 2, column 12: a comma or ) is expected after the closing quote.",
      "      and B('x'y)",
      "               ^",
    ].join("\n"),
  );
});

test("the caret stays in its column behind tabs, wide characters and cuts of a long line", () => {
  for (const before of ["\tA('\u0007\ud83d\ude00') & ", `${"A() & ".repeat(100)}`]) {
    const lines = errorOf(`${before})B()`).message.split("\n");
    const caret = [...(lines[3] ?? "")].indexOf("^");
    assert.equal([...(lines[2] ?? "")][caret], ")");
    assert.ok((lines[2] ?? "").length < 120);
  }
});

function errorOf(text: string): FilterError {
  try {
    parseFilter(text);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  return assert.fail(`${text} was parsed`);
}
