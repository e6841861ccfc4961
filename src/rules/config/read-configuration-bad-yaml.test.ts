/** YAML that is wrong, each case with the lines a user is shown for it: all of them, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderMistakes } from "../settings/index.ts";
import { readConfiguration } from "./index.ts";

type Case = readonly [what: string, text: string | Uint8Array, ...shown: RegExp[]];

const manyAliases = [
  "a: &a [x, x, x, x, x, x, x, x, x]",
  "b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]",
  "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]",
].join("\n");

const CASES: readonly Case[] = [
  // Keys that reach for the prototype are simply unknown keys.
  ["__proto__ as a key", "__proto__: { polluted: true }", /^c\.yaml:1:1: "__proto__" is not a key/],
  ["__proto__ in quotes", '"__proto__": 1', /^c\.yaml:1:1: "__proto__" is not a key/],
  ["constructor.prototype", "constructor: { prototype: { x: 1 } }", /"constructor" is not a key/],
  ["a dotted prototype", "constructor.prototype.x: 1", /"constructor\.prototype\.x" is not a key/],
  [
    "__proto__ in a group",
    "fetch:\n  __proto__: { retries: 1 }",
    /^c\.yaml:2:3: "fetch\.__proto__" is not/,
  ],
  [
    "toString and valueOf",
    "toString: 1\nfetch: { valueOf: 2 }",
    /1:1: "toString" is/,
    /2:10: "fetch\.valueOf" is/,
  ],
  [
    "hasOwnProperty as a value",
    "scope: hasOwnProperty",
    /scope: "hasOwnProperty" is not one of the choices/,
  ],

  // Names near and far.
  [
    "a name in the wrong case",
    "Politeness: { hostDelay: 1s }",
    /"Politeness" is not a key .*; did you mean politeness\?$/,
  ],
  [
    "a letter too many",
    "politeness:\n  hostDelayy: 1s",
    /^c\.yaml:2:3: "politeness\.hostDelayy".*mean politeness\.hostDelay\?$/,
  ],
  [
    "a key outside its group",
    "hostDelay: 1s",
    /"hostDelay" is not a key .*; did you mean politeness\.hostDelay\?$/,
  ],
  ["a name like none", "zebra: 1", /^c\.yaml:1:1: "zebra" is not a key of the configuration\.$/],
  ["a BUbiNG name", "maxUrlsPerSchemeAuthority: 100", /"maxUrlsPerSchemeAuthority" is not a key/],
  ["a name of control characters", '"na\\u001b[31mme": 1', /"na\\x1b\[31mme" is not a key/],
  [
    "control characters where nothing may be",
    "name: [a]]x\u007f\u009b31m",
    /1:10: this is not well-formed YAML: /,
    /1:11: this is not well-formed YAML: .*"x\\x7f\\x9b31m"/,
  ],
  ["an endless name", `${"k".repeat(900)}: 1`, /^c\.yaml:1:1: "k{60}…" is not a key/],
  ["an empty name", '"": 1', /^c\.yaml:1:1: a key must be a single name/],
  ["a list as a name", "? [a, b]\n: 1", /^c\.yaml:1:3: a key must be a single name/],

  // The same key twice.
  [
    "a key twice",
    "name: a\nscope: any\nname: b",
    /^c\.yaml:3:1: name is given twice; the first time at c\.yaml:1:1\.$/,
  ],
  [
    "a key twice in a group",
    "limits:\n  pages: 1\n  pages: 1",
    /^c\.yaml:3:3: limits\.pages is given twice/,
  ],
  [
    "a group twice",
    "limits: { pages: 1 }\nlimits: { depth: 1 }",
    /^c\.yaml:2:1: limits is given twice/,
  ],
  [
    "a key nested and dotted",
    "limits: { pages: 1 }\nlimits.pages: 2",
    /^c\.yaml:2:1: limits\.pages is given twice; .* c\.yaml:1:11/,
  ],

  // What YAML can do and a configuration does not need.
  [
    "an alias",
    "name: &n crawl\nscope: *n",
    /1:10: anchors are not used/,
    /2:8: aliases are not used .*; write the value out/,
  ],
  ["exploding aliases", manyAliases, ...Array<RegExp>(21).fill(/(?:anchors|aliases) are not used/)],
  ["a merge key", "limits:\n  <<: { pages: 1 }", /^c\.yaml:2:3: merge keys are not used/],
  ["a cycle", "&a [*a]", /anchors are not used/, /aliases are not used/],
  ["an alias to nothing", "name: *nowhere", /c\.yaml:1:7: .*(?:aliases|alias)/],
  ["a function tag", 'name: !!js/function "() => 1"', /^c\.yaml:1:21: tags are not used/],
  ["a local tag", "limits: !Limits { pages: 1 }", /tags are not used/],
  ["a string tag", "name: !!str 12", /tags are not used/],
  ["a binary tag", "name: !!binary aGVsbG8=", /tags are not used/],
  ["a tag on a key", "!!str name: x", /tags are not used/],
  ["two documents", "name: a\n---\nname: b", /^c\.yaml:2:1: a second document begins here/],

  // Not well formed.
  [
    "a tab as indentation",
    "limits:\n\tpages: 1",
    /^c\.yaml:2:1: a tab is used for indentation; use spaces/,
  ],
  ["an open quote", 'name: "crawl\nscope: any', /^c\.yaml:.*not well-formed YAML: .*quote/],
  ["an open bracket", "seeds: [a, b", /not well-formed YAML/],
  ["an open brace", "limits: {pages: 1", /not well-formed YAML/],
  ["a stray closing bracket", "name: crawl\n]", /^c\.yaml:2:1: this is not well-formed YAML/],
  ["a value that looks like a map", "name: a: b", /^c\.yaml:1:7: this is not well-formed YAML/],
  ["wrong indentation", "limits:\n  pages: 1\n depth: 2", /^c\.yaml:3:.*not well-formed YAML/],
  ["an unknown escape", 'name: "\\q"', /not well-formed YAML: Invalid escape/],
  ["a reserved character", "name: @crawl", /^c\.yaml:1:7: this is not well-formed YAML/],
  ["a directive without a document", "%YAML 1.2\nname: a", /not well-formed YAML/],
  ["markup", "<html><body>404</body></html>", /^c\.yaml:1:1: a configuration is a tree of keys/],
  ["deep nesting", "[".repeat(100_000), /the nesting is too deep to be read/],
  [
    "nesting of twenty levels",
    `seeds: ${"[".repeat(20)}${"]".repeat(20)}`,
    /deeper than 16 levels/,
  ],

  // The wrong kind of thing.
  ["a list as the whole", "- name: crawl", /^c\.yaml:1:1: a configuration is a tree of keys/],
  ["a word as the whole", "crawl", /^c\.yaml:1:1: a configuration is a tree of keys/],
  [
    "a list where a group belongs",
    "limits: [pages, 5]",
    /^c\.yaml:1:9: limits: "\[…\]" is given where a tree of keys is expected; legal: pages, /,
  ],
  [
    "a word where a group belongs",
    "fetch: fast",
    /fetch: "fast" is given where a tree of keys is expected/,
  ],
  [
    "a tree where a value belongs",
    "name: { first: a }",
    /^c\.yaml:1:7: name: "\{…\}" is a tree where a single value is expected/,
  ],
  [
    "a list where a value belongs",
    "scope: [host, any]",
    /scope: "\[…\]" is a list where a single value is expected/,
  ],
  [
    "a word where a list belongs",
    "seeds: https://example.org/",
    /seeds: "https:.*" is not a list; write \[ \] around it/,
  ],
  ["a tree where a list belongs", "seeds: { a: 1 }", /seeds: "\{…\}" is a tree, not a list/],
  [
    "a list in a list",
    "seeds: [[https://example.org/]]",
    /seeds: "\[…\]" is a list where a single value is expected/,
  ],
  [
    "no value where one is needed",
    "name:\nscope: ~",
    /1:6: name: "" means no value, and/,
    /2:8: scope: "~" means no value/,
  ],

  // Bytes that are not text.
  [
    "bytes that are not UTF-8",
    Uint8Array.from([0x6e, 0x61, 0x0a, 0xff, 0xfe, 0x0a]),
    /^c\.yaml:2:1: the text is not UTF-8/,
  ],
  [
    "UTF-16",
    Uint8Array.from([0xff, 0xfe, 0x6e, 0, 0x3a, 0]),
    /^c\.yaml:1:1: the text is not UTF-8/,
  ],
  ["a cut character", Uint8Array.from([0x61, 0xc3]), /^c\.yaml:1:1: the text is not UTF-8/],
  ["NUL bytes", "\0\0\0\0", /^c\.yaml:1:1: a configuration is a tree of keys/],
  [
    "a file of 10 MB",
    new Uint8Array(10_000_000).fill(0x61),
    /^c\.yaml: the file has 10000000 bytes; at most 1048576 are read/,
  ],
];

for (const [what, text, ...shown] of CASES) {
  test(`YAML with ${what} is refused at its place`, () => {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const reading = readConfiguration({ files: [{ path: "c.yaml", bytes }] });
    assert.ok(!reading.ok, "it was accepted");
    const lines = renderMistakes(reading.mistakes, reading.omitted).split("\n").slice(1);
    assert.equal(lines.length, shown.length, lines.join("\n"));
    for (const [index, line] of lines.entries()) assert.match(line.trim(), shown[index] ?? /^$/);
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });
}
