/**
 * Follows the recipes of CONTRIBUTING.md in a copy of the tree: makes the changes that their blocks
 * show, runs their commands, and in the end compiles it all. A recipe that has drifted fails here.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join, resolve } from "node:path";
import { after, test } from "node:test";
import { type Recipe, recipesOf, type Step, withChange } from "./recipes.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-recipes-"));
after(() => rmSync(folder, { recursive: true }));
const tree = join(folder, "tree");

const LEFT_OUT = new Set(["node_modules", ".git", "dist"]);
cpSync(".", tree, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
symlinkSync(resolve("node_modules"), join(tree, "node_modules"));

/** Runs in the copy, as a reader would; the tests there are no part of this test's run. */
function shell(command: string): string {
  const { NODE_TEST_CONTEXT, ...environment } = process.env;
  const path = [resolve("node_modules/.bin"), environment["PATH"]].join(delimiter);
  const cache = join(folder, "compiled");
  const env = { ...environment, PATH: path, NO_COLOR: "1", NODE_COMPILE_CACHE: cache };
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd: tree,
    env,
    encoding: "utf8",
  });
  assert.equal(status, 0, `${command}\n${stdout}${stderr}`);
  return stdout;
}

function follow(step: Step): void {
  for (const { language, text } of step.blocks) {
    if (language === "sh") for (const line of text.trimEnd().split("\n")) runLine(line);
    else {
      assert(step.file !== null, `a step that shows code names its file: ${step.text}`);
      const path = join(tree, step.file);
      if (language === "diff") writeFileSync(path, withChange(readFileSync(path, "utf8"), text));
      else {
        assert.ok(!existsSync(path), `${step.file} is new`);
        writeFileSync(path, text);
      }
    }
  }
}

/** `COMMAND   # prints WORDS`: the words are in what the command prints. */
function runLine(line: string): void {
  const [command = "", printed = ""] = line.split(/ +# prints /);
  const output = shell(command);
  assert.ok(output.includes(printed), `${line}\n${output}`);
}

const recipes: readonly Recipe[] = recipesOf(readFileSync("CONTRIBUTING.md", "utf8"));

test("there is a recipe for each common change", () => {
  assert.deepEqual(
    recipes.map(({ title }) => title),
    [
      "Add a filter atom",
      "Add a configuration key",
      "Add an error",
      "Add a command",
      "Add a parser",
      "Test a crash",
    ],
  );
});

for (const { title, steps } of recipes) {
  test(`the recipe "${title}" can be followed`, () => {
    assert.ok(steps.length >= 2, "too few steps seen");
    assert.ok(steps.some(({ blocks }) => blocks.some(({ language }) => language === "sh")));
    for (const step of steps) follow(step);
  });
}

test("a tree in which all recipes were followed compiles, is formatted, and keeps its walls", () => {
  const made = recipes.flatMap(({ steps }) => steps.flatMap(({ file }) => file ?? []));
  shell("tsc -p tsconfig.json");
  shell(`biome ci --error-on-warnings ${made.join(" ")}`);
  shell("node --test test/architecture/*.test.ts");
});
