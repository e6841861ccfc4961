import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CONFIGURATION_SCHEMA } from "../../rules/config/index.ts";
import { parseCommandLine } from "./arguments.ts";
import { AGENT_FLAGS, CRAWL_FLAGS } from "./flag-table.ts";
import { foreignFlag } from "./foreign-flags.ts";

const FLAGS = [...CRAWL_FLAGS, ...AGENT_FLAGS];

test("flags are taken in all their forms", () => {
  for (const line of ["--limit 5", "--limit=5", "-n 5", "-n5", "-n=5"]) {
    const { uses, words, mistakes } = parseCommandLine(line.split(" "), FLAGS);
    assert.deepEqual(mistakes, [], line);
    assert.deepEqual(words, []);
    assert.deepEqual(
      uses.map(({ flag, text }) => [flag.long, text]),
      [["limit", "5"]],
      line,
    );
  }
});

test("an argument that is not a flag is a word, and so is everything after --", () => {
  const args = ["a", "-q", "-", "b", "--", "--limit", "-q"];
  const { uses, words } = parseCommandLine(args, FLAGS);
  assert.deepEqual(words, ["a", "-", "b", "--limit", "-q"]);
  assert.equal(uses.length, 1);
});

test("flags that stand alone may be written together", () => {
  const { uses, mistakes } = parseCommandLine(["-qn5"], FLAGS);
  assert.deepEqual(mistakes, []);
  assert.deepEqual(
    uses.map(({ flag, text }) => [flag.long, text]),
    [
      ["quiet", null],
      ["limit", "5"],
    ],
  );
});

test("an optional value is taken only if it is given", () => {
  const texts = [["--dashboard", "8080"], ["--dashboard"], ["--dashboard", "https://a/"]].map(
    (args) => parseCommandLine(args, FLAGS).uses[0]?.text,
  );
  assert.deepEqual(texts, ["8080", null, null]);
});

test("a negative number is a value, another flag is not", () => {
  assert.equal(parseCommandLine(["--limit", "-5"], FLAGS).uses[0]?.text, "-5");
  const { mistakes, uses } = parseCommandLine(["--limit", "--quiet"], FLAGS);
  assert.deepEqual(
    mistakes.map(({ code, problem }) => [code, problem]),
    [["USAGE_BAD_FLAG_VALUE", "needs N after it"]],
  );
  assert.equal(uses[0]?.flag.long, "quiet");
});

const FOREIGN: readonly (readonly [line: string, instead: string | null])[] = [
  ["--max-pages 3", "-n"],
  ["--level 2", "-d"],
  ["-l 2", "-d"],
  ["--output here", "-o"],
  ["-O here", "-o"],
  ["--rate 10", "--delay"],
  ["--wait=1", "--delay"],
  ["-U me", "--user-agent"],
  ["--include-regex x", "--include"],
  ["--proxy localhost:3128", "--set fetch.proxy=URL"],
  ["--insecure", "--set fetch.insecure=true"],
  ["-k", "--set fetch.insecure=true"],
  ["--no-check-certificate", "--set fetch.insecure=true"],
  ["--resume", null],
];

test("a flag of another crawler is refused with a hint, and its value is not taken as a seed", () => {
  for (const [line, instead] of FOREIGN) {
    const { words, mistakes } = parseCommandLine([...line.split(" "), "https://a.test/"], FLAGS);
    assert.deepEqual(words, ["https://a.test/"], line);
    assert.deepEqual(
      mistakes.map(({ code, nearest }) => [code, nearest]),
      [["USAGE_UNKNOWN_FLAG", instead]],
      line,
    );
  }
  const { mistakes } = parseCommandLine(["--resume"], FLAGS);
  assert.match(mistakes[0]?.problem ?? "", /continuing a crawl is not part of this version yet/);
  const few = parseCommandLine(["-k"], []);
  assert.equal(few.mistakes[0]?.nearest, null, "only what the command has is offered");
});

test("the value of an unknown flag is not a seed, but a URL after it is", () => {
  for (const [value, isWord] of [
    ["10", false],
    ["0.5s", false],
    ["word", false],
    ["https://b.test/", true],
    ["b.test", true],
  ] as const) {
    const { words } = parseCommandLine(["--zebra", value], FLAGS);
    assert.deepEqual(words, isWord ? [value] : []);
  }
});

test("every flag that is suggested for one of another crawler is one of ours", () => {
  for (const [line] of FOREIGN) {
    const { instead } = foreignFlag(line.split(/[ =]/)[0] ?? "") ?? {};
    const [, flag, key] = /^(-\S+)(?: ([\w.]+)=)?/.exec(instead ?? "") ?? [];
    if (flag === undefined) continue;
    assert.ok(FLAGS.some(({ long, short }) => flag === `--${long}` || flag === `-${short}`));
    if (key !== undefined) assert.ok(CONFIGURATION_SCHEMA.find(key) !== undefined, key);
  }
});

test("an empty path is a mistake, not the current directory", () => {
  for (const args of [["-o", ""], ["--out="], ["--pages", ""], ["-i", ""]]) {
    const { mistakes, uses } = parseCommandLine(args, FLAGS);
    assert.match(mistakes[0]?.problem ?? "", /^is empty; it needs (?:DIR|FILE)/);
    assert.deepEqual(uses, []);
  }
});

test("all mistakes are found, each with the nearest flag", () => {
  const args = ["--limt", "5", "--quiet=yes", "--depth", "--zebra", "-Q", "--user-agnet=x", "-o"];
  const { mistakes, words } = parseCommandLine(args, FLAGS);
  assert.deepEqual(words, [], "the value of a mistyped flag is not taken for a word");
  assert.deepEqual(
    mistakes.map(({ location, problem, nearest }) => [
      location.kind === "flag" ? location.flag : "",
      problem,
      nearest,
    ]),
    [
      ["--limt", "is unknown", "--limit"],
      ["--quiet", "takes no value", null],
      ["--depth", "needs N after it", null],
      ["--zebra", "is unknown", null],
      ["-Q", "is unknown", "-q"],
      ["--user-agnet", "is unknown", "--user-agent"],
      ["-o", "needs DIR after it", null],
    ],
  );
});

test("whatever the arguments, parsing them throws nothing and loses no word", () => {
  const argument = fc.oneof(
    fc.string(),
    fc.constantFrom("-", "--", "-n", "--set", "-qn5", "--x=y"),
  );
  fc.assert(
    fc.property(fc.array(argument), (args) => {
      const { uses, words, mistakes } = parseCommandLine(args, FLAGS);
      assert.ok(words.every((word) => args.includes(word)));
      assert.ok(uses.length + words.length + mistakes.length <= args.join(" ").length + 1);
    }),
  );
});

test("every flag has names of its own, and sets keys that exist", () => {
  const names = FLAGS.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short]));
  assert.equal(new Set(names).size, names.length);
  for (const { long, sets } of FLAGS) {
    for (const { key } of sets ?? []) {
      assert.ok(CONFIGURATION_SCHEMA.find(key) !== undefined, `--${long} sets ${key}`);
    }
  }
});
