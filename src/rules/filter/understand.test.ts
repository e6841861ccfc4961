import assert from "node:assert/strict";
import { test } from "node:test";
import { printFilter } from "./language/printer.ts";
import { parseFilter } from "./load-filter.ts";
import { understand } from "./understand.ts";

const EXPRESSIONS: readonly string[] = [
  "HostEndsWith(.it)",
  "HostEndsWth(.it)",
  "  ( not ( SameHost() ) )",
  "!IsNofollow()",
  "~ SameHost()",
  "./mine.js#Good()",
  "'my atoms.js'#Good()",
  "# a comment\nSameHost()",
  "TRUE",
  "false & x",
  "not *.pdf",
  "*.pdf or *.zip",
  "SameHost",
  "host and SameHost",
  "",
  "  ",
];

const GLOBS: readonly string[] = [
  "*/login*",
  "*",
  "https://example.org/*",
  "example.org/*",
  "/private/*",
  "*/terms-and-conditions*",
  "*/not/found",
  "*?a=1&not=2&or=3",
  "*/~user/*",
  "~user/*",
  "!important",
  "en.wikipedia.org/wiki/Foo_(bar)",
  "*/wiki/Foo_(bar)",
  "*(and)*",
  "true.org/*",
  "*/true",
  "[a-z]*",
  "it's/a,b",
];

for (const text of EXPRESSIONS) {
  test(`${JSON.stringify(text)} is taken as a filter`, () => {
    assert.deepEqual(understand(text), { as: "expression", expression: text, problem: null });
  });
}

for (const text of GLOBS) {
  test(`${text} is taken as a glob`, () => {
    const { as, expression } = understand(text);
    assert.equal(as, "glob");
    const node = parseFilter(expression);
    assert.equal(printFilter(node), expression);
    assert.equal(node.kind === "atom" && node.name, "URLGlob");
    assert.deepEqual(node.kind === "atom" && node.args.map((arg) => arg.text), [
      text.includes("*") ? text : `*${text}*`,
    ]);
  });
}
