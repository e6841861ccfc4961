import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Given } from "./given.ts";
import { MistakeList } from "./mistake.ts";
import { type LocationAt, placed, readYaml } from "./read-yaml.ts";

const at =
  (path: string): LocationAt =>
  (line, column) => ({ kind: "file", path, line, column });

function read(text: string): Given | null {
  return readYaml(text, at("a.yaml"), new MistakeList());
}

/** By the parser, which needs more than a word. */
function parsed(text: string): Given | null {
  return read(`${text} # nothing`);
}

test("a word and an empty tree are read as the parser reads them", () => {
  const words = [
    "1",
    "1s",
    "80ms",
    "64Ki",
    "0x10",
    "1.5",
    "true",
    "null",
    "any",
    "a-b",
    "a/b_c",
    "a--b",
  ];
  for (const text of [...words, "{}"]) assert.deepEqual(read(text), parsed(text), text);
});

test("a process that reads words and empty trees does not load the parser", () => {
  const module = new URL("./read-yaml.ts", import.meta.url).href;
  const program = `
    import { createRequire } from "node:module";
    import { readYaml } from ${JSON.stringify(module)};
    const isLoaded = () =>
      Object.keys(createRequire(import.meta.url).cache).some((file) => /[\\\\/]yaml[\\\\/]/.test(file));
    const answers = ["1s", "{}", "[1s]"].map((text) => {
      readYaml(text, () => ({ kind: "default" }), null);
      return isLoaded();
    });
    console.log(answers.join());`;
  const args = ["--input-type=module", "--eval", program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(stdout, "false,false,true\n", stderr);
});

test("a tree that was read elsewhere is the same with locations of its own file", () => {
  const text = readFileSync(new URL("../../agent/topology/crawl.yaml", import.meta.url), "utf8");
  const here = readYaml(text, at("here.yaml"), new MistakeList());
  const elsewhere = readYaml(text, at(""), new MistakeList());
  assert.ok(here !== null && elsewhere !== null);
  assert.notDeepEqual(elsewhere, here);
  assert.deepEqual(placed(elsewhere, at("here.yaml")), here);
});
