import assert from "node:assert/strict";
import { test } from "node:test";
import { asTyped, programName } from "./program-name.ts";

test("a user who started Trobar by npx is shown npx", () => {
  assert.equal(programName({ npm_command: "exec", npm_lifecycle_event: "npx" }), "npx trobar");
  assert.equal(programName({}), "trobar");
  assert.equal(programName({ npm_command: "test" }), "trobar", "a script of npm has its own path");
});

test("only commands in a text are renamed", () => {
  assert.equal(
    asTyped("trobar says: `trobar crawl` or `trobar --help`", "npx trobar"),
    "trobar says: `npx trobar crawl` or `npx trobar --help`",
  );
});
