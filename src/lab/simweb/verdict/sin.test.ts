import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { SINS, SinList } from "./sin.ts";
import { DEFAULT_RULES } from "./verdict-rules.ts";

test("sins are counted, and a few of each are kept as examples", () => {
  const sins = new SinList();
  let made = 0;
  for (let index = 0; index < 12; index += 1) {
    sins.add("left-scope", () => {
      made += 1;
      return { what: String(index), detail: "" };
    });
  }
  sins.add("missed-page", () => ({ what: "x", detail: "y" }));
  const [missed, left] = sins.reports();
  assert.deepEqual([missed?.sin, missed?.count], ["missed-page", 1]);
  assert.deepEqual([left?.sin, left?.count, left?.examples.length], ["left-scope", 12, 5]);
  assert.equal(made, 5, "an example that is not kept is not made");
});

test("the documentation lists every sin with its meaning, and every rule", () => {
  const pages = globSync("docs/simweb*.md").map((path) => readFileSync(path, "utf8"));
  const text = pages.join("\n");
  for (const [sin, meaning] of Object.entries(SINS)) {
    assert.ok(text.includes(`| \`${sin}\` | ${meaning} |`), `${sin} in docs/simweb*.md`);
  }
  for (const rule of Object.keys(DEFAULT_RULES)) assert.ok(text.includes(`| \`${rule}\` |`), rule);
});
