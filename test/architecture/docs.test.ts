import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { configurationPage } from "../../scripts/docs/configuration-page.ts";
import { decisionsPage } from "../../scripts/docs/decisions-page.ts";
import { errorsPage } from "../../scripts/docs/errors-page.ts";
import { simwebPage } from "../../scripts/docs/simweb-page.ts";
import { ERRORS } from "../../src/base/errors/index.ts";
import { CONFIGURATION_SCHEMA } from "../../src/rules/config/index.ts";
import { sourceFiles } from "./walls.ts";

const REMEDY = "run `npm run docs` and commit the page";

test("docs/configuration.md is what the schema prints", () => {
  const page = readFileSync("docs/configuration.md", "utf8");
  assert.ok(page === configurationPage(), `docs/configuration.md is old: ${REMEDY}`);
  for (const { path } of CONFIGURATION_SCHEMA.keys)
    assert.ok(page.includes(`| \`${path}\` |`), path);
});

test("docs/errors.md lists exactly the codes of the table", () => {
  const page = readFileSync("docs/errors.md", "utf8");
  assert.ok(page === errorsPage(), `docs/errors.md is old: ${REMEDY}`);
  const listed = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
  assert.deepEqual(listed.sort(), Object.keys(ERRORS).sort());
});

test("docs/simweb.md has every feature of the synthetic web", () => {
  const page = readFileSync("docs/simweb.md", "utf8");
  assert.ok(page === simwebPage(), `docs/simweb.md is old: ${REMEDY}`);
});

test("docs/adr/README.md lists every decision", () => {
  const page = readFileSync("docs/adr/README.md", "utf8");
  assert.ok(page === decisionsPage(), `docs/adr/README.md is old: ${REMEDY}`);
});

test("every error code is used somewhere in the sources", () => {
  const files = sourceFiles("src").filter(
    ({ path }) => !/^base\/errors\/.*-errors\.ts$/.test(path) && !path.endsWith(".test.ts"),
  );
  const unused = Object.keys(ERRORS).filter(
    (code) => !files.some(({ text }) => text.includes(`"${code}"`)),
  );
  assert.deepEqual(unused, [], "codes that nothing in src/ uses");
});
